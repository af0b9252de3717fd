#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// What a node of a line sends on of one source: the blocks for these coordinates, in ascending order.
struct LineLoad {
  std::uint32_t source;
  std::vector<std::uint32_t> destinations;
};

/// When what leaves each source of a line of nodes for each side moves: it starts in one step and makes a hop in every
/// step from there on, dropping at each node what is for it.
class LineTimetable {
 public:
  LineTimetable(const Grid& grid, int axis, Ports ports, Tie tie);

  std::size_t step_count() const { return step_count_; }

  /// What the node at a coordinate sends to one side in a step, by ascending source. O(destinations).
  std::vector<LineLoad> loads(std::size_t step, std::uint32_t coordinate, Direction direction) const;

  /// The most pairs of source and destination in what any node sends to one side in a step. O(1).
  std::size_t largest_load(std::size_t step) const;

 private:
  template <typename Visit>
  void for_each_source(std::size_t step, std::uint32_t coordinate, Direction direction, Visit visit) const;
  std::size_t load_size(std::size_t step, std::uint32_t coordinate, Direction direction) const;
  bool is_odd_ring() const { return wrapped_ && extent_ % 2 == 1; }
  std::size_t start(std::uint32_t source, Direction direction) const;
  std::uint32_t reach(std::uint32_t source, Direction direction) const;
  std::uint32_t moved(std::uint32_t coordinate, Direction direction, std::uint32_t hops) const;
  LineLoad load(std::uint32_t source, Direction direction, std::uint32_t hops_made) const;

  std::uint32_t extent_;
  bool wrapped_;
  Ports ports_;
  Tie tie_;
  std::size_t step_count_ = 0;
};

}  // namespace cubefold
