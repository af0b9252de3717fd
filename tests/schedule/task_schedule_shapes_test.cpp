#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "schedule/conflict.hpp"
#include "schedule/task_schedule.hpp"
#include "support/all_grids.hpp"
#include "support/sanitizers.hpp"
#include "support/some_grids.hpp"
#include "support/tasks.hpp"

namespace cubefold {
namespace {

struct TaskShape {
  const char* grid;
  const char* rule;
};

/// Prints the shape for GoogleTest, so that ctest lists each test with its shape.
void PrintTo(const TaskShape& shape, std::ostream* out) {
  *out << shape.grid << ' ' << shape.rule;
}

class TaskScheduleBeyondThePaper : public testing::TestWithParam<TaskShape> {};

// Goes beyond [Calmant]: axes that are wrapped, mixed or unequal, any bit assignment, any order of bits, and both port
// models.
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

constexpr TaskShape shapes_at_the_bound[] = {
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

class TaskScheduleElsewhere : public testing::TestWithParam<TaskShape> {};

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

// Lists placements with distances that are not constant, a placement by table, an order that gives an axis dimensions
// that are not consecutive, and a torus of three axes with ties.
constexpr TaskShape other_shapes[] = {
    {"line:16", "gray"},
    {"line:16", "xor"},
    {"ring:16", "by-weight"},
    {"mesh:4x4", "by-weight"},
    {"mesh:2x4", "nodes=3-1-0-2-7-4-6-5"},
    {"mesh:8x8", "standard,order=2-5-0-3-1-4"},
    {"torus:16x16x2", "standard,bits=cyclic"},
};

INSTANTIATE_TEST_SUITE_P(Elsewhere, TaskScheduleElsewhere, testing::ValuesIn(other_shapes));

/// Returns a placement rule whose first dimensions are at the places of `places`, a set of bits of a node's number, in
/// ascending order.
std::string rule_with_first(const char* embeddings, unsigned places, int dimension_count) {
  int next = 0;
  int after = std::popcount(places);
  std::string order;
  for (int place = 0; place < dimension_count; ++place) {
    const int dimension = (places >> place & 1) != 0 ? next++ : after++;
    order += fmt::format("{}{}", place == 0 ? "" : "-", dimension);
  }
  return fmt::format("{},order={}", embeddings, order);
}

/// Returns a text if the task of the dimensions at these places takes more steps than the bound with one port.
std::optional<std::string> task_above_the_bound(const Grid& grid, const char* embeddings, unsigned places,
                                                Tie tie) {
  const std::string rule = rule_with_first(embeddings, places, std::countr_zero(grid.node_count()));
  const Placement placement(grid, parse_placement(rule));
  const TaskSchedule schedule(placement, {0, std::popcount(places)}, Ports::one, tie);
  EXPECT_EQ(first_conflict(placement, messages_of(schedule, placement), Ports::one, tie), std::nullopt)
      << to_string(grid) << ' ' << rule;
  if (schedule.step_count() == schedule.lower_bound()) return std::nullopt;
  return fmt::format("{}, {}, {} dimensions: {} steps, bound {}", to_string(grid), rule,
                     std::popcount(places), schedule.step_count(), schedule.lower_bound());
}

/// Expects all sets of dimensions of the grid to take as many steps as the bound: under `standard`, and under `xor` if
/// an axis is wrapped.
void expect_the_bound(const Grid& grid, Tie tie) {
  bool has_ring = false;
  for (int axis = 0; axis < grid.axis_count(); ++axis) has_ring = has_ring || grid.has_wrap_link(axis);
  for (unsigned places = 1; places < grid.node_count(); ++places) {
    EXPECT_EQ(task_above_the_bound(grid, "standard", places, tie), std::nullopt);
    if (!has_ring) continue;
    EXPECT_EQ(task_above_the_bound(grid, "xor", places, tie), std::nullopt);
  }
}

TEST(TaskSchedule, of_any_dimensions_takes_as_many_steps_as_the_bound_on_all_grids_of_up_to_64_nodes) {
  for (const Grid& grid : some_power_of_two_grids(4, 6, 5)) expect_the_bound(grid, Tie::balanced);
}

TEST(TaskSchedule, of_any_dimensions_takes_as_many_steps_as_the_bound_with_other_ties_up_to_32_nodes) {
  for (const Grid& grid : some_power_of_two_grids(4, 5, 2)) expect_the_bound(grid, Tie::positive);
}

// With ties that all go up, two sets of dimensions on the grids of 64 nodes take a step more than the bound. A SAT
// solver has proved that 5 steps are too few on grid:8x8w. It has not found in 400 s whether 6 steps do on torus:8x8.
TEST(TaskSchedule, of_two_tasks_takes_a_step_more_than_the_bound) {
  if (sanitized) GTEST_SKIP() << "the searches take long with sanitizers";
  EXPECT_EQ(task_above_the_bound(parse_grid("grid:8x8w"), "standard", 0b101111, Tie::positive),
            "grid:8x8w, standard,order=0-1-2-3-5-4, 5 dimensions: 6 steps, bound 5");
  EXPECT_EQ(task_above_the_bound(parse_grid("torus:8x8"), "standard", 0b111111, Tie::positive),
            "torus:8x8, standard,order=0-1-2-3-4-5, 6 dimensions: 7 steps, bound 6");
}

TEST(TaskSchedule, of_two_scattered_dimensions_of_a_ring_takes_4_steps) {
  const Placement placement(parse_grid("torus:16x4"), parse_placement("xor,order=5-0-3-1-2-4"));
  EXPECT_EQ(TaskSchedule(placement, {0, 2}, Ports::one, Tie::balanced).step_count(), 4U);
}

}  // namespace
}  // namespace cubefold
