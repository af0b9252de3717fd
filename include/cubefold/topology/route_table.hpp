#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Describes a directed link between two nodes of a network that is not a mesh or torus. In the time in which a link of
/// rate 1 carries one message, a link of rate r carries r messages of the same length.
struct TableLink {
  std::uint32_t from;
  std::uint32_t to;
  double rate = 1;

  bool operator==(const TableLink&) const = default;
};

/// Holds the links of a network, and for every two nodes the first link of the route from one to the other. The
/// destination alone decides where a message goes next, as in a switch with a forwarding table, so the routes to a node
/// form a tree.
class CUBEFOLD_API RouteTable {
 public:
  static constexpr std::size_t most_nodes = 1024;
  static constexpr double most_rate = 64;

  /// Takes the links in ascending order of (from, to). next[here * node_count + to] is the number of the link by which
  /// a message to `to` leaves `here`; the entries with here = to are not read. Costs O(node_count^2) time and memory.
  /// Throws std::invalid_argument for more than most_nodes nodes; for links that are not in this order, that lead from
  /// a node to itself or to a node that does not exist, or whose rate is not in 1 .. most_rate; and for routes that
  /// never arrive.
  RouteTable(std::size_t node_count, std::vector<TableLink> links, std::vector<std::uint32_t> next);

  std::size_t node_count() const { return first_link_.size() - 1; }
  const std::vector<TableLink>& links() const { return links_; }

  /// Returns the number of the first link that leaves a node. The links of a node have successive numbers, so those of
  /// `node` end before first_link(node + 1).
  std::size_t first_link(std::size_t node) const { return first_link_[node]; }

  /// Returns the number of the link by which a message to another node leaves a node.
  std::size_t next_link(std::size_t here, std::size_t to) const { return next_[here * node_count() + to]; }

  bool operator==(const RouteTable&) const = default;

 private:
  void require_order() const;
  void require_arrival(std::size_t to) const;

  std::vector<TableLink> links_;
  std::vector<std::size_t> first_link_;
  std::vector<std::uint32_t> next_;
};

}  // namespace cubefold
