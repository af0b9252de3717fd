#pragma once

#include <cstddef>

#include "planner/verification/network.hpp"
#include "planner/verification/schedule_claims.hpp"
#include "planner/verification/values.hpp"

namespace cubefold::planner {

/// The results of replaying a schedule file.
struct ScheduleFindings {
  Faults faults;  ///< have the places in the file; empty if all claims are right
  std::size_t message_count = 0;
  std::size_t block_times = 0;          ///< sum over steps of the largest message's blocks
  std::size_t busiest_link_blocks = 0;  ///< blocks over one directed link in all steps
};

/// Replays the schedule by node, message by message and hop by hop, with the code of this folder. Checks that it is a
/// complete exchange, that no port and no link has two messages in a step, and that its bound is the proven one. Only
/// whether the rule of its placement fits the grid comes from the Placement that programs use; nothing else depends on
/// it. Reports at most one error for each message. Costs O(blocks + hops), and 8 bytes for each of the nodes^2 blocks.
ScheduleFindings findings_of(const ScheduleClaims& claims);

/// Returns the block-times that every complete exchange takes for these reasons:
///
/// - cuts: all blocks from the nodes at one end of an axis, or on an arc of a ring, to the other nodes use the links
///   between them.
/// - ports: a node with one port sends one block to each other node and receives one from each, one after the other.
///   With all ports it uses all its links.
double proven_block_times(const Network& network, bool is_one_port);

/// Returns the consecutive messages that data of one node need at least to reach all nodes. A node that has the data
/// passes them to one other node at a time with one port, and over all its links otherwise.
std::size_t proven_startups(const Network& network, bool is_one_port);

}  // namespace cubefold::planner
