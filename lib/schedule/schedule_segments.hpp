#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "dimension_groups.hpp"
#include "slot_table.hpp"
#include "task.hpp"
#include "task_schedule.hpp"

namespace cubefold {

/// Some of a task's groups, after those of the segments before it.
struct ScheduleSegment {
  std::uint32_t begin;
  std::variant<SlotFormula, SlotTable> steps;
};

struct ScheduleSegments {
  std::vector<ScheduleSegment> segments;
  TaskMethod method;
};

/// The first step after all segments.
std::uint32_t end_of(const std::vector<ScheduleSegment>& segments);

/// Segments for all groups. One-port: each round by its formula ([Calmant] 4.2), or the last of them by a table where
/// that takes fewer steps; it is content with `bound`.
ScheduleSegments find_segments(const std::vector<std::vector<DimensionGroup>>& groups_by_axis, Ports ports,
                               std::uint32_t bound);

/// Steps of a task's messages under any placement, rank by rank and within it dimension by dimension.
struct GreedySteps {
  std::vector<std::uint32_t> step_of_message;
  std::uint32_t step_count;
};

/// Messages from the longest to the shortest, each in the first step that has its ports and links free; then again, the
/// last step's messages first, for as long as steps fall away, up to a limit of rounds. O(rounds * messages * steps *
/// hops).
GreedySteps greedy_steps(const Placement& placement, Task task, Ports ports, Tie tie);

}  // namespace cubefold
