#pragma once

#include <cstddef>

#include "planner/verification/faults.hpp"
#include "planner/verification/schedule_claims.hpp"

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

}  // namespace cubefold::planner
