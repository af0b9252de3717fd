#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// The most foreign blocks, those of another source for another destination, that one rank holds in a complete
/// exchange. Its own, sent or received, have their places in the user's buffers; the foreign ones need scratch.
struct ScratchPeak {
  std::size_t between_steps;  ///< most after any step

  /// Most in any step, counting those that the rank held before it and those that arrive in it: what a process needs
  /// that receives before its sends have left. At least between_steps.
  std::size_t within_steps;

  bool operator==(const ScratchPeak&) const = default;
};

/// The peak of every rank, in rank order. Requires a schedule in which first_delivery_fault() finds nothing.
/// O(blocks moved + ranks).
CUBEFOLD_API std::vector<ScratchPeak> peak_scratch_blocks(const Schedule& schedule);

/// The peak of one rank, from its part or from the whole. Requires that the part is of such a schedule. O(blocks of the
/// part).
CUBEFOLD_API ScratchPeak peak_scratch_blocks(const Schedule& part, Rank rank);

}  // namespace cubefold
