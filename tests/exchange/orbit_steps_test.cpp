#include "exchange/orbit_steps.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "exchange/pattern_phase.hpp"
#include "exchange/walked_moves.hpp"

namespace cubefold {
namespace {

/// Gives the steps of OrbitSteps as the moves of nodes.
struct OrbitMoves {
  Grid grid;
  OrbitSteps steps;

  std::size_t step_count() const { return steps.step_count(); }
  Moves moves_of(GridNode node) const {
    Moves moves;
    for (std::size_t i = 0; i < grid.node_count(); ++i) {
      const auto peer = static_cast<GridNode>(i);
      if (peer == node) continue;
      moves.sends.push_back({steps.step_of(node, peer), peer});
      moves.receives.push_back({steps.step_of(peer, node), peer});
    }
    return moves;
  }
};

TEST(OrbitSteps, lead_to_every_node_once_without_conflicts) {
  for (const char* name : {"grid:3x5w", "torus:4x5", "torus:5x5x2", "torus:6x6", "mesh:3x3x3", "ring:7"}) {
    for (const auto& rules : all_network_rules) {
      const Grid grid = parse_grid(name);
      std::vector<int> axes(grid.axes().size());
      std::iota(axes.begin(), axes.end(), 0);
      const std::size_t least = least_steps(grid, axes, rules.ports, rules.tie);
      const auto steps = OrbitSteps::of(grid, rules, 2 * least, least * 11 / 10);
      ASSERT_TRUE(steps) << name_of(grid, rules);
      EXPECT_EQ(steps->step_count(), least * 11 / 10) << name_of(grid, rules);
      EXPECT_EQ(first_walk_fault(grid, OrbitMoves{grid, *steps}, rules), std::nullopt)
          << name_of(grid, rules);
    }
  }
}

/// Returns the node of a torus:6x6 that a translation takes a node to; node 0 goes to `by`.
GridNode moved(std::uint32_t node, std::uint32_t by) {
  return static_cast<GridNode>((node % 6 + by % 6) % 6 + 6 * ((node / 6 + by / 6) % 6));
}

TEST(OrbitSteps, are_the_same_for_messages_that_a_translation_moves_to_each_other) {
  const auto steps = OrbitSteps::of(parse_grid("torus:6x6"), {Ports::all, Tie::balanced}, 33, 30);
  ASSERT_TRUE(steps);
  const auto keeps_steps = [&](std::uint32_t by) {
    for (std::uint32_t from = 0; from < 36; ++from) {
      for (std::uint32_t to = 0; to < 36; ++to) {
        if (from != to &&
            steps->step_of(moved(from, 0), moved(to, 0)) != steps->step_of(moved(from, by), moved(to, by)))
          return false;
      }
    }
    return true;
  };
  std::size_t count = 0;
  for (std::uint32_t by = 0; by < 36; ++by) count += keeps_steps(by) ? 1U : 0U;
  EXPECT_GT(count, 1U);  // translation 0 moves nobody
}

TEST(OrbitSteps, are_not_found_if_there_are_too_few) {
  const NetworkRules rules{Ports::all, Tie::balanced};
  EXPECT_FALSE(OrbitSteps::of(parse_grid("torus:4x5"), rules, 11, 11));  // a link has 12 messages
}

}  // namespace
}  // namespace cubefold
