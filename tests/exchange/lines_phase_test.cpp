#include "exchange/lines_phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cubefold/topology/link_loads.hpp"
#include "exchange/moves_checks.hpp"
#include "support/some_grids.hpp"

namespace cubefold {
namespace {

TEST(LinesPhase, leads_to_every_node_of_each_line_once_without_conflicts) {
  for (const Grid& grid : some_grids_up_to(20, 40, 8)) {
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

/// Returns the messages over the busiest link of an axis in a phase.
std::size_t busiest_link(const Axis& axis, Tie tie) {
  LinkLoads loads(Grid({axis}), tie);
  for (std::uint32_t from = 0; from < axis.extent; ++from) {
    for (std::uint32_t to = 0; to < axis.extent; ++to)
      loads.add(static_cast<GridNode>(from), static_cast<GridNode>(to));
  }
  return loads.busiest();
}

// A node sends c (n - 1) messages. The torus of 5x5x5 and the mesh of 8x8x8 are among these grids.
TEST(LinesPhase, of_equal_short_axes_takes_as_many_steps_as_a_link_or_a_node_has_messages) {
  for (std::size_t c = 1; c <= 4; ++c) {
    for (std::uint32_t n = 2; n <= 15; ++n) {
      for (const Ends ends : {Ends::open, Ends::wrapped}) {
        const std::size_t bound = std::max(c * (n - 1), busiest_link({n, ends}, Tie::balanced));
        EXPECT_EQ(steps_of(c, n, ends, Ports::one), bound) << c << ' ' << n;
      }
    }
  }
}

TEST(LinesPhase, of_equal_long_axes_takes_as_many_steps_a_permutation_as_there_are_classes_or_axes) {
  for (std::size_t c = 1; c <= 4; ++c) {
    for (std::uint32_t n = 16; n <= 64; n *= 2) {
      EXPECT_EQ(steps_of(c, n, Ends::open, Ports::one), n * std::max<std::size_t>(n / 4, c)) << c << ' ' << n;
      EXPECT_EQ(steps_of(c, n, Ends::wrapped, Ports::one), n * std::max<std::size_t>(n / 8, c))
          << c << ' ' << n;
    }
    for (std::uint32_t n = 4; n <= 64; n *= 2) {
      EXPECT_EQ(steps_of(c, n, Ends::open, Ports::all), n * n / 4) << c << ' ' << n;
      if (n == 4) continue;
      EXPECT_EQ(steps_of(c, n, Ends::wrapped, Ports::all), n * n / 8) << c << ' ' << n;
    }
  }
}

/// Returns the steps of rounds, each with the axes that it has.
std::vector<std::pair<std::size_t, std::vector<std::size_t>>> rounds_of(
    const ClassCounts& counts, const std::vector<std::uint64_t>& lengths) {
  std::vector<std::pair<std::size_t, std::vector<std::size_t>>> result;
  std::vector<std::vector<bool>> used;
  for (const auto& own : counts) used.emplace_back(own.size());
  for (const LinesRound& round : shared_rounds(counts, lengths)) {
    result.emplace_back(round.step_count, std::vector<std::size_t>{});
    for (const auto& along : round.along) {
      EXPECT_FALSE(used.at(along.axis).at(along.permutation));
      used[along.axis][along.permutation] = true;
      EXPECT_EQ(along.class_count, counts[along.axis][along.permutation]);
      result.back().second.push_back(along.axis);
    }
  }
  for (const auto& own : used) EXPECT_EQ(std::count(own.begin(), own.end(), false), 0);
  std::sort(result.begin(), result.end());
  return result;
}

using Rounds = std::vector<std::pair<std::size_t, std::vector<std::size_t>>>;

TEST(SharedRounds, join_the_axes_that_save_blocks_together) {
  EXPECT_EQ(rounds_of({{3, 2}, {3, 2}}, {1, 1}), (Rounds{{2, {0, 1}}, {3, {0, 1}}}));
  EXPECT_EQ(rounds_of({{3}, {3}, {3}, {1}}, {5, 5, 5, 5}), (Rounds{{1, {3}}, {3, {0, 1, 2}}}));
  EXPECT_EQ(rounds_of({{2, 2, 1}, {}, {2}}, {1, 1, 1}), (Rounds{{1, {0}}, {2, {0}}, {2, {0, 2}}}));
}

TEST(SharedRounds, leave_an_axis_alone_whose_long_messages_would_hold_up_the_others) {
  EXPECT_EQ(rounds_of({{1}, {4}}, {8, 1}), (Rounds{{1, {0}}, {4, {1}}}));
  EXPECT_EQ(rounds_of({{3}, {4}}, {8, 1}), (Rounds{{3, {0}}, {4, {1}}}));
  EXPECT_EQ(rounds_of({{4}, {4}}, {8, 1}), (Rounds{{4, {0, 1}}}));
}

TEST(SharedRounds, save_steps_where_blocks_are_equal) {
  EXPECT_EQ(rounds_of({{2}, {4}}, {6, 3}), (Rounds{{4, {0, 1}}}));
}

TEST(LinesPhase, gives_an_axis_its_turn_if_that_takes_fewer_blocks) {
  // The line of 5 takes 6 steps alone, and its closed permutations have 7 classes.
  EXPECT_EQ(LinesPhase(parse_grid("mesh:2x5"), Ports::one, Tie::balanced).step_count(), 7U);
  EXPECT_EQ(LinesPhase(parse_grid("mesh:5x5"), Ports::one, Tie::balanced).step_count(), 8U);
  EXPECT_EQ(LinesPhase(parse_grid("mesh:17x3"), Ports::one, Tie::balanced).step_count(), 72U + 2);
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
