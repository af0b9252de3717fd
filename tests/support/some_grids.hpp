#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "support/all_grids.hpp"
#include "support/sweep.hpp"

namespace cubefold {

/// Returns every grid of up to all_to nodes, and some_of() those of up to most_nodes nodes.
inline std::vector<Grid> some_grids_up_to(std::size_t all_to, std::size_t most_nodes, std::size_t step) {
  return small_and_some_of(
      grids_up_to(most_nodes), [&](const Grid& grid) { return grid.node_count() <= all_to; }, step);
}

/// Returns every grid of 2^d nodes for d up to all_to, and some_of() those for d up to most_dimensions. Extents ascend.
inline std::vector<Grid> some_power_of_two_grids(int all_to, int most_dimensions, std::size_t step) {
  return small_and_some_of(
      power_of_two_grids(most_dimensions, AxisOrders::ascending),
      [&](const Grid& grid) { return grid.node_count() <= std::size_t{1} << all_to; }, step);
}

}  // namespace cubefold
