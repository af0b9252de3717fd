#include "cubefold/exchange/method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cubefold/simulation/steps.hpp"
#include "exchange/direct_checks.hpp"
#include "exchange/product_phase.hpp"
#include "exchange/walked_moves.hpp"
#include "support/message_of.hpp"
#include "support/sanitizers.hpp"
#include "support/some_grids.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

Schedule direct_under(const Placement& placement, const NetworkRules& rules) {
  return exchange_schedule(direct, placement, rules);
}

void expect_direct(const Placement& placement, const NetworkRules& rules) {
  const Schedule schedule = direct_under(placement, rules);
  EXPECT_EQ(first_exchange_fault(placement, schedule, rules), std::nullopt)
      << name_of(placement.grid(), rules);
  for (const Step& step : schedule.steps) {
    for (const Message& message : step)
      ASSERT_EQ(message.blocks, (std::vector<Block>{{message.from, message.to}}))
          << name_of(placement.grid(), rules);
  }
}

TEST(DirectExchange, sends_every_block_once_without_conflicts_on_all_grids) {
  for (const Grid& grid : some_grids_up_to(16, 36, 6)) {
    for (const auto& rules : all_network_rules) expect_direct(in_place(grid), rules);
  }
}

// A step carries at most one block over each link and, with one port, one block from each node. The bound is therefore
// the number of blocks that cross the busiest link, and with one port at least the p - 1 blocks that a node sends.
TEST(DirectExchange, takes_as_many_steps_as_the_bound_on_all_grids_of_powers_of_two) {
  for (const Grid& grid : power_of_two_grids(10, AxisOrders::ascending)) {
    double crossing = 0;
    for (int axis = 0; axis < grid.axis_count(); ++axis)
      crossing = std::max(crossing, bisection_blocks(grid, axis));
    const auto most = static_cast<std::size_t>(std::ceil(crossing));
    EXPECT_EQ(direct_steps(grid, {Ports::one, Tie::balanced}), std::max(most, grid.node_count() - 1))
        << to_string(grid);
    EXPECT_EQ(direct_steps(grid, {Ports::all, Tie::balanced}), most) << to_string(grid);
  }
}

TEST(DirectExchange, takes_the_time_of_the_bound_where_only_links_and_ports_cost) {
  for (const Grid& grid : some_power_of_two_grids(5, 7, 6)) {
    if (grid.node_count() == 1) continue;
    for (const Ports ports : {Ports::one, Ports::all}) {
      StepModel model;
      model.tau_seconds_per_byte = {1};
      model.ports = ports;
      const NetworkRules rules{ports, Tie::balanced};
      const auto placement = in_place(grid);
      const Schedule schedule = direct_under(placement, rules);
      const auto bound = complete_exchange_bound(grid, 1, model).seconds();
      EXPECT_EQ(simulate_steps(placement, schedule, 1, model).total_seconds, bound) << name_of(grid, rules);
      EXPECT_EQ(first_exchange_fault(placement, schedule, rules), std::nullopt) << name_of(grid, rules);
    }
  }
}

// These grids are too large for a whole schedule, so the messages are checked one by one.
TEST(DirectExchange, is_free_of_conflicts_on_larger_grids) {
  for (const std::size_t node_count : {128U, 256U}) {
    for (const Grid& grid : some_of(grids_of(node_count, AxisOrders::ascending), 12)) {
      const NetworkRules rules;
      EXPECT_EQ(first_walk_fault(grid, direct_phase(grid, rules), rules), std::nullopt) << to_string(grid);
    }
  }
  for (const char* name :
       some_of<const char*>({"torus:4x4x4x4x4", "grid:4x8wx32w", "mesh:24x15",
                             whole_or_sample("torus:16x16x16", "torus:8x8x8"), "grid:20wx18"},
                            3)) {
    const Grid grid = parse_grid(name);
    const NetworkRules rules{name[0] == 'g' ? Ports::all : Ports::one, Tie::balanced};
    EXPECT_EQ(first_walk_fault(grid, direct_phase(grid, rules), rules), std::nullopt) << name;
  }
}

