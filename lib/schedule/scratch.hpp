#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Holds the largest number of foreign blocks that one rank holds in a complete exchange. A foreign block has another
/// source and another destination. The rank's own blocks, sent or received, have their places in the user's buffers;
/// foreign blocks need scratch.
struct ScratchPeak {
  std::size_t between_steps;  ///< largest number after any step

  /// Holds the largest number in any step, counting the blocks that the rank held before it and those that arrive in
  /// it. A process needs this many slots if it receives before its sends have left. It is at least between_steps.
  std::size_t within_steps;

  bool operator==(const ScratchPeak&) const = default;
};

/// Returns the peak of every rank, in rank order. Requires a schedule in which first_delivery_fault() finds nothing.
/// Costs O(blocks moved + ranks).
CUBEFOLD_API std::vector<ScratchPeak> peak_scratch_blocks(const Schedule& schedule);

/// Returns the peak of one rank, from its part or from the whole schedule. Requires a schedule in which
/// first_delivery_fault() finds nothing. Costs O(blocks of the part).
CUBEFOLD_API ScratchPeak peak_scratch_blocks(const Schedule& part, Rank rank);

}  // namespace cubefold
