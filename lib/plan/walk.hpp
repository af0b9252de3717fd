#pragma once

#include <cstdlib>

#include "../topology/legs.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Calls visit(link_index) for every link of route(), without making a list of them.
template <typename Visit>
void walk(const Grid& grid, GridNode from, GridNode to, Tie tie, Visit visit) {
  const std::size_t axes = grid.axes().size();
  for_each_leg(grid, from, to, tie, [&](int axis, GridNode here, std::uint32_t start, std::int64_t steps) {
    const std::size_t extent = grid.extent(axis);
    const std::size_t stride = grid.stride(axis);
    const std::size_t line = static_cast<std::size_t>(here) - start * stride;
    const std::size_t direction = steps < 0 ? 1 : 0;
    std::size_t at = start;
    for (auto left = std::abs(steps); left > 0; --left) {
      visit(((line + at * stride) * axes + static_cast<std::size_t>(axis)) * 2 + direction);
      if (direction == 0) {
        at = at + 1 == extent ? 0 : at + 1;
      } else {
        at = at == 0 ? extent - 1 : at - 1;
      }
    }
  });
}

}  // namespace cubefold
