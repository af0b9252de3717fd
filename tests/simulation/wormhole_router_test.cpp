#include "simulation/wormhole.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <stdexcept>

namespace cubefold {
namespace {

/// Calls visit(here, to) for every pair of nodes.
template <typename Visit>
void for_each_pair(const Grid& grid, Visit visit) {
  for (std::uint32_t here = 0; here < grid.node_count(); ++here) {
    for (std::uint32_t to = 0; to < grid.node_count(); ++to) visit(GridNode{here}, GridNode{to});
  }
}

/// Returns the number of routes that the router allows between two nodes.
std::uint64_t way_count(const Grid& grid, const Router& router, GridNode here, GridNode to) {
  if (here == to) return 1;
  std::uint64_t count = 0;
  for (const Link& link : router(here, to)) count += way_count(grid, router, end_of(grid, link), to);
  return count;
}

/// Returns a router that allows every shortest route, with the hops of the axes in any order.
Router fully_adaptive(const Grid& grid) {
  return [grid](GridNode here, GridNode to) {
    std::vector<Link> links;
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      const auto steps = axis_steps(grid, axis, here, to, Tie::positive);
      if (steps != 0) links.push_back({here, axis, steps > 0 ? Direction::positive : Direction::negative});
    }
    return links;
  };
}

/// Returns a dimension-order router for any grid. dimension_order() refuses rings.
Router first_link_of_route(const Grid& grid) {
  return [grid](GridNode here, GridNode to) {
    auto links = route(grid, here, to, Tie::positive);
    if (links.size() > 1) links.resize(1);
    return links;
  };
}

TEST(DimensionOrder, takes_the_links_of_the_route) {
  for (const char* text : {"hypercube:5", "mesh:4x3x2", "line:7", "torus:2x2"}) {
    const Grid grid = parse_grid(text);
    const Router router = dimension_order(grid);
    for_each_pair(grid, [&](GridNode from, GridNode to) {
      GridNode here = from;
      for (const Link& link : route(grid, from, to, Tie::positive)) {
        ASSERT_EQ(router(here, to), std::vector<Link>{link}) << text;
        here = end_of(grid, link);
      }
      EXPECT_TRUE(router(here, to).empty());
    });
  }
}

TEST(NegativeFirst, offers_only_links_that_bring_a_message_nearer) {
  for (const char* text : {"hypercube:6", "mesh:4x3x3", "torus:2x2x2"}) {
    const Grid grid = parse_grid(text);
    const Router router = negative_first(grid);
    for_each_pair(grid, [&](GridNode here, GridNode to) {
      const auto links = router(here, to);
      EXPECT_EQ(links.empty(), here == to);
      for (const Link& link : links) {
        EXPECT_EQ(link.from, here);
        EXPECT_EQ(distance_hops(grid, end_of(grid, link), to) + 1, distance_hops(grid, here, to));
      }
    });
  }
}

// With h_1 falling and h_0 rising bits, P-cube allows h_1! h_0! routes. Source: Glass and Ni 1992.
TEST(NegativeFirst, leaves_open_every_order_of_the_falling_bits_and_then_of_the_rising_ones) {
  const Grid grid = parse_grid("hypercube:5");
  const Router router = negative_first(grid);
  const std::uint64_t factorial[] = {1, 1, 2, 6, 24, 120};  // NOLINT(modernize-avoid-c-arrays)
  for_each_pair(grid, [&](GridNode from, GridNode to) {
    const auto a = static_cast<std::uint32_t>(from);
    const auto b = static_cast<std::uint32_t>(to);
    EXPECT_EQ(way_count(grid, router, from, to),
              factorial[std::popcount(a & ~b)] * factorial[std::popcount(b & ~a)]);
  });
}

TEST(NegativeFirst, prefers_the_lowest_dimension_of_its_phase) {
  const Router router = negative_first(parse_grid("hypercube:4"));
  const auto falling = router(GridNode{0b1011}, GridNode{0b0100});
  EXPECT_EQ(falling, (std::vector<Link>{{GridNode{0b1011}, 0, Direction::negative},
                                        {GridNode{0b1011}, 1, Direction::negative},
                                        {GridNode{0b1011}, 3, Direction::negative}}));
  EXPECT_EQ(router(GridNode{0}, GridNode{0b0110}).front(), (Link{GridNode{0}, 1, Direction::positive}));
}

TEST(Routers, refuse_a_ring_and_name_its_axis) {
  for (const auto& make : {dimension_order, negative_first}) {
    EXPECT_THROW(make(parse_grid("ring:4")), std::invalid_argument);
    try {
      make(parse_grid("grid:4x3w"));
      FAIL() << "a ring was taken";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("axis 1 of grid:4x3w is a ring"), std::string::npos);
    }
  }
}

TEST(CyclicWaits, are_impossible_in_dimension_order_and_negative_first) {
  for (const char* text : {"hypercube:0", "hypercube:6", "mesh:5x4", "mesh:3x3x3", "line:6"}) {
    const Grid grid = parse_grid(text);
    EXPECT_TRUE(is_free_of_cyclic_waits(grid, dimension_order(grid))) << text;
    EXPECT_TRUE(is_free_of_cyclic_waits(grid, negative_first(grid))) << text;
  }
}

TEST(CyclicWaits, are_found_on_rings_and_where_every_shortest_way_is_open) {
  const Grid ring = parse_grid("ring:5");
  EXPECT_FALSE(is_free_of_cyclic_waits(ring, first_link_of_route(ring)));
  for (const char* text : {"hypercube:2", "mesh:4x4"}) {
    const Grid grid = parse_grid(text);
    EXPECT_FALSE(is_free_of_cyclic_waits(grid, fully_adaptive(grid))) << text;
  }
}

TEST(CyclicWaits, are_impossible_on_a_ring_of_3_where_every_way_is_one_hop) {
  const Grid ring = parse_grid("ring:3");
  EXPECT_TRUE(is_free_of_cyclic_waits(ring, first_link_of_route(ring)));
}

}  // namespace
}  // namespace cubefold
