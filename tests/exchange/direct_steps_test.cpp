// Compares the steps of the direct exchange with their bound.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "exchange/direct_checks.hpp"
#include "support/sanitizers.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

bool has_extents_to_16_on_4_axes(const Grid& grid) {
  return grid.axis_count() <= 4 && std::all_of(grid.axes().begin(), grid.axes().end(),
                                               [](const Axis& axis) { return axis.extent <= 16; });
}

class DirectExchangeSteps : public testing::TestWithParam<Ports> {};

/// Returns grids of up to 1000 nodes. Up to 400 nodes the steps may take a search, so not all numbers of nodes above
/// 256 are there.
std::vector<Grid> grids_of_up_to_1000_nodes() {
  std::vector<Grid> grids;
  for (std::size_t node_count = 2; node_count <= 1000; node_count += node_count < 256 ? 1 : 8) {
    for (const Grid& grid : grids_of(node_count, AxisOrders::ascending)) {
      if (has_extents_to_16_on_4_axes(grid)) grids.push_back(grid);
    }
  }
  return grids;
}

TEST_P(DirectExchangeSteps, are_few_more_than_the_bound_on_extents_up_to_16) {
  const auto is_small = [](const Grid& grid) { return grid.node_count() <= 64; };
  const auto grids = small_and_some_of(grids_of_up_to_1000_nodes(), is_small, 8);
  double logarithms = 0;
  for (const Grid& grid : grids) {
    const double ratio = steps_over_bound(grid, {GetParam(), Tie::balanced});
    EXPECT_LE(ratio, grid.node_count() <= 256 ? 1.1 : 1.25) << to_string(grid);
    logarithms += std::log(ratio);
  }
  // This mean of all grids says nothing of some of them.
  if (sweeps_take_all() && !sanitized) {
    EXPECT_LE(std::exp(logarithms / static_cast<double>(grids.size())), 1.003);
  }
}

// ./dev sweep checks the messages of some of these grids.
TEST_P(DirectExchangeSteps, are_at_most_a_quarter_more_than_the_bound_on_grids_to_4096_nodes) {
  for (const Grid& grid : some_of(sample_of_grids(401, 4096, 1), 24)) {
    for (const NetworkRules rules : {NetworkRules{GetParam(), Tie::balanced}, {GetParam(), Tie::positive}})
      EXPECT_LE(steps_over_bound(grid, rules), 1.25) << name_of(grid, rules);
  }
}

TEST_P(DirectExchangeSteps, are_few_more_than_the_bound_of_ties_that_all_go_up) {
  const NetworkRules rules{GetParam(), Tie::positive};
  for (const Grid& grid : sample_of_grids(4, 256, sanitized ? 131 : 13))
    EXPECT_LE(steps_over_bound(grid, rules), 1.1) << name_of(grid, rules);
}

INSTANTIATE_TEST_SUITE_P(Ports, DirectExchangeSteps, testing::Values(Ports::one, Ports::all),
                         [](const auto& ports) { return std::string(to_string(ports.param)); });

}  // namespace
}  // namespace cubefold
