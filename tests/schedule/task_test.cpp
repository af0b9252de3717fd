#include "schedule/task.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/cyclic_mesh.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

constexpr int largest = 8;

// Checks [Calmant] theorem 3 by counting for every task of up to 8 dimensions.
TEST(BusiestLink, of_a_task_in_closed_form_is_what_counting_gives) {
  for (int axes = 1; axes <= 4; ++axes) {
    for (int first = 0; first < largest; ++first) {
      for (int count = 0; first + count <= largest; ++count) {
        const Task task{first, count};
        for (const int d : {std::max(first + count, axes), largest}) {
          EXPECT_EQ(busiest_mesh_link(task, axes),
                    task_bound(cyclic_mesh(d, axes), task, Ports::all, Tie::positive))
              << fmt::format("<{}, {}> on {} axes, d = {}", first, count, axes, d);
        }
      }
    }
  }
}

TEST(BusiestLink, of_a_line_is_that_of_a_mesh_of_one_axis) {
  for (int first = 0; first < 30; ++first) {
    for (int count = 0; count < 30; ++count) {
      EXPECT_EQ(busiest_line_link({first, count}), busiest_mesh_link({first, count}, 1));
    }
  }
}

// On a line a node never has more messages than the busiest link. Source: [Calmant] theorem 2.
TEST(TaskBound, of_a_line_is_its_busiest_link) {
  for (int first = 0; first < 30; ++first) {
    for (int count = 0; count < 30; ++count) {
      EXPECT_EQ(task_bound({first, count}, 1), busiest_line_link({first, count}));
    }
  }
}

// In task <0, 3> on three axes every link has at most one message, but every node has three.
TEST(TaskBound, of_a_mesh_counts_a_nodes_messages_with_one_port_only) {
  EXPECT_EQ(task_bound({0, 3}, 3), 3);
  EXPECT_EQ(busiest_mesh_link({0, 3}, 3), 1);
  EXPECT_EQ(task_bound(cyclic_mesh(6, 3), {0, 3}, Ports::one, Tie::positive), 3);
  EXPECT_EQ(task_bound(cyclic_mesh(6, 3), {0, 3}, Ports::all, Tie::positive), 1);
}

// The tasks use all dimensions at once on rings of 16, 32 and 64 nodes.
TEST(TaskBound, of_rings_is_smaller_under_xor) {
  const std::uint64_t standard[] = {9, 18, 37};
  const std::uint64_t by_xor[] = {6, 13, 26};
  for (int d = 4; d <= 6; ++d) {
    const auto grid = parse_grid(fmt::format("ring:{}", 1 << d));
    EXPECT_EQ(task_bound(Placement(grid, parse_placement("standard")), {0, d}, Ports::one, Tie::balanced),
              standard[d - 4]);
    EXPECT_EQ(task_bound(Placement(grid, parse_placement("xor")), {0, d}, Ports::one, Tie::balanced),
              by_xor[d - 4]);
  }
}

TEST(TaskBound, refuses_what_is_no_task) {
  EXPECT_EQ(message_of([] {
              busiest_line_link({-1, 2});
            }),
            "busiest_line_link: task <-1, 2> is not within dimensions 0 .. 61");
  EXPECT_EQ(message_of([] {
              busiest_mesh_link({0, 63}, 2);
            }),
            "busiest_mesh_link: task <0, 63> is not within dimensions 0 .. 61");
  EXPECT_EQ(message_of([] {
              busiest_mesh_link({0, 1}, 0);
            }),
            "busiest_mesh_link: axis count 0 is not positive");
  EXPECT_EQ(message_of([] {
              task_bound(cyclic_mesh(4, 2), {3, 2}, Ports::one, Tie::positive);
            }),
            "task_bound: task <3, 2> is not within dimensions 0 .. 3");
}

}  // namespace
}  // namespace cubefold
