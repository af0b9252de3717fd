#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "route_segments.hpp"

/// Loads of links as differences between a link and the one before it on its axis: a message changes two of them per
/// axis however far it goes. Amounts are whole numbers, unsigned too: their sums are right even where differences are
/// negative. There are link_index_count() differences, 0 without messages.
namespace cubefold {

/// Where the difference of a link is. Axis by axis, unlike link_index(): what neighbours on a hypercube exchange then
/// lies together.
inline std::size_t difference_place(const Grid& grid, const Link& link) {
  const auto axis = static_cast<std::size_t>(link.axis);
  return (axis * grid.node_count() + static_cast<std::size_t>(link.from)) * 2 +
         static_cast<std::size_t>(link.direction);
}

/// Adds the route of a message: O(axes).
template <typename Amount>
void add_route(const Grid& grid, GridNode from, GridNode to, Tie tie, Amount amount,
               std::vector<Amount>& differences) {
  for_each_segment(
      grid, from, to, tie, [&](int axis, GridNode here, std::uint32_t start, std::int64_t steps) {
        // A segment's links begin at `count` nodes upwards from coordinate `first`, round the end of the axis if need
        // be.
        const auto extent = std::int64_t{grid.extent(axis)};
        const auto direction = steps > 0 ? Direction::positive : Direction::negative;
        const auto count = std::abs(steps);
        const auto first = steps > 0 ? start : (start - count + 1 + extent) % extent;
        const auto line = static_cast<std::size_t>(here) - start * grid.stride(axis);
        const auto at = [&](std::int64_t coordinate) -> Amount& {
          const auto node = line + static_cast<std::size_t>(coordinate) * grid.stride(axis);
          return differences[difference_place(grid, {static_cast<GridNode>(node), axis, direction})];
        };
        at(first) += amount;
        if (first + count < extent) {
          at(first + count) -= amount;
        } else if (first + count > extent) {
          at(0) += amount;
          at(first + count - extent) -= amount;
        }
      });
}

/// Calls visit(link, load) for every link, and for those without a load that would be there if all axes were wrapped.
/// O(links).
template <typename Amount, typename Visit>
void for_each_load(const Grid& grid, const std::vector<Amount>& differences, Visit visit) {
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::size_t stride = grid.stride(axis);
    // All lines through successive nodes at once, so that memory is read in its order.
    std::vector<Amount> loads(2 * stride);
    std::size_t node = 0;
    while (node < grid.node_count()) {
      std::fill(loads.begin(), loads.end(), Amount{0});
      for (const std::size_t end = node + stride * grid.extent(axis); node < end;) {
        for (std::size_t line = 0; line < stride; ++line, ++node) {
          for (const Direction direction : {Direction::positive, Direction::negative}) {
            const Link link{static_cast<GridNode>(node), axis, direction};
            Amount& load = loads[2 * line + static_cast<std::size_t>(direction)];
            load += differences[difference_place(grid, link)];
            visit(link, load);
          }
        }
      }
    }
  }
}

}  // namespace cubefold
