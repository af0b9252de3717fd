#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "exchange_parts.hpp"
#include "moves.hpp"

namespace cubefold {

/// Describes a phase of an exchange between the nodes of a grid. A message of the phase carries only blocks that its
/// sender held before the phase began.
struct GridPhase {
  std::size_t step_count;
  std::function<Moves(GridNode)> moves_of;

  /// Describes the blocks of a message: those from any node that `sources` allows to any node that `destinations`
  /// allows, if `takes` accepts the pair. An empty `takes` accepts all pairs. The blocks are ordered by source, then by
  /// destination. `sources` and `destinations` hold the allowed coordinates of each axis, ascending.
  struct Load {
    std::vector<std::vector<std::uint32_t>> sources;
    std::vector<std::vector<std::uint32_t>> destinations;
    std::function<bool(GridNode source, GridNode destination)> takes;
  };
  std::function<Load(GridNode from, GridNode to)> load_of;
};

/// Returns the exchange of the phases, one after the other, for the ranks that the placement puts on the nodes. Keeps a
/// reference to the placement.
ExchangeParts parts_of(const Placement& placement, std::vector<GridPhase> phases);

}  // namespace cubefold
