#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "moves.hpp"

namespace cubefold {

/// A phase on a grid with a route table, in which every node sends one message to every other node by the route of the
/// table. In a step no two messages share a port of a node with one port, and a link of rate r carries at most r
/// messages, rounded down. The number of steps is at least least_steps().
///
/// The steps are found by place_in_few_steps(), which begins with a tenth more than the least number of steps, or with
/// twice as many more each time as long as it finds none. The search is the same on all processes. Costs
/// O(nodes^2 * hops * steps) at most: some 5 ms for 16 nodes and 50 ms for 100.
class CUBEFOLD_API RoutedPhase {
 public:
  RoutedPhase(const Grid& grid, Ports ports);

  /// Returns whether the search takes some seconds at most: all hops of all messages times the least number of steps
  /// are at most 3e8. Costs O(nodes^2).
  static bool is_quick(const Grid& grid);

  /// Returns the steps that the busiest link needs with these routes and, with one port, the messages of a node.
  static std::size_t least_steps(const Grid& grid, Ports ports);

  std::size_t step_count() const { return step_count_; }

  Moves moves_of(GridNode node) const;

 private:
  std::uint32_t step_of(std::size_t from, std::size_t to) const { return steps_[from * node_count_ + to]; }

  std::size_t node_count_;
  std::size_t step_count_ = 0;
  std::vector<std::uint32_t> steps_;  ///< by source and destination
};

}  // namespace cubefold
