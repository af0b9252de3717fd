#include "exchange/pattern_phase.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "exchange/walked_moves.hpp"
#include "support/some_grids.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

PatternPhase pattern_phase_of(const Grid& grid, const NetworkRules& rules) {
  std::vector<int> axes(grid.axes().size());
  std::iota(axes.begin(), axes.end(), 0);
  return {grid, axes, rules.ports, rules.tie};
}

void expect_no_fault(const Grid& grid, const NetworkRules& rules) {
  EXPECT_EQ(first_walk_fault(grid, pattern_phase_of(grid, rules), rules), std::nullopt)
      << name_of(grid, rules);
}

TEST(PatternPhase, leads_to_every_node_once_without_conflicts) {
  for (const Grid& grid : some_grids_up_to(16, 48, 8)) {
    for (const auto& rules : all_network_rules) expect_no_fault(grid, rules);
  }
}

TEST(PatternPhase, does_so_on_larger_grids) {
  std::vector<Grid> grids;
  for (std::size_t node_count = 49; node_count <= 160; ++node_count) {
    for (const Grid& grid : grids_of(node_count, AxisOrders::ascending)) {
      if (grid.extent(grid.axis_count() - 1) <= 16) grids.push_back(grid);
    }
  }
  for (const Grid& grid : some_of(std::move(grids), 8)) {
    expect_no_fault(grid, {});
    if (grid.node_count() <= 100) expect_no_fault(grid, {Ports::all, Tie::balanced});
  }
}

// These grids use every kind of pattern and every form of combination.
TEST(PatternPhase, does_so_on_large_grids) {
  for (const char* name : some_of<const char*>(
           {"mesh:7x7x7", "torus:13x11", "grid:14x15w", "mesh:14x14", "mesh:13x15", "torus:10x10x5",
            whole_or_sample("torus:9x9x9", "torus:9x9"), whole_or_sample("grid:16x15wx3", "grid:16x15w"),
            whole_or_sample("grid:5x9wx10w", "grid:9wx10w"), whole_or_sample("mesh:7x11x13", "mesh:7x11"),
            whole_or_sample("torus:12x12x12", "torus:12x12"), "torus:24x6"},
           3)) {
    const Grid grid = parse_grid(name);
    expect_no_fault(grid, {});
    if (grid.node_count() <= 512) expect_no_fault(grid, {Ports::all, Tie::balanced});
    if (grid.node_count() <= 512) expect_no_fault(grid, {Ports::one, Tie::positive});
  }
}

TEST(PatternPhase, leaves_the_other_axes_alone) {
  const Grid grid = parse_grid("mesh:5x3x6");
  const PatternPhase phase(grid, {0, 2}, Ports::one, Tie::balanced);
  const Moves moves = phase.moves_of(GridNode{7});
  EXPECT_EQ(moves.sends.size(), 29U);
  for (const auto& [step, peer] : moves.sends) EXPECT_EQ(grid.coordinate(peer, 1), 1U);
  EXPECT_EQ(phase.step_count(), pattern_phase_of(parse_grid("mesh:5x6"), {}).step_count());
}

TEST(PatternPhase, of_all_ports_uses_both_directions_of_all_axes_at_a_time) {
  const NetworkRules rules{Ports::all, Tie::balanced};
  for (const auto& [name, steps] : {std::pair{"ring:5", 3U},
                                    {"torus:5x5", 15U},
                                    {"torus:5x5x5", 75U},
                                    {"torus:7x7", 42U},
                                    {"torus:7x7x7", 294U},
                                    {"torus:3x3x3", 9U}}) {
    EXPECT_EQ(pattern_phase_of(parse_grid(name), rules).step_count(), steps) << name;
  }
}

TEST(PatternPhase, of_no_axes_has_no_steps) {
  const PatternPhase phase(parse_grid("ring:5"), {}, Ports::one, Tie::balanced);
  EXPECT_EQ(phase.step_count(), 0U);
  EXPECT_EQ(phase.moves_of(GridNode{2}), Moves{});
}

}  // namespace
}  // namespace cubefold
