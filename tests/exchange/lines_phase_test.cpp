#include "exchange/lines_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "exchange/moves_checks.hpp"

namespace cubefold {
namespace {

TEST(LinesPhase, leads_to_every_node_of_each_line_once_without_conflicts) {
  for (const Grid& grid : grids_up_to(40)) {
    const auto share_a_line = [&](GridNode a, GridNode b) {
      int differing = 0;
      for (int axis = 0; axis < grid.axis_count(); ++axis)
        differing += grid.coordinate(a, axis) != grid.coordinate(b, axis) ? 1 : 0;
      return differing == 1;
    };
    for (const auto& rules : all_network_rules) {
      const LinesPhase phase(grid, rules.ports, rules.tie);
      EXPECT_EQ(first_moves_fault(grid, phase, rules, share_a_line), std::nullopt) << name_of(grid, rules);
    }
  }
}

std::size_t steps_of(std::size_t axis_count, std::uint32_t extent, Ends ends, Ports ports) {
  const Grid grid(std::vector<std::uint32_t>(axis_count, extent), ends);
  return LinesPhase(grid, ports, Tie::balanced).step_count();
}

TEST(LinesPhase, of_equal_axes_takes_as_many_steps_a_permutation_as_there_are_classes_or_axes) {
  for (std::size_t c = 1; c <= 4; ++c) {
    for (std::uint32_t n = 4; n <= 64; n *= 2) {
      EXPECT_EQ(steps_of(c, n, Ends::open, Ports::one), n * std::max<std::size_t>(n / 4, c)) << c << ' ' << n;
      EXPECT_EQ(steps_of(c, n, Ends::open, Ports::all), n * n / 4) << c << ' ' << n;
      if (n == 4) continue;
      EXPECT_EQ(steps_of(c, n, Ends::wrapped, Ports::one), n * std::max<std::size_t>(n / 8, c))
          << c << ' ' << n;
      EXPECT_EQ(steps_of(c, n, Ends::wrapped, Ports::all), n * n / 8) << c << ' ' << n;
    }
  }
}

// On axes of 2 nodes and rings of 4, the first permutation moves nobody and takes no step. With one port, each other
// permutation takes a step for every axis. With all ports, the permutations that go up and down share a step.
TEST(LinesPhase, of_extents_2_and_round_rings_of_4_takes_a_step_for_each_message_or_for_each_of_a_link) {
  for (std::size_t c = 1; c <= 4; ++c) {
    EXPECT_EQ(steps_of(c, 2, Ends::open, Ports::one), c);
    EXPECT_EQ(steps_of(c, 2, Ends::open, Ports::all), 1U);
    EXPECT_EQ(steps_of(c, 4, Ends::wrapped, Ports::one), 3 * c);
    EXPECT_EQ(steps_of(c, 4, Ends::wrapped, Ports::all), 2U);
  }
}

TEST(LinesPhase, of_all_ports_takes_the_steps_of_the_busiest_link_of_an_axis) {
  for (std::uint32_t n = 5; n <= 16; ++n) {
    EXPECT_EQ(steps_of(2, n, Ends::open, Ports::all), n * n / 4) << n;
    EXPECT_EQ(steps_of(3, n, Ends::wrapped, Ports::all), n % 2 == 1 ? (n * n - 1) / 8 : (n * n + 7) / 8) << n;
  }
}

TEST(LinesPhase, of_one_node_has_no_steps) {
  for (const char* name : {"hypercube:0", "mesh:1x1", "ring:1"}) {
    const LinesPhase phase(parse_grid(name), Ports::one, Tie::balanced);
    EXPECT_EQ(phase.step_count(), 0U);
    EXPECT_EQ(phase.moves_of(GridNode{0}), Moves{});
  }
}

}  // namespace
}  // namespace cubefold
