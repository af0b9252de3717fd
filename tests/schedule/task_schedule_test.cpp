#include "cubefold/schedule/task_schedule.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "cubefold/schedule/conflict.hpp"
#include "support/cyclic_mesh.hpp"
#include "support/message_of.hpp"
#include "support/straight_messages.hpp"

namespace cubefold {
namespace {

constexpr int largest = 12;
constexpr int most_axes = 4;

std::string name_of(Task task, int axes) {
  return fmt::format("<{}, {}> on {} axes", task.first, task.count, axes);
}

/// Every task of up to d dimensions.
void for_each_task(int dimension_count, const std::function<void(Task)>& visit) {
  for (int first = 0; first < dimension_count; ++first) {
    for (int count = 1; first + count <= dimension_count; ++count) visit({first, count});
  }
}

/// The smallest cyclic mesh that has the task.
Placement smallest_mesh(Task task, int axes) {
  return cyclic_mesh(task.first + task.count, axes);
}

TaskSchedule one_port(const Placement& placement, Task task) {
  return TaskSchedule(placement, task, Ports::one, Tie::balanced);
}

TEST(TaskSchedule, has_no_conflicts_on_any_mesh_of_up_to_12_dimensions) {
  for (int axes = 1; axes <= most_axes; ++axes) {
    for_each_task(largest, [&](Task task) {
      const auto mesh = smallest_mesh(task, axes);
      EXPECT_EQ(StraightMessages::fault(one_port(mesh, task), mesh), std::nullopt) << name_of(task, axes);
    });
  }
}

// [Calmant] 3.2 for lines. For meshes the paper has one step more for some tasks of c < M < 2c dimensions, up to 2 more on
// two axes and up to 4 more on three (lemma 2); this closes all of them.
TEST(TaskSchedule, takes_as_many_steps_as_the_bound_on_any_mesh_of_up_to_12_dimensions) {
  for (int axes = 1; axes <= most_axes; ++axes) {
    for_each_task(largest, [&](Task task) {
      const auto schedule = one_port(smallest_mesh(task, axes), task);
      EXPECT_EQ(schedule.step_count(), task_bound(task, axes)) << name_of(task, axes);
      EXPECT_EQ(schedule.lower_bound(), task_bound(task, axes)) << name_of(task, axes);
    });
  }
}

TEST(TaskSchedule, of_up_to_2c_dimensions_is_a_closed_form) {
  for (int axes = 1; axes <= most_axes; ++axes) {
    for_each_task(largest, [&](Task task) {
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

// Coordinates a whole task apart do the same, so what is found for a small mesh serves all larger ones.
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

/// [Calmant] 3.2.1: which of its two steps a node of a line takes for the higher or lower dimension of a pair.
std::uint32_t printed_half(std::uint32_t coordinate, int position, bool is_higher) {
  const bool bits_are_equal = ((coordinate >> position) & 1) == ((coordinate >> (position + 1)) & 1);
  return bits_are_equal == is_higher ? 0 : 1;
}

/// [Calmant] 4.2.3 as printed, <i, x> for c < x < 2c: node m communicates on axis k mod c in the steps s and s + 1,
/// s = 2 ((sum of its groups + k) mod ceil(LB / 2)).
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

// Spec section 4: "two slots for three axes: a node sends two messages in one step".
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
  for (int axes = 2; axes <= most_axes; ++axes) {
    for_each_task(largest, [&](Task task) {
      if (task.count <= axes || task.count >= 2 * axes) return;
      const auto mesh = smallest_mesh(task, axes);
      const bool has_conflicts =
          first_conflict(mesh, printed_schedule(mesh, task, axes), Ports::one, Tie::positive).has_value();
      EXPECT_EQ(has_conflicts, (task_bound(task, axes) + 1) / 2 < static_cast<std::uint64_t>(axes))
          << name_of(task, axes);
    });
  }
}

// Spec section 4: c = 2, x = 3 and c = 3, x = 5 take LB + 1 where LB is odd.
TEST(PrintedSchedule, takes_a_step_too_many_where_an_odd_number_of_messages_is_the_bound) {
  for (const auto& [axes, count] : {std::pair{2, 3}, std::pair{3, 5}}) {
    int odd_bounds = 0;
    for (int first = 0; first + count <= largest; ++first) {
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

struct Shape {
  const char* grid;
  const char* rule;
};

class TaskScheduleBeyondThePaper : public testing::TestWithParam<Shape> {};

// Wrapped axes, mixed and unequal ones, any dealing and order, both kinds of ports.
TEST_P(TaskScheduleBeyondThePaper, has_no_conflicts_and_takes_as_many_steps_as_the_bound) {
  const Placement placement(parse_grid(GetParam().grid), parse_placement(GetParam().rule));
  for (const Ports ports : {Ports::one, Ports::all}) {
    for (const Tie tie : {Tie::balanced, Tie::positive}) {
      for_each_task(dimension_count(placement), [&](Task task) {
        const TaskSchedule schedule(placement, task, ports, tie);
        const auto where = fmt::format("<{}, {}>", task.first, task.count);
        EXPECT_EQ(first_conflict(placement, messages_of(schedule, placement), ports, tie), std::nullopt)
            << where;
        EXPECT_EQ(schedule.lower_bound(), task_bound(placement, task, ports, tie)) << where;
        EXPECT_EQ(schedule.step_count(), schedule.lower_bound()) << where;
      });
    }
  }
}

constexpr Shape shapes_at_the_bound[] = {
    {"ring:4", "xor"},
    {"ring:4", "standard"},
    {"ring:64", "xor"},
    {"ring:64", "standard"},
    {"line:16", "standard"},
    {"mesh:8x8", "standard"},
    {"mesh:16x4", "standard,bits=cyclic"},
    {"mesh:4x4x4", "standard,order=5-4-3-2-1-0"},
    {"torus:8x8", "xor"},
    {"torus:8x8", "xor,bits=cyclic"},
    {"torus:4x4x4", "xor,bits=cyclic"},
    {"torus:4x4x4", "standard"},
    {"torus:16x4", "xor,bits=cyclic"},
    {"torus:8x8x4", "xor,bits=cyclic"},
    {"grid:8wx8", "xor/standard,bits=cyclic"},
    {"grid:16wx4x2", "xor/standard/standard"},
    {"hypercube:6", "identity"},
};

INSTANTIATE_TEST_SUITE_P(AtTheBound, TaskScheduleBeyondThePaper, testing::ValuesIn(shapes_at_the_bound));

class TaskScheduleElsewhere : public testing::TestWithParam<Shape> {};

TEST_P(TaskScheduleElsewhere, has_no_conflicts_and_at_most_a_third_more_steps_than_the_bound) {
  const Placement placement(parse_grid(GetParam().grid), parse_placement(GetParam().rule));
  for (const Ports ports : {Ports::one, Ports::all}) {
    for_each_task(dimension_count(placement), [&](Task task) {
      const TaskSchedule schedule(placement, task, ports, Tie::balanced);
      const auto where = fmt::format("<{}, {}>", task.first, task.count);
      EXPECT_EQ(first_conflict(placement, messages_of(schedule, placement), ports, Tie::balanced),
                std::nullopt)
          << where;
      const auto bound = task_bound(placement, task, ports, Tie::balanced);
      EXPECT_EQ(schedule.lower_bound(), bound) << where;
      EXPECT_LE(schedule.step_count(), std::max(bound + 1, bound * 4 / 3)) << where;
    });
  }
}

// Distances that are not constant, tables, dimensions of an axis that are not next to each other, ties on three axes.
constexpr Shape other_shapes[] = {
    {"line:16", "gray"},
    {"line:16", "xor"},
    {"ring:16", "by-weight"},
    {"mesh:4x4", "by-weight"},
    {"mesh:2x4", "nodes=3-1-0-2-7-4-6-5"},
    {"mesh:8x8", "standard,order=2-5-0-3-1-4"},
    {"torus:16x16x2", "standard,bits=cyclic"},
};

INSTANTIATE_TEST_SUITE_P(Elsewhere, TaskScheduleElsewhere, testing::ValuesIn(other_shapes));

TEST(TaskSchedule, with_all_ports_takes_what_the_busiest_link_takes) {
  for (int axes = 1; axes <= most_axes; ++axes) {
    for_each_task(9, [&](Task task) {
      const auto mesh = smallest_mesh(task, axes);
      const TaskSchedule schedule(mesh, task, Ports::all, Tie::positive);
      EXPECT_EQ(schedule.step_count(), busiest_mesh_link(task, axes)) << name_of(task, axes);
      EXPECT_EQ(first_conflict(mesh, messages_of(schedule, mesh), Ports::all, Tie::positive), std::nullopt);
    });
  }
}

// Where a node has as many messages as there are steps, a message that moves to another step meets one there.
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

/// The checker for large meshes sees what a schedule for another placement does wrong.
TEST(StraightMessages, finds_a_fault_in_a_schedule_for_another_order_of_bits) {
  const Task task{0, 4};
  const Placement other(parse_grid("mesh:4x4"), parse_placement("standard"));
  EXPECT_NE(StraightMessages::fault(one_port(cyclic_mesh(4, 2), task), other), std::nullopt);
}

TEST(TaskSchedule, is_the_same_every_time) {
  const Task task{0, 10};  // by tabu search
  const auto mesh = cyclic_mesh(10, 3);
  const auto one = one_port(mesh, task);
  EXPECT_EQ(one.method(), TaskMethod::search);
  EXPECT_EQ(messages_of(one, mesh), messages_of(one_port(mesh, task), mesh));
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
