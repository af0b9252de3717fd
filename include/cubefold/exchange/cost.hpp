#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/schedule/step_group.hpp"

namespace cubefold {

/// The cost of a schedule, which is computed without making the schedule: for each step the blocks on the busiest link
/// or port, and the start-ups. simulate_steps() counts the same numbers in the schedule, under the same ports and tie
/// rule.
struct ExchangeCost {
  std::vector<StepGroup> groups;
  double sent_blocks = 0;  ///< by a rank, on average

  /// Adds steps behind all others; the last group takes them if they cost the same and do not wait for it.
  CUBEFOLD_API void add(const StepGroup& group);

  CUBEFOLD_API std::size_t step_count() const;

  /// Of all steps together.
  CUBEFOLD_API std::uint64_t startup_count() const;

  /// Blocks on the busiest link or port, summed over the steps.
  CUBEFOLD_API std::uint64_t block_times() const;

  bool operator==(const ExchangeCost&) const = default;
};

}  // namespace cubefold
