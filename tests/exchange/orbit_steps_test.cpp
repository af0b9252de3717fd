#include "exchange/orbit_steps.hpp"

#include <gtest/gtest.h>

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
  for (const auto& [name, step_count] : {std::pair{"grid:3x5w", 11U},
                                         {"torus:4x5", 13U},
                                         {"torus:5x5x2", 33U},
                                         {"torus:6x6", 33U},
                                         {"mesh:3x3x3", 19U},
                                         {"grid:2x2x2x5w", 26U}}) {
    for (const Tie tie : {Tie::balanced, Tie::positive}) {
      const Grid grid = parse_grid(name);
      // Ties that all go up put more messages on the links of a ring.
      const auto steps = OrbitSteps::of(grid, tie, tie == Tie::balanced ? step_count : 2 * step_count);
      ASSERT_TRUE(steps) << name;
      const NetworkRules rules{Ports::all, tie};
      EXPECT_EQ(first_walk_fault(grid, OrbitMoves{grid, *steps}, rules), std::nullopt)
          << name_of(grid, rules);
    }
  }
}

TEST(OrbitSteps, are_not_found_if_there_are_too_few) {
  EXPECT_FALSE(OrbitSteps::of(parse_grid("torus:4x5"), Tie::balanced, 11));  // a link has 12 messages
}

}  // namespace
}  // namespace cubefold
