#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Holds the load of a link and its rate.
struct RatedLoad {
  std::uint64_t messages = 0;
  double rate = 1;

  /// Returns the messages that a link of rate 1 carries in the same time.
  double time() const { return static_cast<double>(messages) / rate; }
};

/// Counts the messages on every directed link of a grid. Messages follow route() under one tie rule.
///
/// The counts are kept as differences between a link and the one before it on its axis, so a message changes at most
/// three of them per axis, however far it goes. Memory: 2 * axes counters per node. On a grid with a route table, the
/// counts are kept themselves.
class CUBEFOLD_API LinkLoads {
 public:
  LinkLoads(Grid grid, Tie tie);

  /// Adds the route of `messages` messages, or of one message of that many blocks. Costs O(axes), or O(hops) with a
  /// route table.
  void add(GridNode from, GridNode to, std::uint64_t messages = 1);

  /// Returns the load of a link. Requires that the link exists. Costs O(extent of its axis).
  std::uint64_t on(const Link& link) const;

  /// Returns the load of every link, in the order of link_index(). Costs O(links).
  std::vector<std::uint64_t> by_link_index() const;

  /// Returns the load that takes the longest time, or no messages if the grid has no links. Costs O(links).
  RatedLoad longest() const;

  /// Returns longest().time(), rounded up: the largest load of any link where all rates are 1. Costs O(links).
  std::uint64_t busiest() const;

  /// Returns the sum over all messages of the hops that each one takes. Costs O(links).
  std::uint64_t total_hops() const;

 private:
  Grid grid_;
  Tie tie_;
  std::vector<std::uint64_t> differences_;  ///< with a route table: the loads, by link_index()
};

}  // namespace cubefold
