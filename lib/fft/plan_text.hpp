#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/fft/plan_options.hpp"
#include "cubefold/fft/program.hpp"
#include "process_axes.hpp"

namespace cubefold::fft {

struct PlanFacts {
  const std::vector<std::size_t>& lengths;
  const PlanOptions& options;
  const Program& program;
  std::vector<std::size_t> block_bytes;  ///< of each exchange among more than one
  std::size_t point_bytes;
};

/// Collective. What Plan::explain() says.
std::string plan_text(const PlanFacts& facts, std::vector<ProcessAxis>& axes);

}  // namespace cubefold::fft
