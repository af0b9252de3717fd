#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

enum class Direction : std::uint8_t { positive, negative };

/// Returns `positive` or `negative`.
CUBEFOLD_API std::string_view to_string(Direction direction);

/// Describes the directed link from a node to its neighbour on an axis. On a grid with a route table, `axis` is the
/// number of the link among those that leave the node, and `direction` is positive; a switch stands for a GridNode
/// that is not below Grid::node_count().
struct Link {
  GridNode from;
  int axis;
  Direction direction;

  bool operator==(const Link&) const = default;
};

/// Returns the number of values of link_index(): two directions per axis and node, whether or not that link exists. On
/// a grid with a route table, it is the number of links.
CUBEFOLD_API std::size_t link_index_count(const Grid& grid);

/// Returns the number of a link, in [0, link_index_count()), which serves as an index into tables.
CUBEFOLD_API std::size_t link_index(const Grid& grid, const Link& link);

/// Returns whether the grid has that link. No link leads over an open end, and no link leads round an axis of extent 1
/// or 2.
CUBEFOLD_API bool has_link(const Grid& grid, const Link& link);

/// Returns every directed link of the grid once, in the order of link_index(). Costs O(nodes * axes).
CUBEFOLD_API std::vector<Link> links_of(const Grid& grid);

/// Says which way round an even ring a message takes when both ways are equally short: always up (`positive`), or up
/// from even coordinates and down from odd ones (`balanced`).
enum class Tie : std::uint8_t { positive, balanced };

/// Returns `positive` or `balanced`.
CUBEFOLD_API std::string_view to_string(Tie tie);

/// Returns the tie rule with that name. Throws std::invalid_argument that quotes the text and lists the names.
CUBEFOLD_API Tie parse_tie(std::string_view text);

/// Says how many messages a node can send, and how many it can receive, in one step: one in all, or one per link.
/// Messages that pass through a node do not count.
enum class Ports : std::uint8_t { one, all };

/// Returns `one` or `all`.
CUBEFOLD_API std::string_view to_string(Ports ports);

/// Returns the ports with that name. Throws std::invalid_argument that quotes the text and lists the names.
CUBEFOLD_API Ports parse_ports(std::string_view text);

/// Returns the signed number of steps that a message makes along one axis, the shorter way round; positive steps go up.
/// Costs O(1). Throws std::invalid_argument if the grid has a route table.
CUBEFOLD_API std::int64_t axis_steps(const Grid& grid, int axis, GridNode from, GridNode to, Tie tie);

/// Returns the length of the route, which is the sum of the distances on the axes. Costs O(axes), or O(hops) on a grid
/// with a route table.
CUBEFOLD_API std::uint32_t distance_hops(const Grid& grid, GridNode from, GridNode to);

/// Returns the node at the other end of the link. Requires that the link exists.
CUBEFOLD_API GridNode end_of(const Grid& grid, const Link& link);

/// Returns how many messages of equal length the link carries in the time of one: 1 unless the grid has a route table
/// with other rates. Requires that the link exists.
CUBEFOLD_API double rate_of(const Grid& grid, const Link& link);

/// Returns the dimension-order route: axis 0 first, and the shorter way round a wrapped axis. On a hypercube this is
/// the e-cube route. On a grid with a route table, returns the route of the table. Costs O(hops).
CUBEFOLD_API std::vector<Link> route(const Grid& grid, GridNode from, GridNode to, Tie tie);

/// Returns the first link of the route, or nothing if the message has arrived, or if `here` is a switch that no route
/// to this node passes. A message that follows next_link() from
/// node to node takes the links of route(): after the first step past a tie, the direction taken is the shorter one.
/// Costs O(axes).
CUBEFOLD_API std::optional<Link> next_link(const Grid& grid, GridNode here, GridNode to, Tie tie);

/// Returns the last link of the route, or nothing if the message has arrived. Costs O(axes).
CUBEFOLD_API std::optional<Link> last_link(const Grid& grid, GridNode from, GridNode to, Tie tie);

}  // namespace cubefold
