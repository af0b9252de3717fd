#include "schedule/task_schedule.hpp"

#include <gtest/gtest.h>

#include "schedule/conflict.hpp"
#include "support/cyclic_mesh.hpp"
#include "support/message_of.hpp"
#include "support/straight_messages.hpp"
#include "support/sweep.hpp"
#include "support/tasks.hpp"

namespace cubefold {
namespace {

TEST(TaskSchedule, has_no_conflicts_on_any_mesh_of_up_to_12_dimensions) {
  for (int axes = 1; axes <= most_task_axes; ++axes) {
    for_some_tasks(9, largest_task, 6, [&](Task task) {
      const auto mesh = smallest_mesh(task, axes);
      EXPECT_EQ(StraightMessages::fault(one_port(mesh, task), mesh), std::nullopt) << name_of(task, axes);
    });
  }
}

// [Calmant] 3.2 reaches the bound on lines. On meshes the paper takes one step more for some tasks of c < M < 2c
// dimensions, and up to 2 steps more on two axes and 4 more on three for some tasks of more dimensions (lemma 2).
// TaskSchedule takes no step more.
TEST(TaskSchedule, takes_as_many_steps_as_the_bound_on_any_mesh_of_up_to_12_dimensions) {
  for (int axes = 1; axes <= most_task_axes; ++axes) {
    for_each_task(largest_task, [&](Task task) {
      const auto schedule = one_port(smallest_mesh(task, axes), task);
      EXPECT_EQ(schedule.step_count(), task_bound(task, axes)) << name_of(task, axes);
      EXPECT_EQ(schedule.lower_bound(), task_bound(task, axes)) << name_of(task, axes);
    });
  }
}

void expect_dimensions_of_messages(const Placement& placement, Task task, Ports ports) {
  const TaskSchedule schedule(placement, task, ports, Tie::balanced);
  std::vector<std::uint32_t> dimensions(schedule.step_count());
  for (std::uint32_t r = 0; r < placement.rank_count(); ++r) {
    for (int k = task.first; k < task.first + task.count; ++k)
      dimensions[schedule.step_of(Rank{r}, k)] |= std::uint32_t{1} << k;
  }
  EXPECT_EQ(schedule.dimensions_by_step(), dimensions)
      << to_string(placement.grid()) << ", " << to_string(placement.rule()) << ", <" << task.first << ", "
      << task.count << ">, " << to_string(schedule.method());
}

TEST(TaskSchedule, knows_in_which_dimensions_each_step_sends) {
  for (int axes = 1; axes <= most_task_axes; ++axes) {
    for_some_tasks(8, 11, 6, [&](Task task) {
      expect_dimensions_of_messages(smallest_mesh(task, axes), task, Ports::one);
    });
  }
  for (const char* grid :
       {whole_or_sample("torus:8x8x8", "torus:4x4x4"), "ring:64", "grid:16wx8", "mesh:8x16", "torus:16x4"}) {
    for (const char* rule : {"standard", "xor", "xor,bits=cyclic", "standard,bits=cyclic", "gray"}) {
      const Placement placement(parse_grid(grid), parse_placement(rule));
      for_each_task(dimension_count(placement), [&](Task task) {
        expect_dimensions_of_messages(placement, task, Ports::one);
        expect_dimensions_of_messages(placement, task, Ports::all);
      });
    }
  }
}

TEST(TaskSchedule, of_up_to_2c_dimensions_is_a_closed_form) {
  for (int axes = 1; axes <= most_task_axes; ++axes) {
    for_each_task(largest_task, [&](Task task) {
      if (task.count > 2 * axes) return;
      EXPECT_EQ(one_port(smallest_mesh(task, axes), task).method(), TaskMethod::closed_form)
          << name_of(task, axes);
    });
  }
}

TEST(TaskSchedule, passes_the_checker_of_all_schedules) {
  for (int axes = 1; axes <= 3; ++axes) {
    for_each_task(7, [&](Task task) {
      const auto mesh = smallest_mesh(task, axes);
      const auto messages = messages_of(one_port(mesh, task), mesh);
      EXPECT_EQ(first_conflict(mesh, messages, Ports::one, Tie::positive), std::nullopt)
          << name_of(task, axes);
    });
  }
}

// Nodes take the same steps if their coordinates agree modulo the extents of the smallest mesh for the task. A schedule
// for that mesh therefore serves all larger ones.
TEST(TaskSchedule, repeats_on_a_larger_mesh) {
  for (int axes = 1; axes <= 3; ++axes) {
    const auto large = cyclic_mesh(10, axes);
    for_each_task(10, [&](Task task) {
      const auto mesh = smallest_mesh(task, axes);
      const auto on_small = one_port(mesh, task);
      const auto on_large = one_port(large, task);
      for (std::uint32_t r = 0; r < large.rank_count(); r += 7) {
        const auto same = static_cast<Rank>(r % mesh.rank_count());
        for (int k = task.first; k < task.first + task.count; ++k) {
          ASSERT_EQ(on_large.step_of(Rank{r}, k), on_small.step_of(same, k)) << name_of(task, axes);
        }
      }
    });
  }
}

TEST(TaskSchedule, with_all_ports_takes_what_the_busiest_link_takes) {
  for (int axes = 1; axes <= most_task_axes; ++axes) {
    for_each_task(9, [&](Task task) {
      const auto mesh = smallest_mesh(task, axes);
      const TaskSchedule schedule(mesh, task, Ports::all, Tie::positive);
      EXPECT_EQ(schedule.step_count(), busiest_mesh_link(task, axes)) << name_of(task, axes);
      EXPECT_EQ(first_conflict(mesh, messages_of(schedule, mesh), Ports::all, Tie::positive), std::nullopt);
    });
  }
}

// Every node has as many messages as there are steps, so a message that is moved to another step meets one there.
TEST(FirstConflict, rejects_every_full_task_schedule_with_one_message_moved) {
  const Task task{0, 4};
  const auto mesh = cyclic_mesh(4, 2);
  const auto whole = messages_of(one_port(mesh, task), mesh);
  ASSERT_EQ(whole.steps.size(), 4);
  for (std::size_t from = 0; from < 4; ++from) {
    for (std::size_t index = 0; index < whole.steps[from].size(); ++index) {
      for (std::size_t to = 0; to < 4; ++to) {
        if (to == from) continue;
        auto broken = whole;
        broken.steps[to].push_back(broken.steps[from][index]);
        broken.steps[from].erase(broken.steps[from].begin() + static_cast<std::ptrdiff_t>(index));
        EXPECT_NE(first_conflict(mesh, broken, Ports::one, Tie::positive), std::nullopt);
      }
    }
  }
}

TEST(FirstConflict, rejects_two_steps_of_a_task_schedule_in_one) {
  for_each_task(6, [&](Task task) {
    const auto mesh = smallest_mesh(task, 2);
    auto broken = messages_of(one_port(mesh, task), mesh);
    if (broken.steps.size() < 2) return;
    auto& first = broken.steps[0];
    first.insert(first.end(), broken.steps[1].begin(), broken.steps[1].end());
    broken.steps.erase(broken.steps.begin() + 1);
    EXPECT_NE(first_conflict(mesh, broken, Ports::one, Tie::positive), std::nullopt) << name_of(task, 2);
  });
}

// The checker for large meshes finds the faults of a schedule that was built for another placement.
TEST(StraightMessages, finds_a_fault_in_a_schedule_for_another_order_of_bits) {
  const Task task{0, 4};
  const Placement other(parse_grid("mesh:4x4"), parse_placement("standard"));
  EXPECT_NE(StraightMessages::fault(one_port(cyclic_mesh(4, 2), task), other), std::nullopt);
}

TEST(TaskSchedule, is_the_same_every_time) {
  const Task task{0, 10};  // found by tabu search
  const auto mesh = cyclic_mesh(10, 3);
  const auto one = one_port(mesh, task);
  EXPECT_EQ(one.method(), TaskMethod::search);
  EXPECT_EQ(messages_of(one, mesh), messages_of(one_port(mesh, task), mesh));
}

// The bits of these dimensions do not lie side by side on the axis; their formula would take 6 steps.
TEST(TaskSchedule, of_scattered_dimensions_takes_as_many_steps_as_the_bound) {
  const Placement placement(parse_grid("torus:16x4"), parse_placement("xor,order=5-0-3-1-2-4"));
  for (const Ports ports : {Ports::one, Ports::all}) {
    const TaskSchedule schedule(placement, {0, 2}, ports, Tie::balanced);
    EXPECT_EQ(schedule.step_count(), 4U);
    EXPECT_EQ(schedule.lower_bound(), 4U);
    const Schedule messages = messages_of(schedule, placement);
    EXPECT_EQ(first_conflict(placement, messages, ports, Tie::balanced), std::nullopt);
  }
}

TEST(TaskSchedule, of_no_dimensions_has_no_steps) {
  EXPECT_EQ(one_port(cyclic_mesh(4, 2), {2, 0}).step_count(), 0);
  EXPECT_EQ(one_port(cyclic_mesh(0, 1), {0, 0}).step_count(), 0);
}

TEST(TaskSchedule, refuses_dimensions_that_are_not_there) {
  EXPECT_EQ(message_of([] {
              one_port(cyclic_mesh(4, 2), {3, 2});
            }),
            "TaskSchedule: task <3, 2> is not within dimensions 0 .. 3");
}

TEST(TaskMethodName, says_how_steps_were_found) {
  EXPECT_EQ(to_string(TaskMethod::closed_form), "closed form");
  EXPECT_EQ(to_string(TaskMethod::search), "search");
  EXPECT_EQ(to_string(TaskMethod::greedy), "greedy");
}

}  // namespace
}  // namespace cubefold
