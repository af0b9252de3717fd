#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"

namespace cubefold {

/// The data that one rank has for another.
struct Block {
  Rank source;
  Rank destination;

  bool operator==(const Block&) const = default;
};

/// What one rank sends another in one step: blocks, in this order.
struct Message {
  Rank from;
  Rank to;
  std::vector<Block> blocks;

  bool operator==(const Message&) const = default;
};

/// Messages that travel at the same time.
using Step = std::vector<Message>;

/// An exchange as data: steps in order, no message of a step depending on another of the same step.
struct Schedule {
  std::size_t rank_count;
  std::vector<Step> steps;

  bool operator==(const Schedule&) const = default;
};

/// One rank's part: the same steps with only the messages that it sends or receives, in the same order. A
/// process needs no more than its part to run a schedule, and builders can make it without the rest.
/// O(messages).
CUBEFOLD_API Schedule part_of(const Schedule& schedule, Rank rank);

/// One step in which rank r sends one block straight to rank destinations[r], for every r that is not its own
/// destination. Throws std::invalid_argument for a destination that is no rank.
CUBEFOLD_API Schedule direct_step(std::span<const Rank> destinations);

}  // namespace cubefold
