#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/fft/plan_options.hpp"
#include "cubefold/fft/program.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::fft {

/// Throws std::invalid_argument for lengths and options that do not go together. Local.
void require_fit(const std::vector<std::size_t>& lengths, const PlanOptions& options);

bool is_bluestein(const Program& program);

/// Automatic: transposed, or bluestein where that needs it. Throws std::invalid_argument for transposed where it does.
Program line_program(std::size_t length, std::size_t process_count, const PlanOptions& options,
                     Algorithm algorithm);

/// Which axes of the network grid are process axis 0, 1. Not for automatic.
std::vector<std::vector<int>> network_parts(const Grid& grid, Decomposition decomposition);

}  // namespace cubefold::fft
