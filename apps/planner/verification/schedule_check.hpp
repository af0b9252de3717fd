#pragma once

#include <cstddef>
#include <string>

#include "planner/verification/network.hpp"
#include "planner/verification/schedule_claims.hpp"
#include "planner/verification/values.hpp"

namespace cubefold::planner {

/// The results of replaying a schedule file.
struct ScheduleFindings {
  Faults faults;  ///< errors with their places in the file; empty if all claims are right
  std::size_t message_count = 0;
  std::size_t conflict_count = 0;       ///< messages whose port or link an earlier message of their step uses
  std::string first_conflict;           ///< the first of them with its place; empty if there are none
  std::size_t block_times = 0;          ///< sum over all steps of the blocks of the largest message
  std::size_t busiest_link_blocks = 0;  ///< blocks over the busiest directed link in all steps
};

/// Replays the schedule between nodes, message by message and hop by hop, with the code of this folder. Checks that it
/// performs its collective, that no port and no link has two messages in a step unless the file says that it has
/// conflicts, and that its bound is the proven one. Also checks that the rule of its placement fits the grid. Only this
/// last check uses Placement, which programs also use. Reports at most one error for each message. Costs O(blocks +
/// hops), and 8 bytes for each of the nodes^2 blocks, or O(chunks nodes + hops) and the memory of ChunkValues. On which
/// side of a reduction a chunk arrives is not checked.
ScheduleFindings findings_of(const ScheduleClaims& claims);

/// Returns a lower bound of the block-times of every complete exchange. It is the larger of two bounds:
///
/// - cuts: all blocks from the nodes at one end of an axis, or on an arc of a ring, to the other nodes use the links
///   between them.
/// - ports: a node with one port sends one block to every other node, one after the other. With all ports, a node sends
///   these blocks over all its links, and the node with the fewest links takes longest.
double proven_block_times(const Network& network, bool is_one_port);

/// Returns a lower bound of the chunk-times of every schedule of the claims' collective, twice as large for an
/// allreduce as for the others, which need the larger of two bounds:
///
/// - ports: a node sends or receives the share of all other nodes in the chunks, over one port or all its links.
/// - cuts: the nodes at one end of an axis do so together over the links to the other nodes, unless there is a route
///   table.
double proven_chunk_times(const Network& network, const ScheduleClaims& claims);

/// Returns a lower bound of the start-ups of every complete exchange, and of the other collectives: the least number of
/// consecutive messages after which the data of one node can have reached all nodes. In the time of one message, a node
/// with one port sends the data to one other node. With all ports it sends the data to as many nodes as the node with
/// the most links has links.
std::size_t proven_startups(const Network& network, bool is_one_port);

}  // namespace cubefold::planner
