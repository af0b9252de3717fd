#pragma once

#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Returns a complete exchange that needs no builder to be right. In step s = 0 .. 2^d - 2 every rank r swaps one block
/// with rank r xor (s + 1).
inline Schedule pairwise_exchange(int dimension_count) {
  const std::uint32_t rank_count = 1U << dimension_count;
  Schedule schedule{rank_count, {}};
  for (std::uint32_t difference = 1; difference < rank_count; ++difference) {
    Step& step = schedule.steps.emplace_back();
    for (std::uint32_t r = 0; r < rank_count; ++r)
      step.push_back({Rank{r}, Rank{r ^ difference}, {{Rank{r}, Rank{r ^ difference}}}});
  }
  return schedule;
}

}  // namespace cubefold
