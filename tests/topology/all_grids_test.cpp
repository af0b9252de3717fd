#include "support/all_grids.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace cubefold {
namespace {

std::set<std::string> names_of(const std::vector<Grid>& grids) {
  std::set<std::string> names;
  for (const Grid& grid : grids) names.insert(to_string(grid));
  return names;
}

TEST(AllGrids, of_eight_nodes_are_seven) {
  EXPECT_EQ(names_of(grids_of(8)), (std::set<std::string>{"line:8", "ring:8", "mesh:2x4", "grid:2x4w",
                                                          "mesh:4x2", "grid:4wx2", "hypercube:3"}));
  EXPECT_EQ(grids_of(8).size(), 7U);
}

TEST(AllGrids, of_one_node_are_the_one_without_axes) {
  ASSERT_EQ(grids_of(1).size(), 1U);
  EXPECT_EQ(grids_of(1)[0].axis_count(), 0);
}

TEST(AllGrids, differ_and_have_their_number_of_nodes) {
  std::set<std::vector<std::pair<std::uint32_t, Ends>>> seen;
  for (const Grid& grid : grids_up_to(64)) {
    EXPECT_LE(grid.node_count(), 64U);
    std::vector<std::pair<std::uint32_t, Ends>> axes;
    for (const Axis& axis : grid.axes()) axes.emplace_back(axis.extent, axis.ends);
    EXPECT_TRUE(seen.insert(axes).second) << to_string(grid);
  }
}

// Let x^d stand for a grid of 2^d nodes. There is one kind of axis with 2 nodes, and there are two kinds with 2^k nodes
// for k > 1. So the numbers of grids with ordered axes are the coefficients of 1 / (1 - x - 2 x^2 / (1 - x)) = (1 - x)
// / (1 - 2x - x^2), which are half of the Pell-Lucas numbers.
TEST(AllGrids, of_powers_of_two_are_counted_by_a_recurrence) {
  std::size_t before = 1;  // d = 0
  std::size_t count = 1;   // d = 1
  for (int d = 2; d <= 9; ++d) {
    const std::size_t next = 2 * count + before;
    EXPECT_EQ(grids_of(std::size_t{1} << d).size(), next) << d;
    before = count;
    count = next;
  }
}

TEST(AllGrids, in_ascending_order_are_one_for_each_set_of_axes) {
  EXPECT_EQ(names_of(grids_of(8, AxisOrders::ascending)),
            (std::set<std::string>{"line:8", "ring:8", "mesh:2x4", "grid:2x4w", "hypercube:3"}));
  EXPECT_EQ(names_of(grids_of(16, AxisOrders::ascending)),
            (std::set<std::string>{"line:16", "ring:16", "mesh:2x8", "grid:2x8w", "mesh:4x4", "grid:4x4w",
                                   "torus:4x4", "grid:2x2x4w", "mesh:2x2x4", "hypercube:4"}));
}

}  // namespace
}  // namespace cubefold
