#include <gtest/gtest.h>

#include <algorithm>

#include "cubefold/simulation/steps.hpp"
#include "exchange/exchange_checks.hpp"
#include "support/some_grids.hpp"

namespace cubefold {
namespace {

Schedule rotated_under(const Placement& placement, const NetworkRules& rules) {
  return exchange_schedule({ExchangeAlgorithm::axis_rotated, {}}, placement, rules);
}

TEST(AxisRotatedExchange, delivers_every_block_without_conflicts_on_all_grids) {
  for (const Grid& grid : some_grids_up_to(16, 36, 6)) {
    for (const auto& rules : all_network_rules) {
      const auto placement = in_place(grid);
      EXPECT_EQ(first_exchange_fault(placement, rotated_under(placement, rules), rules), std::nullopt)
          << name_of(grid, rules);
    }
  }
}

TEST(AxisRotatedExchange, is_free_of_conflicts_on_larger_grids) {
  for (const char* name :
       {"torus:16x16", "mesh:6x6x6", "grid:8wx24", "torus:5x7x3", "hypercube:8", "torus:4x4x4x4"}) {
    const auto placement = in_place(parse_grid(name));
    for (const Ports ports : {Ports::one, Ports::all}) {
      const NetworkRules rules{ports, Tie::balanced};
      EXPECT_EQ(first_exchange_fault(placement, rotated_under(placement, rules), rules), std::nullopt)
          << name_of(placement.grid(), rules);
    }
  }
}

TEST(AxisRotatedExchange, shares_blocks_out_equally_where_the_number_of_axes_divides_the_extents) {
  for (const char* name : {"mesh:4x6", "torus:4x4", "mesh:3x3x3", "grid:6wx3x3w", "hypercube:2", "line:7"}) {
    const auto placement = in_place(parse_grid(name));
    const Grid& grid = placement.grid();
    for (const Step& step : rotated_under(placement, {}).steps) {
      for (const Message& message : step) {
        for (int axis = 0; axis < grid.axis_count(); ++axis) {
          if (grid.coordinate(placement.node_of(message.from), axis) ==
              grid.coordinate(placement.node_of(message.to), axis))
            continue;
          EXPECT_EQ(message.blocks.size() * grid.extent(axis) * static_cast<std::size_t>(grid.axis_count()),
                    grid.node_count())
              << name;
        }
      }
    }
  }
}

/// Returns the time of the exchange divided by complete_exchange_bound(), in a model in which only transmission costs
/// time.
double ratio_to_bound(const char* name, Ports ports) {
  StepModel model;
  model.tau_seconds_per_byte = {1};
  model.ports = ports;
  const auto placement = in_place(parse_grid(name));
  const auto seconds =
      simulate_steps(placement, rotated_under(placement, {ports, Tie::balanced}), 1, model).total_seconds;
  return seconds / complete_exchange_bound(placement.grid(), 1, model).seconds();
}

TEST(AxisRotatedExchange, reaches_the_bisection_bound_where_an_axis_has_as_many_classes_as_there_are_axes) {
  for (const char* name : {"line:16", "ring:16", "mesh:8x8", "torus:16x16"}) {
    EXPECT_EQ(ratio_to_bound(name, Ports::one), 1) << name;
  }
  for (const char* name : {"mesh:4x4", "torus:8x8", "mesh:8x8"}) {
    EXPECT_EQ(ratio_to_bound(name, Ports::all), 1) << name;
  }
}

TEST(AxisRotatedExchange, of_equal_axes_takes_as_many_phases_as_there_are) {
  const auto steps = [](const char* name) {
    return rotated_under(in_place(parse_grid(name)), {}).steps.size();
  };
  EXPECT_EQ(steps("mesh:8x8"), 2U * 16);
  EXPECT_EQ(steps("torus:8x8"), 2U * 14);
  EXPECT_EQ(steps("torus:16x16"), 2U * 32);
  EXPECT_EQ(steps("mesh:7x7"), 2U * 12);
  EXPECT_EQ(steps("mesh:4x4x4"), 3U * 9);
  EXPECT_EQ(steps("mesh:8x8x8"), 3U * 21);
  EXPECT_EQ(steps("torus:8x8x8"), 3U * 21);
}

TEST(AxisRotatedExchange, of_one_node_has_no_steps) {
  EXPECT_EQ(rotated_under(in_place(parse_grid("mesh:1x1")), {}), (Schedule{1, {}}));
}

}  // namespace
}  // namespace cubefold
