#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "moving_loads.hpp"

namespace cubefold {

struct SwapSearchOptions {
  std::uint64_t seed = 1;

  /// The search ends once the objective is no larger.
  double enough = 0;

  /// By how much loads.work() may grow.
  double work_limit = 0;
};

/// Returns the best placement that a local search finds. It swaps the nodes of two ranks while that makes the objective
/// smaller, or with an equal objective the sum of the squares of all loads, which is what leads off plateaus. When no
/// swap seems to help, it begins again from a few random swaps away from the best. Every other time the first rank is
/// one that loads a busiest link, and every other time the second is near a partner of the first. Equal seeds give
/// equal results.
std::vector<GridNode> swap_search(const Grid& grid, MovingLoads& loads, std::span<const GridNode> start,
                                  const SwapSearchOptions& options);

}  // namespace cubefold
