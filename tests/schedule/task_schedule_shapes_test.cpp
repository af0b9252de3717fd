#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "schedule/conflict.hpp"
#include "schedule/task_schedule.hpp"
#include "support/tasks.hpp"

namespace cubefold {
namespace {

struct Shape {
  const char* grid;
  const char* rule;
};

/// Prints the shape for GoogleTest, so that ctest lists each test with its shape.
void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.grid << ' ' << shape.rule;
}

class TaskScheduleBeyondThePaper : public testing::TestWithParam<Shape> {};

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

// Lists placements with distances that are not constant, a placement by table, an order that gives an axis dimensions
// that are not consecutive, and a torus of three axes with ties.
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

}  // namespace
}  // namespace cubefold
