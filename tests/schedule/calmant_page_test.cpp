// Computes the rows of the tables in docs/calmant.md and looks for them there.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "schedule/task_schedule.hpp"
#include "support/cyclic_mesh.hpp"
#include "support/pages.hpp"

namespace cubefold {
namespace {

/// Holds what a task costs under [Calmant] 4.2 as printed. The task is cut into subtasks of 2c dimensions from the top,
/// and the remaining dimensions form one subtask.
struct Printed {
  std::uint64_t step_count = 0;
  bool has_conflicts = false;
};

Printed printed(Task task, int axes) {
  Printed result;
  for (; task.count >= 2 * axes; task.count -= 2 * axes) {
    result.step_count += task_bound({task.first + task.count - 2 * axes, 2 * axes}, axes);
  }
  const auto rest = task_bound(task, axes);
  const bool by_slots = task.count > axes;
  result.step_count += by_slots ? rest + rest % 2 : rest;
  result.has_conflicts = by_slots && (rest + 1) / 2 < static_cast<std::uint64_t>(axes);
  return result;
}

std::string row_of_axes(int axes) {
  int tasks = 0, conflicts = 0, at_bound = 0, above = 0, most_above = 0;
  int closed_form = 0, searched = 0;
  for (int first = 0; first < 12; ++first) {
    for (int count = 1; first + count <= 12; ++count, ++tasks) {
      const Task task{first, count};
      const auto bound = task_bound(task, axes);
      const auto paper = printed(task, axes);
      conflicts += paper.has_conflicts ? 1 : 0;
      at_bound += !paper.has_conflicts && paper.step_count == bound ? 1 : 0;
      above += !paper.has_conflicts && paper.step_count > bound ? 1 : 0;
      if (!paper.has_conflicts) most_above = std::max(most_above, static_cast<int>(paper.step_count - bound));
      const TaskSchedule ours(cyclic_mesh(first + count, axes), task, Ports::one, Tie::balanced);
      if (ours.step_count() == bound) (ours.method() == TaskMethod::search ? searched : closed_form) += 1;
    }
  }
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |", axes, tasks, at_bound, above, most_above,
                     conflicts, closed_form, searched);
}

TEST(CalmantPage, has_the_numbers_of_tasks_at_the_bound) {
  for (int axes = 1; axes <= 4; ++axes)
    EXPECT_NE(page_text("calmant.md").find(row_of_axes(axes)), std::string::npos) << row_of_axes(axes);
}

std::string steps_and_bound(const Placement& placement, Ports ports) {
  const TaskSchedule schedule(placement, {0, dimension_count(placement)}, ports, Tie::balanced);
  return fmt::format("{} / {}", schedule.step_count(), schedule.lower_bound());
}

std::string row_of_grid(const char* grid) {
  std::string row = fmt::format("| {} |", grid);
  for (const char* rule : {"standard,bits=cyclic", "xor,bits=cyclic"}) {
    const Placement placement(parse_grid(grid), parse_placement(rule));
    for (const Ports ports : {Ports::one, Ports::all})
      row += fmt::format(" {} |", steps_and_bound(placement, ports));
  }
  return row;
}

TEST(CalmantPage, has_the_steps_of_all_dimensions_at_once_on_tori) {
  for (const char* grid : {"ring:16", "ring:32", "ring:64", "torus:8x8", "torus:16x16", "torus:64x64",
                           "torus:8x8x8", "torus:16x16x16"}) {
    EXPECT_NE(page_text("calmant.md").find(row_of_grid(grid)), std::string::npos) << row_of_grid(grid);
  }
}

std::string row_of_task(Task task, int axes) {
  const auto mesh = cyclic_mesh(task.first + task.count, axes);
  const TaskSchedule ours(mesh, task, Ports::one, Tie::balanced);
  return fmt::format("| {} | <{}, {}> | {} | {} | {} |", axes, task.first, task.count, task_bound(task, axes),
                     printed(task, axes).step_count, ours.step_count());
}

TEST(CalmantPage, lists_the_tasks_that_are_searched_for) {
  for (int axes = 1; axes <= 4; ++axes) {
    for (int first = 0; first < 12; ++first) {
      for (int count = 1; first + count <= 12; ++count) {
        const Task task{first, count};
        const TaskSchedule ours(cyclic_mesh(first + count, axes), task, Ports::one, Tie::balanced);
        if (ours.method() != TaskMethod::search) continue;
        EXPECT_NE(page_text("calmant.md").find(row_of_task(task, axes)), std::string::npos)
            << row_of_task(task, axes);
      }
    }
  }
}

}  // namespace
}  // namespace cubefold
