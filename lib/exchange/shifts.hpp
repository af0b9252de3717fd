#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/schedule/step_sync.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "cubefold/topology/route.hpp"
#include "exchange_parts.hpp"

namespace cubefold {

/// Returns the rank `offset` above another, mod rank_count. Requires offset <= rank_count.
inline Rank rank_above(Rank rank, std::size_t offset, std::size_t rank_count) {
  return static_cast<Rank>((label(rank) + offset) % rank_count);
}

/// Returns the rank `offset` below another, mod rank_count. Requires offset <= rank_count.
inline Rank rank_below(Rank rank, std::size_t offset, std::size_t rank_count) {
  return rank_above(rank, rank_count - offset, rank_count);
}

/// Adds the messages of a step in which every rank sends message_from(rank) to the rank `offset` above it.
template <typename MessageFrom>
void add_shift(PartBuilder& part, std::size_t step, std::size_t offset, std::size_t rank_count,
               const MessageFrom& message_from) {
  part.send(step, message_from);
  part.receive(step, rank_below(part.rank(), offset, rank_count), message_from);
}

/// Describes one message from every rank to the rank `offset` above it, mod the number of ranks.
struct Shift {
  std::size_t offset;
  std::uint64_t blocks;
};

/// Computes the cost of steps that consist of shifts.
class ShiftSteps {
 public:
  /// Keeps a reference to the placement. Costs O(p).
  ShiftSteps(const Placement& placement, Ports ports, Tie tie);

  /// Returns the cost of the step in which every rank sends these shifts. Costs O(axes) for a single shift if rank n
  /// runs on node n for every n, and O(shifts * p * axes) otherwise. Requires offsets from 1 to p - 1.
  StepGroup step(const std::vector<Shift>& shifts) const;

 private:
  RatedLoad longest_load(const std::vector<Shift>& shifts) const;

  const Placement& placement_;
  Ports ports_;
  Tie tie_;
  bool ranks_are_nodes_;
};

}  // namespace cubefold
