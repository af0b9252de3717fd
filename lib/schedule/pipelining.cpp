#include "pipelining.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "task_schedule.hpp"

namespace cubefold {

namespace {

void require_packets(const char* function, std::uint64_t packet_count) {
  if (packet_count == 0)
    throw std::invalid_argument(fmt::format("{}: packet count 0 is not positive", function));
}

std::uint64_t ceil_div(std::uint64_t dividend, std::uint64_t divisor) {
  return dividend / divisor + (dividend % divisor == 0 ? 0 : 1);
}

}  // namespace

std::vector<RepeatedTask> pipeline_tasks(int dimension_count, std::uint64_t packet_count) {
  require_packets("pipeline_tasks", packet_count);
  if (dimension_count < 0) {
    throw std::invalid_argument(
        fmt::format("pipeline_tasks: dimension count {} is negative", dimension_count));
  }
  const auto all = static_cast<std::uint64_t>(dimension_count);
  const int most = static_cast<int>(std::min(all, packet_count));
  const auto kernel_times = packet_count > all ? packet_count - all + 1 : 1;
  std::vector<RepeatedTask> tasks;
  for (int count = 1; count < most; ++count) tasks.push_back({{0, count}, 1});
  for (int first = 0; most > 0 && first + most <= dimension_count; ++first)
    tasks.push_back({{first, most}, kernel_times});
  for (int count = most - 1; count > 0; --count) tasks.push_back({{dimension_count - count, count}, 1});
  return tasks;
}

TaskStepCounts::TaskStepCounts(int dimension_count)
    : dimension_count_(dimension_count),
      counts_(static_cast<std::size_t>(dimension_count) * static_cast<std::size_t>(dimension_count)) {}

std::uint64_t& TaskStepCounts::at(Task task) {
  return counts_[static_cast<std::size_t>(task.first * dimension_count_ + task.count - 1)];
}

std::uint64_t TaskStepCounts::of(Task task) const {
  if (task.count == 0) return 0;
  return counts_[static_cast<std::size_t>(task.first * dimension_count_ + task.count - 1)];
}

TaskStepCounts::TaskStepCounts(const Placement& placement, Ports ports, Tie tie)
    : TaskStepCounts(cubefold::dimension_count(placement)) {
  for (int first = 0; first < dimension_count_; ++first) {
    for (int count = 1; first + count <= dimension_count_; ++count) {
      at({first, count}) = TaskSchedule(placement, {first, count}, ports, tie).step_count();
    }
  }
}

TaskStepCounts TaskStepCounts::bounds_on_mesh(int dimension_count, int axis_count) {
  if (dimension_count < 0 || dimension_count > 62) {
    throw std::invalid_argument(
        fmt::format("bounds_on_mesh: dimension count {} is not in 0 .. 62", dimension_count));
  }
  if (axis_count < 1) {
    throw std::invalid_argument(fmt::format("bounds_on_mesh: axis count {} is not positive", axis_count));
  }
  TaskStepCounts counts(dimension_count);
  for (int first = 0; first < dimension_count; ++first) {
    for (int count = 1; first + count <= dimension_count; ++count) {
      counts.at({first, count}) = task_bound({first, count}, axis_count);
    }
  }
  return counts;
}

std::uint64_t TaskStepCounts::of_pipeline(std::uint64_t packet_count) const {
  std::uint64_t steps = 0;
  for (const auto& [task, times] : pipeline_tasks(dimension_count_, packet_count)) steps += of(task) * times;
  return steps;
}

namespace {

double seconds_of(std::uint64_t steps, std::uint64_t iterations, std::uint64_t packet_bytes,
                  const PipelineCosts& costs) {
  const double step_seconds =
      costs.alpha_seconds + static_cast<double>(packet_bytes) * costs.tau_seconds_per_byte;
  return static_cast<double>(steps) * step_seconds + static_cast<double>(iterations) * costs.barrier_seconds;
}

std::uint64_t iteration_count(const TaskStepCounts& counts, std::uint64_t packet_count) {
  const auto d = static_cast<std::uint64_t>(counts.dimension_count());
  return d == 0 ? 0 : d + packet_count - 1;
}

}  // namespace

double pipeline_seconds(const TaskStepCounts& counts, PipelinedMessage message, const PipelineCosts& costs,
                        std::uint64_t packet_count) {
  require_packets("pipeline_seconds", packet_count);
  const auto packet_bytes = ceil_div(message.unit_count, packet_count) * message.unit_bytes;
  return seconds_of(counts.of_pipeline(packet_count), iteration_count(counts, packet_count), packet_bytes,
                    costs);
}

std::vector<std::uint64_t> packet_counts(int dimension_count, std::uint64_t unit_count) {
  const auto d = static_cast<std::uint64_t>(dimension_count);
  std::vector<std::uint64_t> counts{1};
  for (std::uint64_t q = 2; d > 0 && q <= unit_count;) {
    counts.push_back(q);
    const auto units = ceil_div(unit_count, q);
    if (units == 1) break;
    q = q < d ? q + 1 : ceil_div(unit_count, units - 1);
  }
  return counts;
}

PacketChoice best_packet_count(const TaskStepCounts& counts, PipelinedMessage message,
                               const PipelineCosts& costs) {
  PacketChoice best{1, pipeline_seconds(counts, message, costs, 1)};
  for (const auto packet_count : packet_counts(counts.dimension_count(), message.unit_count)) {
    const double seconds = pipeline_seconds(counts, message, costs, packet_count);
    if (seconds < best.seconds) best = {packet_count, seconds};
  }
  return best;
}

}  // namespace cubefold
