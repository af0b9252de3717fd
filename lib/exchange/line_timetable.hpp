#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Describes the blocks of one source that a node of a line sends on: those for these coordinates, in ascending order.
struct LineLoad {
  std::uint32_t source;
  std::vector<std::uint32_t> destinations;
};

/// Says in which steps the blocks on a line of nodes move. All blocks that a source sends to one side start in the same
/// step. They make one hop in that step and in every following one, and each node on the way keeps the blocks that are
/// for it.
class LineTimetable {
 public:
  LineTimetable(const Grid& grid, int axis, Ports ports, Tie tie);

  std::size_t step_count() const { return step_count_; }

  /// Returns what the node at a coordinate sends to one side in a step, by ascending source. Costs O(destinations).
  std::vector<LineLoad> loads(std::size_t step, std::uint32_t coordinate, Direction direction) const;

  /// Returns the largest number of (source, destination) pairs that a node sends to one side in a step. Costs O(1).
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
