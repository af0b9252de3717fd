#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Holds the number of a block's place in one of a process's memory areas, counted in blocks.
using Slot = std::uint32_t;

/// Names one of the three memory areas that hold blocks: the send buffer (slot = destination; it is never written to),
/// the receive buffer (slot = source; each slot is written to once), and scratch memory for blocks that are under way
/// to other processes.
enum class Area : std::uint8_t { send, receive, scratch };

/// Describes consecutive slots of one area.
struct Run {
  Area area;
  Slot first;
  Slot count;

  bool operator==(const Run&) const = default;
};

/// Describes a message as one of its two ends sees it. Its blocks are in the slots of runs[first_run .. first_run +
/// run_count), in order.
struct LocalMessage {
  std::uint32_t step;
  Rank peer;
  std::uint32_t block_count;
  std::uint32_t first_run;
  std::uint32_t run_count;

  /// Counts the messages of the other direction, from the first one on, that must be complete before this one may
  /// begin. A send needs the blocks that those messages bring. A receive needs the scratch slots that they free.
  std::uint32_t needs;

  bool operator==(const LocalMessage&) const = default;
};

/// Describes one process's part of a complete exchange in terms of its memory. The block that the process has for
/// itself is not mentioned.
struct LocalProgram {
  std::size_t rank_count;
  std::size_t step_count;
  std::size_t scratch_slots;
  std::vector<LocalMessage> sends;     ///< in the order of their steps
  std::vector<LocalMessage> receives;  ///< in the order of their steps
  std::vector<Run> runs;

  bool operator==(const LocalProgram&) const = default;
};

/// Returns a rank's part of a schedule with a slot for every block. Blocks for this rank arrive in the receive buffer.
/// Other blocks take free scratch slots, as many consecutive ones per message as there are, and free them with the step
/// that sends the blocks on. Both ends of a message take its blocks in ascending order of source xor destination xor
/// sender: any order within a message is correct, and this one makes long runs. Throws std::invalid_argument if the
/// part sends a block that is not there, or if the rank does not send or receive all blocks of a complete exchange.
/// Costs O(b log b) for the b blocks of the part.
CUBEFOLD_API LocalProgram local_program(const Schedule& part, Rank rank);

}  // namespace cubefold
