#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Returns the signed number of steps from one coordinate of an axis to another, the shorter way round; positive steps
/// go up.
inline std::int64_t steps_between(const Grid& grid, int axis, std::uint32_t from, std::uint32_t to, Tie tie) {
  const auto direct = std::int64_t{to} - std::int64_t{from};
  if (!grid.has_wrap_link(axis)) return direct;

  const auto extent = std::int64_t{grid.extent(axis)};
  const auto up = direct < 0 ? direct + extent : direct;
  const auto down = extent - up;
  if (up == down) return tie == Tie::balanced && from % 2 == 1 ? -down : up;
  return up < down ? up : -down;
}

/// Takes the coordinate on the next axis off a node index and returns it. It shifts where it can, because two divisions
/// would cost as much as all other work on a segment. It does not call std::has_single_bit(), which is just as slow on
/// processors that are not known to count bits.
inline std::uint32_t take_coordinate(std::uint32_t& node, std::uint32_t extent) {
  const auto all = node;
  const bool is_power_of_two = (extent & (extent - 1)) == 0;
  node = is_power_of_two ? node >> std::countr_zero(extent) : node / extent;
  return all - node * extent;
}

/// Calls visit(axis, node where the segment begins, coordinate there, signed steps) for every segment of a route, in
/// the order of the route. A segment is the part of the route on one axis on which the message moves. Costs O(axes).
template <typename Visit>
void for_each_segment(const Grid& grid, GridNode from, GridNode to, Tie tie, Visit visit) {
  auto from_rest = static_cast<std::uint32_t>(from);
  auto to_rest = static_cast<std::uint32_t>(to);
  auto here = std::int64_t{from_rest};
  for (int axis = 0; from_rest != to_rest; ++axis) {
    const auto start = take_coordinate(from_rest, grid.extent(axis));
    const auto end = take_coordinate(to_rest, grid.extent(axis));
    if (start == end) continue;
    visit(axis, static_cast<GridNode>(here), start, steps_between(grid, axis, start, end, tie));
    here += (std::int64_t{end} - std::int64_t{start}) * static_cast<std::int64_t>(grid.stride(axis));
  }
}

}  // namespace cubefold
