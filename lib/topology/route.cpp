#include "cubefold/topology/route.hpp"

#include <array>
#include <cstdlib>

#include "names/known_names.hpp"
#include "route_segments.hpp"

namespace cubefold {

std::string_view to_string(Direction direction) {
  switch (direction) {
    case Direction::positive:
      return "positive";
    case Direction::negative:
      break;
  }
  return "negative";
}

std::string_view to_string(Tie tie) {
  switch (tie) {
    case Tie::positive:
      return "positive";
    case Tie::balanced:
      break;
  }
  return "balanced";
}

Tie parse_tie(std::string_view text) {
  constexpr std::array ties{Tie::positive, Tie::balanced};
  return enumerator_named<Tie>("tie", text, ties);
}

std::string_view to_string(Ports ports) {
  switch (ports) {
    case Ports::one:
      return "one";
    case Ports::all:
      break;
  }
  return "all";
}

Ports parse_ports(std::string_view text) {
  constexpr std::array all{Ports::one, Ports::all};
  return enumerator_named<Ports>("ports", text, all);
}

std::size_t link_index_count(const Grid& grid) {
  return grid.node_count() * grid.axes().size() * 2;
}

std::size_t link_index(const Grid& grid, const Link& link) {
  const auto axis = static_cast<std::size_t>(link.axis);
  const auto direction = static_cast<std::size_t>(link.direction);
  return (static_cast<std::size_t>(link.from) * grid.axes().size() + axis) * 2 + direction;
}

bool has_link(const Grid& grid, const Link& link) {
  if (grid.has_wrap_link(link.axis)) return true;
  const auto at = grid.coordinate(link.from, link.axis);
  return link.direction == Direction::positive ? at + 1 < grid.extent(link.axis) : at > 0;
}

std::vector<Link> links_of(const Grid& grid) {
  std::vector<Link> links;
  for (std::size_t node = 0; node < grid.node_count(); ++node) {
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      for (const Direction direction : {Direction::positive, Direction::negative}) {
        const Link link{static_cast<GridNode>(node), axis, direction};
        if (has_link(grid, link)) links.push_back(link);
      }
    }
  }
  return links;
}

std::int64_t axis_steps(const Grid& grid, int axis, GridNode from, GridNode to, Tie tie) {
  return steps_between(grid, axis, grid.coordinate(from, axis), grid.coordinate(to, axis), tie);
}

std::uint32_t distance_hops(const Grid& grid, GridNode from, GridNode to) {
  std::int64_t hops = 0;
  for_each_segment(grid, from, to, Tie::positive,
                   [&](int, GridNode, std::uint32_t, std::int64_t steps) { hops += std::abs(steps); });
  return static_cast<std::uint32_t>(hops);
}

GridNode end_of(const Grid& grid, const Link& link) {
  const auto extent = std::int64_t{grid.extent(link.axis)};
  const auto here = std::int64_t{grid.coordinate(link.from, link.axis)};
  const auto there = (here + (link.direction == Direction::positive ? 1 : extent - 1)) % extent;
  const auto moved = (there - here) * static_cast<std::int64_t>(grid.stride(link.axis));
  return static_cast<GridNode>(static_cast<std::int64_t>(link.from) + moved);
}

std::vector<Link> route(const Grid& grid, GridNode from, GridNode to, Tie tie) {
  std::vector<Link> links;
  GridNode here = from;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto steps = axis_steps(grid, axis, from, to, tie);
    const auto direction = steps > 0 ? Direction::positive : Direction::negative;
    for (auto left = std::abs(steps); left > 0; --left) {
      links.push_back({here, axis, direction});
      here = end_of(grid, links.back());
    }
  }
  return links;
}

std::optional<Link> next_link(const Grid& grid, GridNode here, GridNode to, Tie tie) {
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto steps = axis_steps(grid, axis, here, to, tie);
    if (steps != 0) return Link{here, axis, steps > 0 ? Direction::positive : Direction::negative};
  }
  return std::nullopt;
}

std::optional<Link> last_link(const Grid& grid, GridNode from, GridNode to, Tie tie) {
  for (int axis = grid.axis_count(); axis-- > 0;) {
    const auto steps = axis_steps(grid, axis, from, to, tie);
    if (steps == 0) continue;
    const auto direction = steps > 0 ? Direction::positive : Direction::negative;
    const auto back = steps > 0 ? Direction::negative : Direction::positive;
    return Link{end_of(grid, {to, axis, back}), axis, direction};
  }
  return std::nullopt;
}

}  // namespace cubefold
