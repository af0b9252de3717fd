#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "task.hpp"

/// What a pipelined CC-cube algorithm costs: each of its d stages sends its message in Q packets, packet p of stage i
/// in iteration p + i, so that an iteration is a task. After [Calmant] 2.4, 3.3 and 4.3.
namespace cubefold {

/// A task that is done `times` times in a row.
struct RepeatedTask {
  Task task;
  std::uint64_t times;

  bool operator==(const RepeatedTask&) const = default;
};

/// The d + Q - 1 iterations in order. Iteration t exchanges in the dimensions from max(0, t - Q + 1) to min(d - 1, t):
/// prologue and epilogue of min(d, Q) - 1 iterations each, between them d - Q + 1 different ones (shallow, Q < d) or
/// Q - d + 1 times all dimensions (deep). None for d = 0.
/// Throws std::invalid_argument unless 0 <= dimension_count and 1 <= packet_count. O(d).
CUBEFOLD_API std::vector<RepeatedTask> pipeline_tasks(int dimension_count, std::uint64_t packet_count);

/// Steps of every task of a hypercube.
class CUBEFOLD_API TaskStepCounts {
 public:
  /// What TaskSchedule takes. Makes d (d + 1) / 2 of them.
  TaskStepCounts(const Placement& placement, Ports ports, Tie tie);

  /// task_bound() on a one-port mesh with cyclic bit assignment, [Calmant]'s LB, which TaskSchedule reaches up to d =
  /// 12 and 4 axes. Throws std::invalid_argument for dimension_count < 0 or > 62, and axis_count < 1. O(d^2).
  static TaskStepCounts bounds_on_mesh(int dimension_count, int axis_count);

  int dimension_count() const { return dimension_count_; }

  /// Requires a task within the dimensions.
  std::uint64_t of(Task task) const;

  /// Of all iterations of pipeline_tasks(). O(d).
  std::uint64_t of_pipeline(std::uint64_t packet_count) const;

 private:
  explicit TaskStepCounts(int dimension_count);
  std::uint64_t& at(Task task);

  int dimension_count_;
  std::vector<std::uint64_t> counts_;
};

/// What one stage sends from one rank: units that are not cut.
struct PipelinedMessage {
  std::uint64_t unit_count;
  std::uint64_t unit_bytes;
};

/// Of a step that carries L bytes alpha + L tau; a barrier ends every iteration.
struct PipelineCosts {
  double alpha_seconds;
  double tau_seconds_per_byte;
  double barrier_seconds;
};

/// Steps * (alpha + L tau) + (d + Q - 1) barriers, L the largest of Q packets that are as equal as units allow.
/// Throws std::invalid_argument for packet_count = 0. O(d). Source: [Calmant] 3.3, 4.3.
CUBEFOLD_API double pipeline_seconds(const TaskStepCounts& counts, PipelinedMessage message,
                                     const PipelineCosts& costs, std::uint64_t packet_count);

/// Packet counts among which the best one is looked for: 1 for an empty message, and else all below d, and from there
/// on, where steps only grow with their number, the smallest for each size of the largest packet. Ascending. O(d +
/// sqrt(unit_count)).
CUBEFOLD_API std::vector<std::uint64_t> packet_counts(int dimension_count, std::uint64_t unit_count);

struct PacketChoice {
  std::uint64_t packet_count;
  double seconds;
};

/// The packet count of 1 .. unit_count, 1 for an empty message, with the least pipeline_seconds(), the smallest of
/// equal ones: that of packet_counts(). O(d^2 + d sqrt(unit_count)).
CUBEFOLD_API PacketChoice best_packet_count(const TaskStepCounts& counts, PipelinedMessage message,
                                            const PipelineCosts& costs);

}  // namespace cubefold
