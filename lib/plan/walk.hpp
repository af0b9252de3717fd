#pragma once

#include <cstdlib>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Calls visit(link_index) for every link of route(), without making a list of them.
template <typename Visit>
void walk(const Grid& grid, GridNode from, GridNode to, Tie tie, Visit visit) {
  auto here = static_cast<std::size_t>(from);
  const auto axes = grid.axes().size();
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto steps = axis_steps(grid, axis, from, to, tie);
    const std::size_t extent = grid.extent(axis);
    const std::size_t stride = grid.stride(axis);
    std::size_t at = here / stride % extent;
    const std::size_t start = here - at * stride;
    const std::size_t direction = steps < 0 ? 1 : 0;
    for (auto left = std::abs(steps); left > 0; --left) {
      visit(((start + at * stride) * axes + static_cast<std::size_t>(axis)) * 2 + direction);
      at = (at + (direction == 0 ? 1 : extent - 1)) % extent;
    }
    here = start + at * stride;
  }
}

}  // namespace cubefold
