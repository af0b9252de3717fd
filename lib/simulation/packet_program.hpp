#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Describes a message that a node posts. Messages are numbered in the order of PacketProgram::messages.
struct ProgramMessage {
  GridNode from;
  GridNode to;
  std::uint64_t bytes;
  double not_before_seconds = 0;  ///< the sender's clock when it may post the message at the earliest
  double pack_seconds = 0;        ///< time that the sender's CPU takes to copy, before it posts the message
  double unpack_seconds = 0;      ///< the same for the receiver, before it completes the message
  std::uint32_t wait_count = 0;   ///< number of entries of PacketProgram::waits
};

/// Describes what all nodes send. A node posts its messages in their order among all messages, one after the other, and
/// each one when those that it waits for are over: a message that the node receives when its CPU has completed it, one
/// that it sends when the last packet has left. All receives are posted before the first message arrives.
struct PacketProgram {
  std::vector<ProgramMessage> messages;
  std::vector<std::uint32_t> waits;  ///< numbers of the messages waited for, those of message 0 first

  /// Appends a message that waits for these and returns its number.
  CUBEFOLD_API std::uint32_t add(const ProgramMessage& message,
                                 const std::vector<std::uint32_t>& waits_for = {});
};

/// Says how the processes run a schedule.
struct DataRun {
  /// The messages of a step wait also for all that the node receives up to the step `window` steps before; 0 is none.
  std::size_t window = 0;
  bool in_single_blocks = false;     ///< each block travels in a message of its own
  double copy_seconds_per_byte = 0;  ///< time that a CPU takes to pack or to unpack a byte
};

/// Returns the program of a complete exchange that runs by data, as an AlltoallRun runs it: a message waits for the
/// receives that LocalMessage::needs counts, and for nothing else. Blocks that are not consecutive in memory are
/// packed and unpacked. Throws std::invalid_argument for a schedule with another number of ranks than the placement
/// has, and what local_program() throws. Costs O(b log b) for the blocks b of all messages, and O(p messages).
CUBEFOLD_API PacketProgram program_by_data(const Placement& placement, const Schedule& schedule,
                                           std::uint64_t block_bytes, const DataRun& run = {});

/// Lists the all-to-alls of MPI libraries. Rank r sends
///
/// - linear: to r + 1, r + 2, ... modulo p, all messages at once (Open MPI, which goes down)
/// - scattered: to r + 1, r + 2, ..., at most 32 messages at a time (MPICH)
/// - pairwise: to r + k in step k, when it has sent and received the message of the step before (Open MPI, MPICH)
/// - bruck: to r + 2^k, half of the blocks at most, when it has sent and received the message of the step before
enum class MpiAlltoall : std::uint8_t { linear, scattered, pairwise, bruck };

/// Returns the program of an all-to-all of MPI. Ranks are on their nodes under the placement. Each byte of bruck's
/// messages is packed and unpacked, which takes the CPU copy_seconds_per_byte each. Costs O(p^2).
CUBEFOLD_API PacketProgram mpi_program(const std::vector<GridNode>& node_of_rank, MpiAlltoall algorithm,
                                       std::uint64_t block_bytes, double copy_seconds_per_byte = 0);

}  // namespace cubefold
