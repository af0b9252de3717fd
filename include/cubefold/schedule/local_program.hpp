#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Number of a block's place in one of a process's memory areas, counted in blocks.
using Slot = std::uint32_t;

/// The three areas that blocks lie in: the send buffer (slot = destination; it is never written to), the receive buffer
/// (slot = source; each slot is written to once), and scratch memory for blocks that are under way to other processes.
enum class Area : std::uint8_t { send, receive, scratch };

/// Consecutive slots.
struct Run {
  Area area;
  Slot first;
  Slot count;

  bool operator==(const Run&) const = default;
};

/// A message as one of its two ends sees it. Its blocks are those of runs[first_run .. first_run + run_count), in
/// order.
struct LocalMessage {
  std::uint32_t step;
  Rank peer;
  std::uint32_t block_count;
  std::uint32_t first_run;
  std::uint32_t run_count;

  /// How many messages of the other direction, from the first on, must be over before this one may begin: a send needs
  /// the blocks that they bring, a receive the scratch that they leave.
  std::uint32_t needs;

  bool operator==(const LocalMessage&) const = default;
};

/// One process's part of a complete exchange in terms of its memory. The block that it has for itself is not mentioned.
struct LocalProgram {
  std::size_t rank_count;
  std::size_t step_count;
  std::size_t scratch_slots;
  std::vector<LocalMessage> sends;     ///< in the order of their steps
  std::vector<LocalMessage> receives;  ///< in the order of their steps
  std::vector<Run> runs;

  bool operator==(const LocalProgram&) const = default;
};

/// Gives every block of a rank's part its places. Blocks for this rank arrive where they belong; others take free
/// scratch, as many consecutive slots a message as there are, and leave it with the step that sends them on. Both ends
/// of a message take its blocks in ascending order of source xor destination xor sender: within one message the order
/// is free, and with this one they lie in long runs. Throws std::invalid_argument if the part sends a block that is not
/// there, or the rank does not end with all its blocks. O(b log b) for the b blocks of the part.
CUBEFOLD_API LocalProgram local_program(const Schedule& part, Rank rank);

}  // namespace cubefold
