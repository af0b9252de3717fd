#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "schedule/task_schedule.hpp"
#include "support/cyclic_mesh.hpp"
#include "support/sweep.hpp"

namespace cubefold {

/// These constants limit the dimensions of tasks in tests, and the axes of their meshes.
inline constexpr int largest_task = 12;
inline constexpr int most_task_axes = 4;

inline std::string name_of(Task task, int axes) {
  return fmt::format("<{}, {}> on {} axes", task.first, task.count, axes);
}

/// Visits every task <first, count> with first + count <= dimension_count.
inline void for_each_task(int dimension_count, const std::function<void(Task)>& visit) {
  for (int first = 0; first < dimension_count; ++first) {
    for (int count = 1; first + count <= dimension_count; ++count) visit({first, count});
  }
}

/// Visits every task with first + count <= all_to, and some_of() those with first + count <= dimension_count.
inline void for_some_tasks(int all_to, int dimension_count, std::size_t step,
                           const std::function<void(Task)>& visit) {
  std::vector<Task> tasks;
  for_each_task(dimension_count, [&](Task task) { tasks.push_back(task); });
  const auto is_small = [&](Task task) { return task.first + task.count <= all_to; };
  for (const Task task : small_and_some_of(std::move(tasks), is_small, step)) visit(task);
}

/// Returns the smallest cyclic mesh that has the task.
inline Placement smallest_mesh(Task task, int axes) {
  return cyclic_mesh(task.first + task.count, axes);
}

inline TaskSchedule one_port(const Placement& placement, Task task) {
  return TaskSchedule(placement, task, Ports::one, Tie::balanced);
}

}  // namespace cubefold
