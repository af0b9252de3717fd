#include "cubefold/simulation/steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cubefold/topology/route.hpp"
#include "support/cc_cube_schedule.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

const char* const small_grids[] = {"line:7",    "ring:7",      "ring:8",       "mesh:3x4",
                                   "torus:3x4", "torus:2x6",   "grid:5wx3",    "ring:2",
                                   "ring:1",    "hypercube:4", "grid:4wx2wx3", "torus:1x5"};

/// Returns the blocks that leave a set of `plane_count` neighbouring planes of an axis, divided by the links that lead
/// out of the set. Counts all pairs of nodes and all links, as the oracle of bisection_blocks().
double blocks_per_link_out_of(const Grid& grid, int axis, std::uint32_t first, std::uint32_t plane_count) {
  const auto inside = [&](GridNode node) {
    return (grid.coordinate(node, axis) + grid.extent(axis) - first) % grid.extent(axis) < plane_count;
  };
  double pairs = 0;
  double links = 0;
  for (std::uint32_t a = 0; a < grid.node_count(); ++a) {
    for (std::uint32_t b = 0; b < grid.node_count(); ++b)
      pairs += inside(GridNode{a}) && !inside(GridNode{b}) ? 1 : 0;
  }
  for (const Link& link : links_of(grid)) links += inside(link.from) && !inside(end_of(grid, link)) ? 1 : 0;
  return pairs / links;
}

TEST(BisectionBlocks, are_those_of_the_worst_of_all_cuts_across_the_axis) {
  for (const char* text : small_grids) {
    const Grid grid = parse_grid(text);
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      double worst = 0;
      for (std::uint32_t first = 0; first < grid.extent(axis); ++first) {
        for (std::uint32_t count = 1; count < grid.extent(axis); ++count) {
          worst = std::max(worst, blocks_per_link_out_of(grid, axis, first, count));
        }
      }
      EXPECT_EQ(bisection_blocks(grid, axis), worst) << text << ' ' << axis;
    }
  }
}

// With p = n^c nodes, the known bounds are p n / 4 on meshes and p n / 8 on tori. On hypercubes the bound is p / 2.
TEST(BisectionBlocks, are_the_known_bounds_on_equal_axes) {
  EXPECT_EQ(bisection_blocks(parse_grid("mesh:8x8"), 1), 64 * 8 / 4);
  EXPECT_EQ(bisection_blocks(parse_grid("mesh:4x4x4"), 2), 64 * 4 / 4);
  EXPECT_EQ(bisection_blocks(parse_grid("torus:8x8"), 0), 64 * 8 / 8);
  EXPECT_EQ(bisection_blocks(parse_grid("torus:16x16x16"), 0), 4096 * 16 / 8);
  EXPECT_EQ(bisection_blocks(parse_grid("hypercube:6"), 3), 64 / 2);
}

TEST(StartupBound, is_the_logarithm_of_the_nodes_to_the_ports_and_one_more) {
  EXPECT_EQ(startup_bound(parse_grid("ring:1"), Ports::one), 0U);
  EXPECT_EQ(startup_bound(parse_grid("ring:8"), Ports::one), 3U);
  EXPECT_EQ(startup_bound(parse_grid("ring:9"), Ports::one), 4U);
  EXPECT_EQ(startup_bound(parse_grid("ring:9"), Ports::all), 2U);     // 2 links reach 3, then 9 nodes
  EXPECT_EQ(startup_bound(parse_grid("torus:4x4"), Ports::all), 2U);  // 4 links reach 5, then 25 nodes
  EXPECT_EQ(startup_bound(parse_grid("line:2"), Ports::all), 1U);     // 1 link reaches 2 nodes
  EXPECT_EQ(startup_bound(parse_grid("grid:2wx3"), Ports::all), 2U);  // 3 links reach 4, then 16 nodes
}

