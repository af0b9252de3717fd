#include <gtest/gtest.h>

#include "schedule/conflict.hpp"
#include "support/tasks.hpp"

namespace cubefold {
namespace {

/// Returns in which of its two steps (0 or 1) a node of a line sends in the higher or the lower dimension of a pair.
/// Source: [Calmant] 3.2.1.
std::uint32_t printed_half(std::uint32_t coordinate, int position, bool is_higher) {
  const bool bits_are_equal = ((coordinate >> position) & 1) == ((coordinate >> (position + 1)) & 1);
  return bits_are_equal == is_higher ? 0 : 1;
}

/// Builds the schedule of task <i, x>, c < x < 2c, as [Calmant] 4.2.3 prints it. Node m communicates on axis k mod c in
/// the steps s and s + 1 with s = 2 ((sum of its groups + k) mod ceil(LB / 2)).
Schedule printed_schedule(const Placement& mesh, Task task, int axes) {
  const auto slots = (task_bound(task, axes) + 1) / 2;
  Schedule schedule{mesh.rank_count(), std::vector<Step>(2 * slots)};
  const int begin = task.first + task.count - 2 * axes;
  for (std::uint32_t r = 0; r < mesh.rank_count(); ++r) {
    const auto at = mesh.grid().coordinates(mesh.node_of(Rank{r}));
    const auto axis_of = [&](int k) { return static_cast<std::size_t>((k + axes) % axes); };
    std::uint64_t sum = 0;
    for (int k = begin; k < begin + axes; ++k) {
      if (k >= 0) sum += at[axis_of(k)] % (1U << (k / axes));
    }
    for (int k = begin; k < begin + axes; ++k) {
      const auto slot = (sum + static_cast<std::uint64_t>(k + axes)) % slots;
      for (const int sent : {k, k + axes}) {
        if (sent < task.first) continue;
        const int position = k >= 0 ? k / axes : -1;
        const auto half = position < 0 ? 0 : printed_half(at[axis_of(k)], position, sent > k);
        const Rank to = neighbour(Rank{r}, sent);
        schedule.steps[2 * slot + half].push_back({Rank{r}, to, {{Rank{r}, to}}});
      }
    }
  }
  return schedule;
}

// With LB = 4, [Calmant] 4.2.3 has two pairs of steps for three axes, so that a node sends two messages in one step.
// This is an error of the paper.
TEST(FirstConflict, rejects_the_printed_schedule_of_task_i_4_on_three_axes) {
  for (int first = 0; first <= 8; ++first) {
    const Task task{first, 4};
    const auto mesh = smallest_mesh(task, 3);
    const auto conflict = first_conflict(mesh, printed_schedule(mesh, task, 3), Ports::one, Tie::positive);
    ASSERT_EQ(conflict.has_value(), task_bound(task, 3) < 6) << first;
    if (conflict) {
      EXPECT_NE(conflict->kind, Conflict::Kind::link) << first;
    }
  }
}

TEST(PrintedSchedule, has_conflicts_where_there_are_fewer_pairs_of_steps_than_axes_and_nowhere_else) {
  for (int axes = 2; axes <= most_task_axes; ++axes) {
    for_each_task(largest_task, [&](Task task) {
      if (task.count <= axes || task.count >= 2 * axes) return;
      const auto mesh = smallest_mesh(task, axes);
      const bool has_conflicts =
          first_conflict(mesh, printed_schedule(mesh, task, axes), Ports::one, Tie::positive).has_value();
      EXPECT_EQ(has_conflicts, (task_bound(task, axes) + 1) / 2 < static_cast<std::uint64_t>(axes))
          << name_of(task, axes);
    });
  }
}

// The schedules of [Calmant] 4.2.3 for c = 2, x = 3 and for c = 3, x = 5 take LB + 1 steps if LB is odd.
TEST(PrintedSchedule, takes_a_step_too_many_where_an_odd_number_of_messages_is_the_bound) {
  for (const auto& [axes, count] : {std::pair{2, 3}, std::pair{3, 5}}) {
    int odd_bounds = 0;
    for (int first = 0; first + count <= largest_task; ++first) {
      const Task task{first, count};
      const auto mesh = smallest_mesh(task, axes);
      const auto printed = printed_schedule(mesh, task, axes);
      const auto bound = task_bound(task, axes);
      EXPECT_EQ(first_conflict(mesh, printed, Ports::one, Tie::positive), std::nullopt)
          << name_of(task, axes);
      EXPECT_EQ(printed.steps.size(), bound + bound % 2);
      odd_bounds += static_cast<int>(bound % 2);
    }
    EXPECT_EQ(odd_bounds, axes == 2 ? 2 : 5);
  }
}

}  // namespace
}  // namespace cubefold
