#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/schedule/step_group.hpp"

namespace cubefold {

/// Holds the cost of a schedule, computed without building the schedule: for each step the blocks on the busiest link
/// or port, and the start-ups. simulate_steps() counts the same numbers in the schedule under the same ports and tie
/// rule.
struct ExchangeCost {
  std::vector<StepGroup> groups;
  double sent_blocks = 0;  ///< blocks that a rank sends, on average

  /// Appends steps. The last group takes them in if they have the same blocks and start-ups, and if either both groups
  /// are Waits::each, or the new one is Waits::none and the last one is not Waits::each.
  CUBEFOLD_API void add(const StepGroup& group);

  CUBEFOLD_API std::size_t step_count() const;

  /// Returns the start-ups of all steps together.
  CUBEFOLD_API std::uint64_t startup_count() const;

  /// Returns the blocks on the busiest link or port, summed over the steps.
  CUBEFOLD_API std::uint64_t block_times() const;

  bool operator==(const ExchangeCost&) const = default;
};

}  // namespace cubefold
