#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Describes a directed link between two vertices of a network that is not a mesh or torus. In the time in which a link
/// of rate 1 carries one message, a link of rate r carries r messages of the same length.
struct TableLink {
  std::uint32_t from;
  std::uint32_t to;
  double rate = 1;

  bool operator==(const TableLink&) const = default;
};

/// Holds the links of a network, and for every two nodes the first link of the route from one to the other. The
/// destination alone decides where a message goes next, as in a switch with a forwarding table, so the routes to a node
/// form a tree.
///
/// The vertices of the network are nodes and switches. Nodes send, receive and pass messages on, and switches only pass
/// them on. The nodes have the numbers below node_count(), and the switches have those that follow.
class CUBEFOLD_API RouteTable {
 public:
  static constexpr std::size_t most_nodes = 1024;
  static constexpr double most_rate = 64;

  /// Takes the links in ascending order of (from, to). next[here * node_count + to] is the number of the link by which
  /// a message to the node `to` leaves the vertex `here`. The entries with here = to are not read, and those of a
  /// switch only where a route passes it. Costs O(vertices * nodes) time and memory. Throws std::invalid_argument for
  /// more than most_nodes vertices; for links that are not in this order, that lead from a vertex to itself or to one
  /// that does not exist, or whose rate is not in 1 .. most_rate; and for routes that never arrive.
  RouteTable(std::size_t node_count, std::vector<TableLink> links, std::vector<std::uint32_t> next,
             std::size_t switch_count = 0);

  std::size_t node_count() const { return node_count_; }
  std::size_t switch_count() const { return vertex_count() - node_count_; }
  std::size_t vertex_count() const { return first_link_.size() - 1; }
  const std::vector<TableLink>& links() const { return links_; }

  /// Returns the number of the first link that leaves a vertex. The links of a vertex have successive numbers, so those
  /// of `vertex` end before first_link(vertex + 1).
  std::size_t first_link(std::size_t vertex) const { return first_link_[vertex]; }

  /// Returns the number of the link by which a message to another node leaves a vertex. At a switch that no route to
  /// this node passes, it may be any number.
  std::size_t next_link(std::size_t here, std::size_t to) const { return next_[here * node_count_ + to]; }

  /// Returns whether that number is a link that leaves the vertex. It always is at a node.
  bool has_next_link(std::size_t here, std::size_t to) const {
    const std::size_t link = next_link(here, to);
    return link >= first_link(here) && link < first_link(here + 1);
  }

  /// Returns a number that almost surely differs between networks whose nodes, links, rates or routes differ: the
  /// 64-bit FNV-1a hash of them all. Costs O(vertices * nodes).
  std::uint64_t digest() const;

  bool operator==(const RouteTable&) const = default;

 private:
  void require_order() const;
  void require_arrival(std::size_t to) const;

  std::size_t node_count_;
  std::vector<TableLink> links_;
  std::vector<std::size_t> first_link_;
  std::vector<std::uint32_t> next_;
};

}  // namespace cubefold
