#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>

#include "schedule/task_schedule.hpp"
#include "support/cyclic_mesh.hpp"

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

/// Returns the smallest cyclic mesh that has the task.
inline Placement smallest_mesh(Task task, int axes) {
  return cyclic_mesh(task.first + task.count, axes);
}

inline TaskSchedule one_port(const Placement& placement, Task task) {
  return TaskSchedule(placement, task, Ports::one, Tie::balanced);
}

}  // namespace cubefold
