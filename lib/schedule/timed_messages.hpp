#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// A message that has its links and ports for itself from `begin` until `begin + length`.
struct TimedMessage {
  Rank from;
  Rank to;
  std::chrono::nanoseconds begin;
  std::chrono::nanoseconds length;

  std::chrono::nanoseconds end() const { return begin + length; }
  bool operator==(const TimedMessage&) const = default;
};

/// The sizes of all blocks of a complete exchange in bytes: that from rank i to rank j is at i * p + j. A block from a
/// rank to itself does not travel.
using BlockSizes = std::span<const std::uint32_t>;

/// Returns when each block that is not empty travels, straight to its destination, if a message of L bytes takes
/// gap + L tau. No two messages use one link at the same time, nor one port with Ports::one. Routes are
/// dimension-ordered. Messages come in the order in which they begin, and those that begin together with the longest
/// first. Whenever links and ports become free, the longest of all messages that can begin does (list scheduling).
/// Costs O(m log m + w h) for m messages of h hops that have to wait w times altogether, and memory O(m h). All
/// processes that pass the same arguments get the same times.
CUBEFOLD_API std::vector<TimedMessage> schedule_by_size(const Placement& placement, Ports ports, Tie tie,
                                                        BlockSizes sizes, double gap_seconds,
                                                        double tau_seconds_per_byte);

/// One rank's part of timed messages, as steps of one message each: first the rank's messages in the order in which
/// they begin, then one message for each empty block that it sends or receives, so that the steps are a complete
/// exchange.
struct TimedPart {
  Schedule steps;
  std::vector<TimedMessage> messages;  ///< those of the first steps
};

/// Returns the part of a rank. Costs O(messages).
CUBEFOLD_API TimedPart part_of(std::span<const TimedMessage> messages, std::size_t rank_count, Rank rank);

}  // namespace cubefold
