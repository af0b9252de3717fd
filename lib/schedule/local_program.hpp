#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collective.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Holds the number of a block's place in one of a process's memory areas, counted in blocks.
using Slot = std::uint32_t;

/// Names one of the three memory areas that hold blocks: the send buffer (it is never written to), the receive buffer
/// (each slot is written to once), and scratch memory for blocks that are under way to other processes. In a complete
/// exchange the slot of the send buffer is the destination, and that of the receive buffer the source.
enum class Area : std::uint8_t { send, receive, scratch };

/// Describes consecutive slots of one area.
struct Run {
  Area area;
  Slot first;
  Slot count;

  bool operator==(const Run&) const = default;
};

/// Describes a message as one of its two ends sees it. Its blocks are in the slots of runs[first_run .. first_run +
/// run_count), in order. A receive that reduces has as many operands, in the runs that follow: each block is reduced
/// with its operand after it has arrived in its own slot. The operand is the left one, unless the message arrives left.
struct LocalMessage {
  std::uint32_t step;
  Rank peer;
  std::uint32_t block_count;
  std::uint32_t first_run;
  std::uint32_t run_count;

  /// Counts the messages of the other direction, from the first one on, that must be complete before this one may
  /// begin. A send needs the blocks that those messages bring. A receive needs the scratch slots that they free.
  std::uint32_t needs;

  std::uint32_t operand_run_count = 0;  ///< 0 unless the message is received and reduces

  /// Counts the receives, from the first one on, that must be complete before this one may begin, because they bring
  /// operands.
  std::uint32_t needs_receives = 0;

  /// If consecutive slots are consecutive in memory, a received message of several runs may arrive in block_count
  /// scratch slots from this one on. Blocks that belong elsewhere are then copied to their own slots.
  std::optional<Slot> arrives_in = {};

  bool arrives_left = false;  ///< Message::arrives_left of a receive that reduces

  bool operator==(const LocalMessage&) const = default;
};

/// Describes a block that a process copies from its send buffer to its receive buffer, because no message brings it.
struct OwnBlock {
  Slot send;
  Slot receive;

  bool operator==(const OwnBlock&) const = default;
};

/// Describes one process's part of a collective in terms of its memory.
struct LocalProgram {
  std::size_t rank_count;
  std::size_t step_count;
  std::size_t scratch_slots;
  std::vector<LocalMessage> sends;     ///< in the order of their steps
  std::vector<LocalMessage> receives;  ///< in the order of their steps
  std::vector<Run> runs;
  std::vector<OwnBlock> own;
  std::vector<std::uint32_t> scratch_chunks =
      {};  ///< number of the chunk of each slot; only ScratchSlots::of_one_chunk

  bool operator==(const LocalProgram&) const = default;
};

/// Says how long a slot of scratch belongs to a chunk.
enum class ScratchSlots : std::uint8_t {
  reused,        ///< until a step sends or replaces the chunk; all blocks have one size
  of_one_chunk,  ///< for the whole program, so that each slot is as long as its chunk; only numbered chunks
};

/// Returns a rank's part of a schedule with a slot for every block. What arrives last of a block that the rank wants is
/// in the receive buffer. Other blocks take free scratch slots, and free them with the step that last sends or replaces
/// them. So no message changes memory that another one of the step reads. A message with blocks to pass on takes
/// consecutive slots for all its blocks and arrives in them, so that only blocks that are home are copied. It takes
/// single slots if the rank would need more than 2 p of them otherwise. Both ends of a message have its blocks in
/// ascending order of destination, then of source: any order within a message is correct, and this one makes long runs.
/// With ScratchSlots::of_one_chunk every block that arrives in scratch takes the next slot, in order.
///
/// Throws std::invalid_argument if the part sends a block, or reduces with one, that is not there, if the rank does not
/// get what it wants, if it receives a block for no use, or if it does not send all blocks of a complete exchange.
/// Requires that DeliveryCheck finds no fault in the schedule. Costs O(b log b) for the b blocks of the part.
CUBEFOLD_API LocalProgram local_program(const Schedule& part, Rank rank, const Collective& collective,
                                        ScratchSlots scratch = ScratchSlots::reused);

/// Does this for a complete exchange.
CUBEFOLD_API LocalProgram local_program(const Schedule& part, Rank rank);

/// Returns the part with a message of its own for each block. Those of a step take turns: the first block of every
/// message comes before the second one of any. A process then copies no block that it passes on, since each is sent
/// from where it has arrived, and every receive has its final place. Requires that both ends of a message have its
/// blocks in one order, as in parts of exchange_part(). Costs O(b) for the b blocks of the part.
CUBEFOLD_API Schedule in_single_blocks(const Schedule& part);

}  // namespace cubefold
