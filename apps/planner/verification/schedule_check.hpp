#pragma once

#include <cstddef>

#include "planner/verification/faults.hpp"
#include "planner/verification/schedule_claims.hpp"

namespace cubefold::planner {

/// What was found about a schedule file while it was replayed.
struct ScheduleFindings {
  Faults faults;  ///< with the places in the file; none if all of it is right
  std::size_t message_count = 0;
  std::size_t block_times = 0;          ///< sum over steps of the largest message's blocks
  std::size_t busiest_link_blocks = 0;  ///< blocks over one directed link in all steps
};

/// Replays the schedule by node, message by message and hop by hop, with code of this folder: that it is a complete
/// exchange, that no port and no link has two messages in a step, and that its bound is what is proven. Whether the
/// rule of its placement fits the grid is asked of the Placement that programs will use; nothing else depends on it. At
/// most one fault for each message. O(blocks + hops), and 8 bytes for each of the nodes^2 blocks.
ScheduleFindings findings_of(const ScheduleClaims& claims);

}  // namespace cubefold::planner
