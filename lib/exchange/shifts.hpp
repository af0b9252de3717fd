#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/schedule/step_group.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Throws std::invalid_argument that names the function unless 1 <= rank_count <= 2^31.
void require_rank_count(const char* function, std::size_t rank_count);

/// Throws std::invalid_argument as require_rank_count() does, and for a radix of a Bruck exchange below 2 or, where
/// there are more than two ranks, above their number.
void require_radix(const char* function, std::size_t rank_count, std::uint32_t radix);

/// Throws std::invalid_argument that names the function unless the rank is below rank_count.
void require_rank(const char* function, Rank rank, std::size_t rank_count);

/// The rank `offset` above another, mod rank_count. Requires offset <= rank_count.
inline Rank rank_above(Rank rank, std::size_t offset, std::size_t rank_count) {
  return static_cast<Rank>((label(rank) + offset) % rank_count);
}

/// The rank `offset` below another, mod rank_count. Requires offset <= rank_count.
inline Rank rank_below(Rank rank, std::size_t offset, std::size_t rank_count) {
  return rank_above(rank, rank_count - offset, rank_count);
}

/// Puts messages that were made one end at a time in the order of those who send them.
inline void sort_by_sender(Step& step) {
  std::stable_sort(step.begin(), step.end(),
                   [](const Message& a, const Message& b) { return a.from < b.from; });
}

/// A message of every rank to the rank `offset` above it, mod their number.
struct Shift {
  std::size_t offset;
  std::uint64_t blocks;
};

/// Steps that consist of such messages.
class ShiftSteps {
 public:
  /// Keeps a reference to the placement. O(p).
  ShiftSteps(const Placement& placement, Ports ports, Tie tie);

  /// O(axes) for a single shift where rank n sits on node n, else O(shifts * p * axes). Requires offsets from 1 to p -
  /// 1.
  StepGroup step(const std::vector<Shift>& shifts) const;

 private:
  std::uint64_t busiest_link(const std::vector<Shift>& shifts) const;

  const Placement& placement_;
  Ports ports_;
  Tie tie_;
  bool ranks_are_nodes_;
};

}  // namespace cubefold
