#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "moves.hpp"

namespace cubefold {

/// A phase of an exchange between the nodes of a grid, all of whose messages carry what was there before it began.
struct GridPhase {
  std::size_t step_count;
  std::function<Moves(GridNode)> moves_of;

  /// What a message takes along: the blocks from any node that `sources` allows to any that `destinations` allows and
  /// `takes` accepts, in that order. Per axis the coordinates, ascending.
  struct Load {
    std::vector<std::vector<std::uint32_t>> sources;
    std::vector<std::vector<std::uint32_t>> destinations;
    std::function<bool(GridNode source, GridNode destination)> takes;
  };
  std::function<Load(GridNode from, GridNode to)> load_of;
};

/// The phases one after the other, in the ranks that the placement puts on the nodes.
Schedule schedule_of(const Placement& placement, const std::vector<GridPhase>& phases);

/// One rank's part of it, made without the rest.
Schedule part_of(const Placement& placement, const std::vector<GridPhase>& phases, Rank rank);

}  // namespace cubefold
