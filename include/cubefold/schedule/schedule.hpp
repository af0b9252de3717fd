#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"

namespace cubefold {

/// Identifies the data that one rank has for another. In a collective whose data have numbers, {c, c} identifies chunk
/// c.
struct Block {
  Rank source;
  Rank destination;

  bool operator==(const Block&) const = default;
};

/// Describes a message from one rank to another in one step: its blocks, in this order. They replace what the receiver
/// has of them, or are reduced with it: the receiver's value is then the left operand, unless the message arrives left.
struct Message {
  Rank from;
  Rank to;
  std::vector<Block> blocks;
  bool reduces = false;
  bool arrives_left = false;  ///< for a message that reduces by an operation that does not commute

  bool operator==(const Message&) const = default;
};

/// Holds messages that travel at the same time.
using Step = std::vector<Message>;

/// Describes a collective as data: its steps, in order. No message of a step depends on another message of the same
/// step.
struct Schedule {
  std::size_t rank_count;
  std::vector<Step> steps;

  bool operator==(const Schedule&) const = default;
};

/// Returns one rank's part of a schedule: the same steps with only the messages that the rank sends or receives, in the
/// same order. A process needs only its part to run a schedule, and a builder can build the part without the rest.
/// Costs O(messages).
CUBEFOLD_API Schedule part_of(const Schedule& schedule, Rank rank);

}  // namespace cubefold
