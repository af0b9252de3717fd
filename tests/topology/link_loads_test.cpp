#include "cubefold/topology/link_loads.hpp"

#include <gtest/gtest.h>

namespace cubefold {
namespace {

/// Returns the loads of an even ring on which every node sends one message to the opposite node.
LinkLoads opposite_on_ring(std::uint32_t extent, Tie tie) {
  LinkLoads loads(Grid({extent}, Ends::wrapped), tie);
  for (std::uint32_t n = 0; n < extent; ++n) loads.add(GridNode{n}, GridNode{(n + extent / 2) % extent});
  return loads;
}

TEST(LinkLoads, are_half_a_ring_upwards_and_none_downwards_when_ties_go_up) {
  const LinkLoads loads = opposite_on_ring(8, Tie::positive);
  for (std::uint32_t n = 0; n < 8; ++n) {
    EXPECT_EQ(loads.on({GridNode{n}, 0, Direction::positive}), 4U);
    EXPECT_EQ(loads.on({GridNode{n}, 0, Direction::negative}), 0U);
  }
}

TEST(LinkLoads, are_the_same_both_ways_when_ties_are_balanced) {
  const LinkLoads loads = opposite_on_ring(8, Tie::balanced);
  for (std::uint32_t n = 0; n < 8; ++n) {
    EXPECT_EQ(loads.on({GridNode{n}, 0, Direction::positive}), 2U);
    EXPECT_EQ(loads.on({GridNode{n}, 0, Direction::negative}), 2U);
  }
  EXPECT_EQ(loads.busiest(), 2U);
}

/// These grids have open and wrapped axes, and extents of 1, 2, 3 and more, both odd and even.
const char* const assorted_grids[] = {"ring:8",   "ring:7", "line:5",      "torus:4x6",  "grid:5wx3x4w",
                                      "mesh:1x4", "ring:2", "hypercube:4", "torus:3x2x4"};

TEST(LinkLoads, are_what_walking_every_route_counts) {
  for (const char* text : assorted_grids) {
    for (const Tie tie : {Tie::positive, Tie::balanced}) {
      const Grid grid = parse_grid(text);
      LinkLoads loads(grid, tie);
      std::vector<std::uint64_t> counted(link_index_count(grid));
      for (std::uint32_t a = 0; a < grid.node_count(); ++a) {
        // The pairs are not symmetric. Otherwise errors of one direction could cancel those of the other.
        for (std::uint32_t b = 0; b < grid.node_count(); b += 1 + a % 3) {
          loads.add(GridNode{a}, GridNode{b});
          for (const Link& link : route(grid, GridNode{a}, GridNode{b}, tie))
            ++counted[link_index(grid, link)];
        }
      }
      EXPECT_EQ(loads.by_link_index(), counted) << text;
      for (const Link& link : links_of(grid)) {
        EXPECT_EQ(loads.on(link), counted[link_index(grid, link)]) << text;
      }
    }
  }
}

TEST(LinkLoads, count_a_message_as_often_as_is_said) {
  const Grid grid = parse_grid("torus:5x4");
  LinkLoads one_by_one(grid, Tie::balanced);
  LinkLoads together(grid, Tie::balanced);
  for (const auto& [from, to, count] :
       {std::tuple{0U, 3U, 2U}, {7U, 19U, 3U}, {19U, 0U, 1U}, {4U, 16U, 0U}}) {
    for (std::uint32_t i = 0; i < count; ++i) one_by_one.add(GridNode{from}, GridNode{to});
    together.add(GridNode{from}, GridNode{to}, count);
  }
  EXPECT_EQ(together.by_link_index(), one_by_one.by_link_index());
}

TEST(LinkLoads, add_up_to_the_hops_of_all_messages) {
  const Grid grid = parse_grid("grid:5wx3x4w");
  LinkLoads loads(grid, Tie::balanced);
  std::uint64_t hops = 0;
  for (std::uint32_t a = 0; a < grid.node_count(); ++a) {
    for (std::uint32_t b = 0; b < grid.node_count(); b += 7) {
      loads.add(GridNode{a}, GridNode{b});
      hops += distance_hops(grid, GridNode{a}, GridNode{b});
    }
  }
  EXPECT_EQ(loads.total_hops(), hops);
}

// Spec section 5 gives the bisection bound of a complete exchange: pn/4 on a mesh and pn/8 on a torus of n x n = p
// nodes.
TEST(LinkLoads, of_a_complete_exchange_are_the_bisection_bound) {
  for (const auto& [text, bound] : {std::pair{"mesh:4x4", 16 * 4 / 4},
                                    {"torus:4x4", 16 * 4 / 8},
                                    {"mesh:8x8", 64 * 8 / 4},
                                    {"torus:8x8", 64 * 8 / 8},
                                    {"hypercube:5", 32 / 2}}) {
    const Grid grid = parse_grid(text);
    LinkLoads loads(grid, Tie::balanced);
    for (std::uint32_t a = 0; a < grid.node_count(); ++a) {
      for (std::uint32_t b = 0; b < grid.node_count(); ++b) loads.add(GridNode{a}, GridNode{b});
    }
    EXPECT_EQ(loads.busiest(), static_cast<std::uint64_t>(bound)) << text;
  }
}

TEST(LinkLoads, of_a_grid_without_links_are_0) {
  LinkLoads loads(parse_grid("hypercube:0"), Tie::positive);
  loads.add(GridNode{0}, GridNode{0});
  EXPECT_EQ(loads.busiest(), 0U);
}

}  // namespace
}  // namespace cubefold
