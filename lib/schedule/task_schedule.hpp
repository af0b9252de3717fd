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

/// Says how the steps of a task were found.
enum class TaskMethod : std::uint8_t {
  closed_form,  ///< by formula ([Calmant] 3.2 and 4.2, repaired); with all ports each axis alone
  search,       ///< by branch and bound or tabu search over classes of nodes
  greedy,       ///< message by message, the longest first, and then by searches with fewer steps
};

/// Returns `closed form`, `search` or `greedy`.
CUBEFOLD_API std::string_view to_string(TaskMethod method);

/// Says in which step each rank sends each message of a task. The steps have no conflicts in the sense of
/// first_conflict(). The object is a value that is cheap to copy.
///
/// | placement                                                              | steps                                |
/// |------------------------------------------------------------------------|--------------------------------------|
/// | standard on open axes, bits assigned cyclically                        | lower_bound(); see docs/calmant.md   |
/// | standard or xor on any axes, mixed and unequal ones, any order of bits | lower_bound() mostly, by search      |
/// | standard or xor on any axes, all ports                                 | lower_bound() for consecutive bits   |
/// | any other                                                              | greedy, often above lower_bound()    |
///
/// Nodes whose coordinates agree modulo small powers of two take the same steps, so nothing is kept per node. Only
/// `greedy` keeps 4 bytes for each message of every rank.
class CUBEFOLD_API TaskSchedule {
 public:
  /// Throws std::invalid_argument unless 0 <= task.first, 0 <= task.count and both together are at most d, and for a
  /// number of ranks that is no power of two. Costs O(task.count * sum of extents) for formulas. A search ends after a
  /// fixed number of branches and moves. `greedy` goes through all messages of the task and searches for some 5 ms, or
  /// up to 0.3 s if there are at most 384 messages.
  TaskSchedule(const Placement& placement, Task task, Ports ports, Tie tie);

  const Task& task() const;
  TaskMethod method() const;
  std::size_t step_count() const;

  /// Returns task_bound() of the placement, a lower bound of the steps of every schedule.
  std::size_t lower_bound() const;

  /// Returns the step in which the rank sends to its neighbour in that dimension, in [0, step_count()). Requires a rank
  /// of the placement and a dimension of the task. Costs O(axes).
  std::size_t step_of(Rank rank, int dimension) const;

  /// Returns for each step the dimensions in which any rank sends, with bit k for dimension k. Costs O(task.count *
  /// steps), with `search` also O(classes of nodes), and with `greedy` O(messages).
  std::vector<std::uint32_t> dimensions_by_step() const;

 private:
  struct Steps;
  std::shared_ptr<const Steps> steps_;
};

/// Returns the task as a schedule of messages that carry one block each, from sender to receiver. The checkers read
/// this form.
CUBEFOLD_API Schedule messages_of(const TaskSchedule& schedule, const Placement& placement);

}  // namespace cubefold
