#include "stage_order.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cubefold/schedule/task_schedule.hpp"

namespace cubefold::fft {

namespace {

/// Dimensions of an iteration's stages follow one another, up or down.
Task task_of(const BinaryExchange& exchange, std::size_t packet_count, std::size_t iteration) {
  const auto last_stage = static_cast<std::size_t>(exchange.stage_count() - 1);
  const auto last = static_cast<int>(std::min(iteration, last_stage));
  const auto first = static_cast<int>(iteration < packet_count ? 0 : iteration + 1 - packet_count);
  return {std::min(exchange.dimension_of(first), exchange.dimension_of(last)), last - first + 1};
}

}  // namespace

std::function<std::size_t(std::size_t, Rank, int)> steps_of_iterations(const BinaryExchange& exchange,
                                                                       std::size_t packet_count,
                                                                       const Placement& placement,
                                                                       const NetworkRules& rules) {
  std::map<std::pair<int, int>, TaskSchedule> schedules;
  const auto stages = static_cast<std::size_t>(exchange.stage_count());
  for (std::size_t iteration = 0; iteration + 1 < stages + packet_count; ++iteration) {
    const Task task = task_of(exchange, packet_count, iteration);
    if (schedules.contains({task.first, task.count})) continue;
    schedules.emplace(std::pair(task.first, task.count),
                      TaskSchedule(placement, task, rules.ports, rules.tie));
  }
  return [=](std::size_t iteration, Rank rank, int dimension) {
    const Task task = task_of(exchange, packet_count, iteration);
    return schedules.at({task.first, task.count}).step_of(rank, dimension);
  };
}

}  // namespace cubefold::fft
