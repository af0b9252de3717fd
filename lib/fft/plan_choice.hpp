#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/fft/plan_options.hpp"
#include "cubefold/fft/program.hpp"
#include "process_axes.hpp"

namespace cubefold::fft {

/// Throws std::invalid_argument for lengths and options that do not go together. Local.
void require_fit(const std::vector<std::size_t>& lengths, const PlanOptions& options);

/// Which axes of the network grid are process axis 0, 1. Sets what is automatic of the decomposition.
std::vector<std::vector<int>> network_parts(const Grid& grid, const std::vector<std::size_t>& lengths,
                                            PlanOptions& options);

/// Sets what is automatic of the algorithm.
Program program_of(const std::vector<std::size_t>& lengths, PlanOptions& options,
                   const std::vector<ProcessAxis>& axes);

}  // namespace cubefold::fft
