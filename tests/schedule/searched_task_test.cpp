// Tasks for which [Calmant] lemma 2 takes more steps than the bound, and ours do not.

#include <gtest/gtest.h>

#include <string>

#include "schedule/task_schedule.hpp"
#include "support/cyclic_mesh.hpp"

namespace cubefold {
namespace {

/// Returns the steps of a task under [Calmant] 4.2 as printed. The task is cut into subtasks of 2c dimensions from the
/// top, and the remaining dimensions form one subtask.
std::uint64_t printed_step_count(Task task, int axes) {
  std::uint64_t step_count = 0;
  for (; task.count >= 2 * axes; task.count -= 2 * axes)
    step_count += task_bound({task.first + task.count - 2 * axes, 2 * axes}, axes);
  const auto rest = task_bound(task, axes);
  return step_count + (task.count > axes ? rest + rest % 2 : rest);
}

TaskSchedule mesh_schedule(Task task, int axes) {
  return TaskSchedule(cyclic_mesh(task.first + task.count, axes), task, Ports::one, Tie::balanced);
}

struct SearchedTask {
  int axes;
  Task task;
  std::uint64_t bound;
  std::uint64_t printed;
};

TEST(SearchedTasks, take_the_bound_where_the_printed_schedule_takes_more) {
  for (const auto& [axes, task, bound, printed] :
       {SearchedTask{2, {0, 7}, 10, 12}, {2, {0, 12}, 42, 44}, {3, {0, 11}, 11, 14}, {3, {3, 9}, 10, 11}}) {
    const TaskSchedule ours = mesh_schedule(task, axes);
    EXPECT_EQ(ours.method(), TaskMethod::search);
    EXPECT_EQ(ours.step_count(), bound);
    EXPECT_EQ(task_bound(task, axes), bound);
    EXPECT_EQ(printed_step_count(task, axes), printed);
  }
}

TEST(SearchedTasks, are_a_few_of_the_tasks_of_two_and_three_axes_with_12_dimensions) {
  const int searched_tasks[] = {0, 7, 9, 0};
  for (int axes = 1; axes <= 4; ++axes) {
    int searched = 0;
    for (int first = 0; first < 12; ++first) {
      for (int count = 1; first + count <= 12; ++count) {
        const TaskSchedule ours = mesh_schedule({first, count}, axes);
        EXPECT_EQ(ours.step_count(), task_bound({first, count}, axes));
        searched += ours.method() == TaskMethod::search ? 1 : 0;
      }
    }
    EXPECT_EQ(searched, searched_tasks[axes - 1]) << axes << " axes";
  }
}

struct StepsOnTorus {
  const char* grid;
  const char* placement;
  Ports ports;
  std::uint64_t step_count;
  std::uint64_t bound;
};

TEST(TaskSchedule, of_all_dimensions_on_a_torus_is_at_the_bound_or_a_step_above) {
  for (const auto& [grid, rule, ports, step_count, bound] :
       {StepsOnTorus{"ring:16", "standard,bits=cyclic", Ports::one, 9, 9},
        {"ring:16", "xor,bits=cyclic", Ports::all, 6, 6},
        {"torus:16x16", "standard,bits=cyclic", Ports::one, 10, 9},
        {"torus:16x16", "xor,bits=cyclic", Ports::one, 8, 8},
        {"torus:8x8x8", "xor,bits=cyclic", Ports::all, 3, 3},
        {"torus:16x16x16", "standard,bits=cyclic", Ports::one, 13, 12}}) {
    const Placement placement(parse_grid(grid), parse_placement(rule));
    const TaskSchedule schedule(placement, {0, dimension_count(placement)}, ports, Tie::balanced);
    EXPECT_EQ(schedule.step_count(), step_count) << grid << ", " << rule;
    EXPECT_EQ(schedule.lower_bound(), bound) << grid << ", " << rule;
  }
}

}  // namespace
}  // namespace cubefold
