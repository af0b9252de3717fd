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

/// Describes the steps of some of a task's groups, which begin after those of the segments before it.
struct ScheduleSegment {
  std::uint32_t begin;
  std::variant<SlotFormula, SlotTable> steps;
};

struct ScheduleSegments {
  std::vector<ScheduleSegment> segments;
  TaskMethod method;
};

/// Returns the first step after all segments.
std::uint32_t end_of(const std::vector<ScheduleSegment>& segments);

/// Returns segments for all groups. With one port, each round follows its formula ([Calmant] 4.2), or the last rounds
/// share a table if that takes fewer steps; the search ends when `bound` steps are reached. With all ports, one table
/// schedules each axis alone.
ScheduleSegments find_segments(const std::vector<std::vector<DimensionGroup>>& groups_by_axis, Ports ports,
                               std::uint32_t bound);

/// Holds the steps of a task's messages under any placement, ordered by rank and within a rank by dimension.
struct GreedySteps {
  std::vector<std::uint32_t> step_of_message;
  std::uint32_t step_count;
};

/// Puts the messages, from the longest to the shortest, each in the first step in which its ports and links are free.
/// Then does the same again with the messages of the last step first, until task_bound() or a limit of rounds is
/// reached, and searches for one step fewer each time until a limit of work is reached: by ItemPlacing, and then, for
/// up to 384 messages, by colouring the graph of the messages that share a link or a port. Costs O(rounds * messages *
/// steps * hops), and some 5 ms for the search, or up to 0.3 s if colours are searched for and not found.
GreedySteps greedy_steps(const Placement& placement, Task task, Ports ports, Tie tie);

}  // namespace cubefold
