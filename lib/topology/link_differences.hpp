#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "route_segments.hpp"

/// These functions keep the loads of links as differences between a link and the one before it on its axis, so a
/// message changes at most three of them per axis, however far it goes. Amounts are signed or unsigned integers: sums
/// of unsigned differences are right even where a difference wraps round. There are link_index_count() differences,
/// which are 0 without messages.
namespace cubefold {

/// Returns the index of the difference of a link. Differences are ordered axis by axis, unlike link_index(), so that
/// the links on which neighbours of a hypercube exchange lie together in memory.
inline std::size_t difference_place(const Grid& grid, const Link& link) {
  const auto axis = static_cast<std::size_t>(link.axis);
  return (axis * grid.node_count() + static_cast<std::size_t>(link.from)) * 2 +
         static_cast<std::size_t>(link.direction);
}

/// Adds `amount` to every link of the route of a message. Costs O(axes).
template <typename Amount>
void add_route(const Grid& grid, GridNode from, GridNode to, Tie tie, Amount amount,
               std::vector<Amount>& differences) {
  for_each_segment(
      grid, from, to, tie, [&](int axis, GridNode here, std::uint32_t start, std::int64_t steps) {
        // The links of a segment begin at `count` consecutive nodes, upwards from coordinate `first` and round the end
        // of the axis if necessary.
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

/// Calls visit(link, load) for every link that would exist if all axes were wrapped. A link that does not exist has
/// load 0. Costs O(links). Throws std::invalid_argument if the grid has a route table.
template <typename Amount, typename Visit>
void for_each_load(const Grid& grid, const std::vector<Amount>& differences, Visit visit) {
  grid.require_links_by_axes();
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::size_t stride = grid.stride(axis);
    // The loop follows all lines through successive nodes at once, so that memory is read in its order.
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
