#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "task.hpp"

namespace cubefold {

/// How the steps of a task were found.
enum class TaskMethod : std::uint8_t {
  closed_form,  ///< by formula: [Calmant] 3.2 and 4.2, repaired; axes by themselves where each link has its port
  search,       ///< by branch and bound over classes of nodes that do the same
  greedy,       ///< message by message, the longest first
};

/// `closed form`, `search`, `greedy`.
CUBEFOLD_API std::string_view to_string(TaskMethod method);

/// When each rank sends each message of a task, without conflicts: steps that first_conflict() accepts. A value, cheap
/// to copy.
///
/// | placement                                                              | steps                                |
/// |------------------------------------------------------------------------|--------------------------------------|
/// | standard on open axes, bits assigned cyclically                          | lower_bound(); see docs/calmant.md   |
/// | standard or xor on any axes, mixed and unequal ones, any order of bits | lower_bound() mostly, by search      |
/// | the same, all ports                                                    | lower_bound() of consecutive bits    |
/// | any other                                                              | greedy, not seldom above lower_bound() |
///
/// Nodes whose coordinates agree modulo small powers of two take the same steps, and so nothing is kept per node,
/// except by `greedy`: 4 bytes for each of all ranks' messages.
class CUBEFOLD_API TaskSchedule {
 public:
  /// Throws std::invalid_argument unless 0 <= task.first, 0 <= task.count and both together at most d, and for a number
  /// of ranks that is no power of two. O(task.count * sum of extents) for formulas; a search ends after a fixed number
  /// of branches, some 100 ms at the most.
  TaskSchedule(const Placement& placement, Task task, Ports ports, Tie tie);

  const Task& task() const;
  TaskMethod method() const;
  std::size_t step_count() const;

  /// task_bound() of the placement: no schedule has fewer steps.
  std::size_t lower_bound() const;

  /// The step in which the rank sends to its neighbour in that dimension, in [0, step_count()). Requires a rank of the
  /// placement and a dimension of the task. O(axes).
  std::size_t step_of(Rank rank, int dimension) const;

  /// For each step the dimensions in which any rank sends then, bit k for dimension k. O(task.count * steps), of
  /// `search` also the classes of nodes, of `greedy` all messages.
  std::vector<std::uint32_t> dimensions_by_step() const;

 private:
  struct Steps;
  std::shared_ptr<const Steps> steps_;
};

/// The task as a schedule of messages that carry one block each, from sender to receiver: what the checkers read.
CUBEFOLD_API Schedule messages_of(const TaskSchedule& schedule, const Placement& placement);

}  // namespace cubefold
