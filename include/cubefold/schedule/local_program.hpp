#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Number of a block's place in a process's memory, counted in blocks.
using Slot = std::uint32_t;

/// A message as one of its two ends sees it: whom with, and from or into which slots, in order.
struct LocalMessage {
  Rank peer;
  std::vector<Slot> slots;

  /// The slots come in runs of this many consecutive ones, each of which can be copied at once.
  std::size_t run_length = 1;

  bool operator==(const LocalMessage&) const = default;
};

struct LocalStep {
  std::vector<LocalMessage> sends;
  std::vector<LocalMessage> receives;

  bool operator==(const LocalStep&) const = default;
};

/// A complete exchange in terms of one process's memory, in place: slot j holds the block for rank j before,
/// and the block from rank j after.
struct LocalProgram {
  std::size_t slot_count;
  std::vector<LocalStep> steps;

  bool operator==(const LocalProgram&) const = default;
};

/// Gives every block of a rank's part a slot. Both ends of a message take its blocks in ascending order of
/// source xor destination xor sender: within one message the order is free, and with this one the slots of the CC-cube
/// exchange ascend in long runs. The blocks that arrive in a step take the slots that the departing ones leave, in order.
/// Throws std::invalid_argument if the part cannot run in place: a step brings more or fewer blocks than it takes, sends
/// a block that is not there, or the blocks do not end in their slots. O(b log b) for the b blocks of the part.
CUBEFOLD_API LocalProgram local_program(const Schedule& part, Rank rank);

/// The largest number of blocks that one step sends and receives together, and that therefore must have room
/// outside the slots.
CUBEFOLD_API std::size_t blocks_in_flight(const LocalProgram& program);

}  // namespace cubefold
