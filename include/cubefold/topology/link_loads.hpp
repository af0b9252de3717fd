#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Messages per directed link of a grid, all routed in dimension order under one tie rule.
///
/// Kept as differences between a link and the one before it on its axis: a message changes two of them per axis,
/// however far it goes. Memory: 2 * axes counters per node.
class CUBEFOLD_API LinkLoads {
 public:
  LinkLoads(Grid grid, Tie tie);

  /// Adds the route of so many messages, or of one message of so many blocks: O(axes).
  void add(GridNode from, GridNode to, std::uint64_t messages = 1);

  /// Requires that the link exists. O(extent of its axis).
  std::uint64_t on(const Link& link) const;

  /// The load of every link, in the order of link_index(). O(links).
  std::vector<std::uint64_t> by_link_index() const;

  /// The largest load of any link; 0 without links. O(links).
  std::uint64_t busiest() const;

  /// Messages times the hops each takes. O(links).
  std::uint64_t total_hops() const;

 private:
  Grid grid_;
  Tie tie_;
  std::vector<std::uint64_t> differences_;
};

}  // namespace cubefold
