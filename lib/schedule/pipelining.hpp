#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "task.hpp"

/// These functions compute what a pipelined CC-cube algorithm costs. Each of its d stages sends its message in Q
/// packets, and packet p of stage i travels in iteration p + i, so that an iteration is a task. Source: [Calmant] 2.4,
/// 3.3 and 4.3.
namespace cubefold {

/// Describes a task that is done `times` times in a row.
struct RepeatedTask {
  Task task;
  std::uint64_t times;

  bool operator==(const RepeatedTask&) const = default;
};

/// Returns the d + Q - 1 iterations in order, or none for d = 0. Iteration t exchanges in the dimensions from max(0, t
/// - Q + 1) to min(d - 1, t). Prologue and epilogue have min(d, Q) - 1 iterations each. Between them lie d - Q + 1
/// different iterations (shallow, Q < d), or all dimensions Q - d + 1 times (deep). Throws std::invalid_argument unless
/// 0 <= dimension_count and 1 <= packet_count. Costs O(d).
CUBEFOLD_API std::vector<RepeatedTask> pipeline_tasks(int dimension_count, std::uint64_t packet_count);

/// Holds the number of steps of every task of a hypercube.
class CUBEFOLD_API TaskStepCounts {
 public:
  /// Counts the steps that TaskSchedule takes for every task. Builds d (d + 1) / 2 of these schedules.
  TaskStepCounts(const Placement& placement, Ports ports, Tie tie);

  /// Returns task_bound() of every task on a one-port mesh with cyclic bit assignment, which is LB of [Calmant].
  /// TaskSchedule reaches it up to d = 12 and 4 axes. Throws std::invalid_argument for dimension_count < 0 or > 62, and
  /// for axis_count < 1. Costs O(d^2).
  static TaskStepCounts bounds_on_mesh(int dimension_count, int axis_count);

  int dimension_count() const { return dimension_count_; }

  /// Returns the number of steps of a task. Requires a task within the dimensions.
  std::uint64_t of(Task task) const;

  /// Returns the number of steps of all iterations of pipeline_tasks(). Costs O(d).
  std::uint64_t of_pipeline(std::uint64_t packet_count) const;

 private:
  explicit TaskStepCounts(int dimension_count);
  std::uint64_t& at(Task task);

  int dimension_count_;
  std::vector<std::uint64_t> counts_;
};

/// Describes the message that one rank sends in one stage. It consists of units that are not cut.
struct PipelinedMessage {
  std::uint64_t unit_count;
  std::uint64_t unit_bytes;
};

/// Holds the costs of a pipeline: a step that carries L bytes takes alpha + L tau, and a barrier ends every iteration.
struct PipelineCosts {
  double alpha_seconds;
  double tau_seconds_per_byte;
  double barrier_seconds;
};

/// Returns steps * (alpha + L tau) + (d + Q - 1) barriers, where L is the size of the largest of Q packets that are as
/// equal as units allow. Throws std::invalid_argument for packet_count = 0. Costs O(d). Source: [Calmant] 3.3, 4.3.
CUBEFOLD_API double pipeline_seconds(const TaskStepCounts& counts, PipelinedMessage message,
                                     const PipelineCosts& costs, std::uint64_t packet_count);

/// Returns the packet counts among which the best one is looked for, in ascending order: 1 for an empty message or d =
/// 0, and else all counts below d and, from there on, the smallest count for each size of the largest packet. From d
/// on, steps only grow with the packet count. Costs O(d + sqrt(unit_count)).
CUBEFOLD_API std::vector<std::uint64_t> packet_counts(int dimension_count, std::uint64_t unit_count);

struct PacketChoice {
  std::uint64_t packet_count;
  double seconds;
};

/// Returns the packet count of 1 .. unit_count with the least pipeline_seconds(), the smallest of equal ones, or 1 for
/// an empty message. It is one of packet_counts(). Costs O(d^2 + d sqrt(unit_count)).
CUBEFOLD_API PacketChoice best_packet_count(const TaskStepCounts& counts, PipelinedMessage message,
                                            const PipelineCosts& costs);

}  // namespace cubefold
