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
  double copy_seconds = 0;        ///< time that the message takes the CPU at each end besides its start-up
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

/// Returns the program of a schedule that runs by data: a message waits for those that bring its blocks, and for
/// nothing else. With a window, the messages of a step wait also for all that the node receives in the step `window`
/// steps before; 0 is none. Costs O(blocks of all messages).
CUBEFOLD_API PacketProgram program_by_data(const Placement& placement, const Schedule& schedule,
                                           std::uint64_t block_bytes, std::size_t window = 0);

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
