#include "cubefold/topology/route.hpp"

#include <array>
#include <cmath>
#include <cstdlib>

#include "route_segments.hpp"
#include "text/known_names.hpp"

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

namespace {

Link table_link(const RouteTable& table, std::size_t index) {
  const std::uint32_t from = table.links()[index].from;
  return {GridNode{from}, static_cast<int>(index - table.first_link(from)), Direction::positive};
}

/// Returns the first link of a route by a table, or nothing if the message has arrived or does not pass here.
std::optional<Link> next_table_link(const RouteTable& table, GridNode here, GridNode to) {
  const auto vertex = static_cast<std::size_t>(here);
  const auto destination = static_cast<std::size_t>(to);
  if (here == to || !table.has_next_link(vertex, destination)) return std::nullopt;
  return table_link(table, table.next_link(vertex, destination));
}

std::vector<Link> table_route(const Grid& grid, GridNode from, GridNode to) {
  std::vector<Link> links;
  while (const auto link = next_table_link(*grid.route_table(), from, to)) {
    links.push_back(*link);
    from = end_of(grid, *link);
  }
  return links;
}

}  // namespace

std::size_t link_index_count(const Grid& grid) {
  if (const RouteTable* table = grid.route_table()) return table->links().size();
  return grid.node_count() * grid.axes().size() * 2;
}

std::size_t link_index(const Grid& grid, const Link& link) {
  const auto axis = static_cast<std::size_t>(link.axis);
  if (const RouteTable* table = grid.route_table())
    return table->first_link(static_cast<std::size_t>(link.from)) + axis;
  const auto direction = static_cast<std::size_t>(link.direction);
  return (static_cast<std::size_t>(link.from) * grid.axes().size() + axis) * 2 + direction;
}

bool has_link(const Grid& grid, const Link& link) {
  if (const RouteTable* table = grid.route_table())
    return link_index(grid, link) < table->first_link(static_cast<std::size_t>(link.from) + 1);
  if (grid.has_wrap_link(link.axis)) return true;
  const auto at = grid.coordinate(link.from, link.axis);
  return link.direction == Direction::positive ? at + 1 < grid.extent(link.axis) : at > 0;
}

std::vector<Link> links_of(const Grid& grid) {
  std::vector<Link> links;
  if (const RouteTable* table = grid.route_table()) {
    for (std::size_t i = 0; i < table->links().size(); ++i) links.push_back(table_link(*table, i));
    return links;
  }
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
  if (grid.route_table() != nullptr) return static_cast<std::uint32_t>(table_route(grid, from, to).size());
  std::int64_t hops = 0;
  for_each_segment(grid, from, to, Tie::positive,
                   [&](int, GridNode, std::uint32_t, std::int64_t steps) { hops += std::abs(steps); });
  return static_cast<std::uint32_t>(hops);
}

GridNode end_of(const Grid& grid, const Link& link) {
  if (const RouteTable* table = grid.route_table())
    return GridNode{table->links()[link_index(grid, link)].to};
  const auto extent = std::int64_t{grid.extent(link.axis)};
  const auto here = std::int64_t{grid.coordinate(link.from, link.axis)};
  const auto there = (here + (link.direction == Direction::positive ? 1 : extent - 1)) % extent;
  const auto moved = (there - here) * static_cast<std::int64_t>(grid.stride(link.axis));
  return static_cast<GridNode>(static_cast<std::int64_t>(link.from) + moved);
}

double rate_of(const Grid& grid, const Link& link) {
  const RouteTable* table = grid.route_table();
  return table == nullptr ? 1 : table->links()[link_index(grid, link)].rate;
}

std::vector<Link> route(const Grid& grid, GridNode from, GridNode to, Tie tie) {
  if (grid.route_table() != nullptr) return table_route(grid, from, to);
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
  if (const RouteTable* table = grid.route_table()) return next_table_link(*table, here, to);
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto steps = axis_steps(grid, axis, here, to, tie);
    if (steps != 0) return Link{here, axis, steps > 0 ? Direction::positive : Direction::negative};
  }
  return std::nullopt;
}

std::optional<Link> last_link(const Grid& grid, GridNode from, GridNode to, Tie tie) {
  if (grid.route_table() != nullptr) {
    const auto links = table_route(grid, from, to);
    return links.empty() ? std::nullopt : std::optional(links.back());
  }
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