TEST(CompleteExchangeBound, takes_the_worst_axis_by_its_own_tau_and_one_port_or_none) {
  const Grid grid = parse_grid("mesh:8x2");
  StepModel model{.alpha_seconds = 10, .tau_seconds_per_byte = {1, 100}, .barrier_seconds = 1000};
  const auto one = complete_exchange_bound(grid, 3, model);
  EXPECT_EQ(one.startup_seconds, 10 * 4);
  EXPECT_EQ(one.link_seconds,
            100 * 3 * 8);  // 8 x 8 blocks cross the 8 links of axis 1; axis 0 has 32 at tau 1
  EXPECT_EQ(one.port_seconds, 15 * 3);
  EXPECT_EQ(one.seconds(), 40 + 2400 + 1000);
  model.ports = Ports::all;
  EXPECT_EQ(complete_exchange_bound(grid, 3, model).port_seconds, 0);
  EXPECT_EQ(complete_exchange_bound(parse_grid("mesh:1x1"), 3, model).seconds(), 0);
}

Schedule all_at_once(std::size_t rank_count) {
  Schedule schedule{rank_count, {{}}};
  for (std::uint32_t a = 0; a < rank_count; ++a) {
    for (std::uint32_t b = 0; b < rank_count; ++b) {
      if (a != b) schedule.steps[0].push_back({Rank{a}, Rank{b}, {{Rank{a}, Rank{b}}}});
    }
  }
  return schedule;
}

TEST(CompleteExchangeBound, is_beaten_by_no_exchange) {
  const auto holds = [](const char* text, const Placement& placement, const Schedule& schedule) {
    StepModel model{.alpha_seconds = 2, .barrier_seconds = 1};
    for (const double last_tau : {0.125, 1.0, 8.0}) {
      model.tau_seconds_per_byte.assign(placement.grid().axes().size(), 1);
      model.tau_seconds_per_byte.back() = last_tau;
      for (const Ports ports : {Ports::one, Ports::all}) {
        model.ports = ports;
        EXPECT_GE(simulate_steps(placement, schedule, 4, model).total_seconds,
                  complete_exchange_bound(placement.grid(), 4, model).seconds())
            << text;
      }
    }
  };
  for (const char* text : small_grids) {
    const Placement placement(parse_grid(text), {});
    holds(text, placement, all_at_once(placement.rank_count()));
  }
  for (const char* text : {"ring:8", "mesh:4x4", "torus:8x8", "hypercube:5", "grid:8wx4"}) {
    const Placement placement(parse_grid(text), parse_placement("xor"));
    holds(text, placement, cc_cube_exchange(dimension_count(placement)));
  }
}

double direct_over_bound(const char* text) {
  const StepModel model{.tau_seconds_per_byte = {1}, .ports = Ports::all, .tie = Tie::balanced};
  const Placement placement(parse_grid(text), {});
  return simulate_steps(placement, all_at_once(placement.rank_count()), 4, model).total_seconds /
         complete_exchange_bound(placement.grid(), 4, model).seconds();
}

TEST(CompleteExchangeBound, is_met_by_direct_routes_with_all_ports) {
  for (const char* text : {"mesh:4x4", "mesh:3x6", "torus:4x4", "torus:8x8", "hypercube:5", "line:7",
                           "ring:7", "ring:12", "grid:8wx3", "grid:6x4w"}) {
    EXPECT_EQ(direct_over_bound(text), 1) << text;
  }
}

// The blocks of 9 pairs of nodes leave half a ring of 6 over 2 links, so one link carries 5 of them.
TEST(CompleteExchangeBound, is_missed_by_half_a_block_where_half_a_ring_is_odd) {
  EXPECT_EQ(direct_over_bound("ring:6"), 5 / 4.5);
}

TEST(CompleteExchangeBound, refuses_what_is_no_time) {
  EXPECT_EQ(message_of([] { complete_exchange_bound(parse_grid("ring:4"), 1, {.alpha_seconds = -2}); }),
            "complete_exchange_bound: alpha -2 is not a time");
}

}  // namespace
}  // namespace cubefold