/// Returns the largest ratio of steps to the one-port bound over grids of `axis_count` equal axes. Takes some of the
/// extents from 17 to `longest` whose remainder mod 8 is in `by_8`.
double worst_ratio(std::size_t axis_count, Ends ends, std::uint32_t longest,
                   const std::vector<std::uint32_t>& by_8) {
  std::vector<std::uint32_t> extents;
  for (std::uint32_t extent = 17; extent <= end_of_sweep(longest, std::min(longest, 24U)); ++extent) {
    if (std::count(by_8.begin(), by_8.end(), extent % 8) != 0) extents.push_back(extent);
  }
  double worst = 0;
  for (const std::uint32_t extent : some_of(extents, 4)) {
    const Grid grid(std::vector<std::uint32_t>(axis_count, extent), ends);
    const double crossing = std::ceil(bisection_blocks(grid, 0));
    const double bound = std::max(crossing, static_cast<double>(grid.node_count()) - 1);
    worst = std::max(worst, static_cast<double>(direct_steps(grid, {})) / bound);
  }
  return worst;
}

TEST(DirectExchange, takes_more_steps_than_the_bound_on_other_extents_above_16_as_it_says) {
  const std::vector<std::uint32_t> eights{0}, fours{0, 4}, even{2, 4, 6}, odd{1, 3, 5, 7},
      any{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(worst_ratio(1, Ends::open, 64, any), 1);
  EXPECT_LE(worst_ratio(1, Ends::wrapped, 28, any), 1.06);
  for (const Ends ends : {Ends::open, Ends::wrapped}) EXPECT_LE(worst_ratio(2, ends, 20, any), 1.23);
  for (const std::size_t c : {2UL, 3UL}) EXPECT_EQ(worst_ratio(c, Ends::open, 24, fours), 1) << c;
  EXPECT_LE(worst_ratio(2, Ends::open, 40, any), 1.34);
  EXPECT_LE(worst_ratio(3, Ends::open, 20, any), 1.51);
  const double on_tori[2][3] = {{1.06, 2.18, 3.9}, {1.08, 2.44, 4.32}};
  for (std::size_t c = 2; c <= 3; ++c) {
    EXPECT_LE(worst_ratio(c, Ends::wrapped, 28, eights), on_tori[c - 2][0]) << c;
    EXPECT_LE(worst_ratio(c, Ends::wrapped, 28, even), on_tori[c - 2][1]) << c;
    EXPECT_LE(worst_ratio(c, Ends::wrapped, 28, odd), on_tori[c - 2][2]) << c;
  }
}

// On p = n^c nodes, meshes take p n / 4 steps and tori p n / 8, but with one port at least p - 1.
TEST(DirectExchange, of_equal_extents_takes_pn_over_4_steps_on_meshes_and_half_on_tori) {
  EXPECT_EQ(direct_steps(parse_grid("mesh:8x8"), {}), 128U);
  EXPECT_EQ(direct_steps(parse_grid("mesh:16x16x16"), {}), 16384U);
  EXPECT_EQ(direct_steps(parse_grid("torus:8x8"), {}), 64U);
  EXPECT_EQ(direct_steps(parse_grid("torus:16x16x16"), {}), 8192U);
  EXPECT_EQ(direct_steps(parse_grid("torus:4x4x4"), {}), 63U);
  EXPECT_EQ(direct_steps(parse_grid("torus:4x4x4"), {Ports::all, Tie::balanced}), 32U);
}

TEST(DirectExchange, never_takes_more_steps_than_the_product_of_permutations) {
  for (const char* name :
       some_of<const char*>({whole_or_sample("torus:3x3x3x3x3x3", "torus:3x3x3x3"), "torus:3x3x3x3x3",
                             "grid:14x28w", whole_or_sample("grid:2x14x16w", "grid:14x16w"), "torus:4x4x4",
                             "torus:8x8", "mesh:7x9", "torus:6x5", "grid:10x25w", "ring:4"},
                            3)) {
    for (const auto& rules : all_network_rules) {
      const Grid grid = parse_grid(name);
      const std::size_t product =
          ProductPhase(grid, whole_digits(grid).digits, rules.ports, rules.tie).step_count();
      EXPECT_LE(direct_steps(grid, rules), product) << name_of(grid, rules);
    }
  }
  EXPECT_EQ(direct_steps(parse_grid("torus:3x3x3x3x3x3"), {Ports::all, Tie::balanced}), 243U);
  EXPECT_EQ(direct_steps(parse_grid("torus:8x8"), {Ports::one, Tie::positive}), 80U);
}

TEST(DirectExchange, of_one_node_has_no_steps) {
  for (const char* grid : {"mesh:1x1", "ring:1", "hypercube:0"})
    EXPECT_EQ(direct_under(in_place(parse_grid(grid)), {}), (Schedule{1, {}}));
}

}  // namespace
}  // namespace cubefold
