#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/route_table.hpp"

namespace cubefold {

/// Holds the index of a node in the machine, in [0, Grid::node_count()). Axis 0 varies fastest.
enum class GridNode : std::uint32_t {};

/// Says what lies beyond the last node of an axis: nothing (mesh) or the first node (torus).
enum class Ends : std::uint8_t { open, wrapped };

struct Axis {
  std::uint32_t extent;
  Ends ends;

  bool operator==(const Axis&) const = default;
};

struct WholeNetwork;

/// Describes a mesh, a torus or a mixed grid of nodes. The index of a node is the sum over the axes of coordinate *
/// product of the extents of the axes before it. A hypercube is the grid 2 x 2 x ... x 2. A grid without axes is a
/// single node.
///
/// The links and routes of these grids follow from their axes. A grid may have a RouteTable instead: a torus with cut
/// links, a twisted torus, a HyperX network, a network from a file, or any network without some of its nodes or with
/// hosts on them. Its axes then only number the nodes. Functions whose results follow from the axes refuse it.
class CUBEFOLD_API Grid {
 public:
  /// Throws std::invalid_argument for an extent of 0 and for more than 2^31 nodes.
  explicit Grid(std::vector<Axis> axes);
  Grid(const std::vector<std::uint32_t>& extents, Ends ends);

  /// Makes a grid with a table of links and routes. parse_grid() has to read the name as the same grid. Throws
  /// std::invalid_argument unless the table has as many nodes as the axes.
  Grid(std::vector<Axis> axes, RouteTable table, std::string name);

  /// Makes what without_nodes() or with_hosts() made of a network, with one axis.
  Grid(WholeNetwork whole, RouteTable table, std::string name);

  /// Returns the rule of the constructors that these axes break, or nothing if they keep all rules.
  static std::optional<std::string> problem_of(const std::vector<Axis>& axes);

  int axis_count() const { return static_cast<int>(axes_.size()); }
  const std::vector<Axis>& axes() const { return axes_; }
  std::uint32_t extent(int axis) const { return axes_[static_cast<std::size_t>(axis)].extent; }
  std::size_t node_count() const { return node_count_; }

  /// Returns the table of links and routes, or nullptr if they follow from the axes.
  const RouteTable* route_table() const { return table_.get(); }

  /// Returns the name of a grid with a route table. The name of any other grid is empty.
  const std::string& name() const { return name_; }

  /// Throws std::invalid_argument if the grid has a route table: its axes say nothing about links then.
  void require_links_by_axes() const;

  /// Returns whether the step from the last node of the axis to its first node is a link of its own. An axis of extent
  /// 2 has one link each way, wrapped or not, and an axis of extent 1 has no link, so both return false. Throws
  /// what require_links_by_axes() throws.
  bool has_wrap_link(int axis) const;

  /// Returns the difference in node index of two neighbours on the axis.
  std::size_t stride(int axis) const { return strides_[static_cast<std::size_t>(axis)]; }
  std::uint32_t coordinate(GridNode node, int axis) const {
    return static_cast<std::uint32_t>(static_cast<std::size_t>(node) / stride(axis)) % extent(axis);
  }
  std::vector<std::uint32_t> coordinates(GridNode node) const;

  /// Returns the node with these coordinates; this is the inverse of coordinates(). Throws std::invalid_argument unless
  /// there is one coordinate per axis and each one lies below the extent of its axis.
  GridNode node_at(std::span<const std::uint32_t> coordinates) const;

  bool operator==(const Grid& other) const;

 private:
  std::vector<Axis> axes_;
  std::vector<std::size_t> strides_;
  std::size_t node_count_ = 1;
  std::shared_ptr<const RouteTable> table_;
  std::string name_;
  std::shared_ptr<const WholeNetwork> whole_;

  friend CUBEFOLD_API WholeNetwork whole_network_of(const Grid& grid);
};

/// Reads `torus:8x8`, `mesh:4x4x4`, `ring:16`, `line:16`, `hypercube:6` or `grid:8wx4` (w: wrapped axis), axis 0 first.
/// `tofu:4x4x2w` are units of 2x3x2 nodes as Fujitsu's networks have them, `grid:4x4x2wx2x3wx2`.
/// Other networks get a RouteTable with routes that spread an all-to-all evenly, in up to two seconds for 1024 nodes:
///
///     torus:4x4,cut=0-1     any of these without the cable between nodes 0 and 1; several cuts may follow
///     torus:4x8~4           a twisted torus: whoever goes round axis 0 upwards arrives 4 further on axis 1
///     hyperx:12x8           every node is linked to all others that differ in one coordinate
///     file:network.json     a network from a file; docs/exchange.md has its format
///     torus:4x4,without=3-7 any network without nodes 3 and 7, as without_nodes() makes it; cuts come before it
///     ring:3,hosts=2        two hosts on every node of any network, as with_hosts() makes it; hosts=4-0-1 has one
///                           number for each node
///
/// Throws std::invalid_argument that quotes the text and names the rule it breaks.
CUBEFOLD_API Grid parse_grid(std::string_view text);

/// Returns the network whose nodes 3 and 7, say, are not ours: they only pass messages on, as switches of a RouteTable,
/// by the routes of the whole network with balanced ties. The nodes that are left keep their order and get successive
/// numbers. Returns the network itself if no node is missing. Throws std::invalid_argument for a node that does not
/// exist or is named twice, if no node is left, and for more than RouteTable::most_nodes nodes. Costs O(nodes^2).
CUBEFOLD_API Grid without_nodes(const Grid& network, std::vector<GridNode> missing);

/// Returns the network of hosts on the nodes of another network, as on the switches of an InfiniBand torus:
/// host_count[n] of them are on node n, which becomes a switch. The hosts are the nodes of the new network, numbered by
/// ascending nodes. A host has one link of rate 1 to its switch, and one back. Messages between switches take the
/// routes of the given network with balanced ties. Throws std::invalid_argument unless there is one number for each
/// node, if there are no hosts, and for more than RouteTable::most_nodes hosts and switches. Costs
/// O((hosts + nodes) * hosts).
CUBEFOLD_API Grid with_hosts(const Grid& network, std::span<const std::uint32_t> host_count);

/// The network that a grid was before without_nodes() took nodes away or with_hosts() put hosts there, with the node of
/// it at which each vertex of the grid is: first those of its nodes, then those of its switches.
struct WholeNetwork {
  Grid grid;
  std::vector<GridNode> node_of_vertex;
};

/// Returns the whole network of a grid that without_nodes() or with_hosts() has made, and the grid itself otherwise.
/// Switches that the whole network has already are left out. If it was made in several steps, this is the network
/// before the last one. Costs O(nodes).
CUBEFOLD_API WholeNetwork whole_network_of(const Grid& grid);

/// Returns whether with_hosts() has made this whole network into its grid. Costs O(1).
inline bool has_hosts(const WholeNetwork& whole) {
  return whole.node_of_vertex.size() > whole.grid.node_count();
}

/// Returns a text that parse_grid() reads back as the same grid: `hypercube` if it fits, else `line` or `ring`, else
/// `mesh` or `torus`, else `grid`.
CUBEFOLD_API std::string to_string(const Grid& grid);

}  // namespace cubefold
