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

/// `positive`, `negative`.
CUBEFOLD_API std::string_view to_string(Direction direction);

/// Directed link from a node to its neighbour on an axis.
struct Link {
  GridNode from;
  int axis;
  Direction direction;

  bool operator==(const Link&) const = default;
};

/// Number of link_index() values: two directions per axis and node, whether or not that link exists.
CUBEFOLD_API std::size_t link_index_count(const Grid& grid);

/// Numbers the links of a grid for use in tables, in [0, link_index_count()).
CUBEFOLD_API std::size_t link_index(const Grid& grid, const Link& link);

/// Whether the grid has that link: none leads over an open end, nor round an axis of extent 2.
CUBEFOLD_API bool has_link(const Grid& grid, const Link& link);

/// Every directed link of the grid once, in the order of link_index(). O(nodes * axes).
CUBEFOLD_API std::vector<Link> links_of(const Grid& grid);

/// Which way round an even ring a message takes when both are equally short: always up (`positive`), or up
/// from even coordinates and down from odd ones (`balanced`).
enum class Tie : std::uint8_t { positive, balanced };

/// `positive`, `balanced`.
CUBEFOLD_API std::string_view to_string(Tie tie);

/// Inverse of to_string(). Throws std::invalid_argument that quotes the text and lists the names.
CUBEFOLD_API Tie parse_tie(std::string_view text);

/// The signed steps that a message makes along one axis, shorter way round; positive is up. O(1).
CUBEFOLD_API std::int64_t axis_steps(const Grid& grid, int axis, GridNode from, GridNode to, Tie tie);

/// Length of the shortest route: sum over axes. O(axes).
CUBEFOLD_API std::uint32_t distance_hops(const Grid& grid, GridNode from, GridNode to);

/// The node at the link's other end. Requires that the link exists.
CUBEFOLD_API GridNode end_of(const Grid& grid, const Link& link);

/// Dimension-order route: axis 0 first, the shorter way round a wrapped axis (on a hypercube: e-cube).
/// O(hops).
CUBEFOLD_API std::vector<Link> route(const Grid& grid, GridNode from, GridNode to, Tie tie);

/// The first link of the route, or nothing for a message that has arrived. Followed from node to node it is the route:
/// past a tie, the way begun is the shorter one. O(axes).
CUBEFOLD_API std::optional<Link> next_link(const Grid& grid, GridNode here, GridNode to, Tie tie);

/// The last link of the route, or nothing for a message that has arrived. O(axes).
CUBEFOLD_API std::optional<Link> last_link(const Grid& grid, GridNode from, GridNode to, Tie tie);

/// The nodes that the route enters, the last one included: hops of them.
CUBEFOLD_API std::vector<GridNode> nodes_on_route(const Grid& grid, GridNode from, GridNode to, Tie tie);

}  // namespace cubefold
