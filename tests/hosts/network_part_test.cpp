#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cubefold/hosts/host_map.hpp"
#include "cubefold/topology/route.hpp"
#include "support/all_grids.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

std::vector<GridNode> nodes_at(const Grid& network, const std::vector<std::vector<std::uint32_t>>& places) {
  std::vector<GridNode> nodes;
  nodes.reserve(places.size());
  for (const auto& place : places) nodes.push_back(network.node_at(place));
  return nodes;
}

std::string part_text(const std::string& network, const std::vector<std::vector<std::uint32_t>>& places) {
  const Grid grid = parse_grid(network);
  const NetworkPart part = part_of(grid, nodes_at(grid, places));
  std::string text = to_string(part.grid) + ":";
  for (const GridNode node : part.nodes) text += " " + std::to_string(static_cast<std::size_t>(node));
  return text;
}

TEST(PartOf, shrinks_an_open_axis_to_the_interval_that_is_used) {
  EXPECT_EQ(part_text("mesh:8x4", {{2, 1}, {5, 2}, {3, 3}}), "mesh:4x3: 0 7 9");
}

TEST(PartOf, opens_a_ring_of_which_less_than_half_is_spanned) {
  EXPECT_EQ(part_text("ring:8", {{2}, {5}}), "line:4: 0 3");
  EXPECT_EQ(part_text("ring:5", {{0}, {2}}), "line:3: 0 2");
}

TEST(PartOf, keeps_a_ring_whole_if_a_shortest_route_may_lead_round_the_other_side) {
  EXPECT_EQ(part_text("ring:8", {{1}, {5}}), "ring:8: 1 5");
  EXPECT_EQ(part_text("ring:4", {{0}, {2}}), "ring:4: 0 2");
  EXPECT_EQ(part_text("ring:5", {{0}, {2}, {3}}), "ring:5: 0 2 3");
}

TEST(PartOf, takes_an_arc_that_leads_over_the_end_of_the_ring) {
  EXPECT_EQ(part_text("ring:8", {{7}, {0}, {1}, {6}}), "line:4: 1 2 3 0");
}

TEST(PartOf, leaves_out_axes_of_one_coordinate) {
  EXPECT_EQ(part_text("torus:4x8x4", {{3, 1, 2}, {3, 2, 2}}), "hypercube:1: 0 1");
  EXPECT_EQ(part_text("torus:4x8x4", {{3, 1, 2}}), "line:1: 0");
  EXPECT_EQ(part_text("hypercube:0", {{}}), "line:1: 0");
}

TEST(PartOf, keeps_a_network_with_a_route_table) {
  EXPECT_EQ(part_text("torus:4x4,cut=0-1", {{0, 0}, {1, 0}}), "torus:4x4,cut=0-1: 0 1");
}

TEST(NetworkOfHosts, is_the_grid_without_empty_nodes_or_with_hosts_where_some_have_several) {
  const Grid ring = parse_grid("ring:4");
  const auto text = [&](std::vector<std::uint32_t> counts) {
    return to_string(network_of_hosts(ring, counts));
  };
  EXPECT_EQ(text({1, 1, 1, 1}), "ring:4");
  EXPECT_EQ(text({1, 0, 1, 1}), "ring:4,without=1");
  EXPECT_EQ(text({1, 0, 2, 1}), "ring:4,hosts=1-0-2-1");
  EXPECT_EQ(text({3, 3, 3, 3}), "ring:4,hosts=3");
  EXPECT_EQ(message_of([&] { text({0, 0, 0, 0}); }), "no node of ring:4 is left");
  EXPECT_EQ(message_of([&] { text({1, 0}); }), "2 numbers of hosts for the 4 nodes of ring:4");
}

TEST(PartOf, refuses_no_nodes) {
  EXPECT_EQ(message_of([] { part_of(parse_grid("ring:4"), {}); }), "part_of: there are no nodes");
}

TEST(PartOf, takes_a_network_that_is_larger_than_memory) {
  EXPECT_EQ(part_text("ring:2147483648", {{2147483647}, {0}}), "hypercube:1: 0 1");
}

/// Returns the first way in which a part is wrong for its nodes, or an empty text. Walks every shortest dimension-order
/// route of the network between the nodes: it has to go where the route of the part goes.
std::string problem_of(const Grid& network, const std::vector<GridNode>& nodes, const NetworkPart& part) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      const auto in_network = distance_hops(network, nodes[i], nodes[j]);
      const auto in_part = distance_hops(part.grid, part.nodes[i], part.nodes[j]);
      if (in_network != in_part) {
        return std::to_string(in_network) + " hops in the network and " + std::to_string(in_part) +
               " in the part";
      }
      for (const Tie tie : {Tie::positive, Tie::balanced}) {
        // A ring that stays whole keeps its coordinates, so ties are resolved alike.
        const auto route_of_network = route(network, nodes[i], nodes[j], tie);
        const auto route_of_part = route(part.grid, part.nodes[i], part.nodes[j], tie);
        for (std::size_t hop = 0; hop < route_of_network.size(); ++hop) {
          if (route_of_network[hop].direction != route_of_part[hop].direction) return "other directions";
        }
      }
    }
  }
  return "";
}

std::vector<GridNode> random_nodes(const Grid& network, std::mt19937& random) {
  std::uniform_int_distribution<std::size_t> node(0, network.node_count() - 1);
  std::uniform_int_distribution<std::size_t> count(1, 4);
  std::set<GridNode> nodes;
  for (std::size_t i = count(random); i > 0; --i) nodes.insert(static_cast<GridNode>(node(random)));
  std::vector<GridNode> result(nodes.begin(), nodes.end());
  std::ranges::shuffle(result, random);
  return result;
}

TEST(PartOf, keeps_the_hops_and_directions_of_all_routes) {
  std::mt19937 random(1);
  for (const Grid& network : grids_up_to(64)) {
    for (int repetition = 0; repetition < 10; ++repetition) {
      const auto nodes = random_nodes(network, random);
      const NetworkPart part = part_of(network, nodes);
      ASSERT_EQ(problem_of(network, nodes, part), "") << to_string(network) << " in " << to_string(part.grid);
    }
  }
}

/// Returns whether the coordinates fit into an arc whose ends are less than half of the ring apart.
bool fit_into_half(const std::vector<GridNode>& nodes, std::uint32_t extent) {
  const auto fits_from = [&](std::uint32_t first) {
    return std::ranges::all_of(nodes, [&](GridNode node) {
      return 2 * ((static_cast<std::uint32_t>(node) + extent - first) % extent) < extent;
    });
  };
  bool fits = false;
  for (std::uint32_t first = 0; first < extent; ++first) fits = fits || fits_from(first);
  return fits;
}

TEST(PartOf, keeps_a_ring_whole_exactly_if_no_half_of_it_has_all_nodes) {
  for (std::uint32_t extent = 3; extent <= 10; ++extent) {
    const Grid ring({{extent, Ends::wrapped}});
    for (std::uint32_t subset = 1; subset < 1U << extent; ++subset) {
      std::vector<GridNode> nodes;
      for (std::uint32_t c = 0; c < extent; ++c)
        if ((subset >> c & 1U) != 0) nodes.push_back(GridNode{c});
      const NetworkPart part = part_of(ring, nodes);
      ASSERT_EQ(problem_of(ring, nodes, part), "") << extent << ", " << subset;
      ASSERT_EQ(part.grid == ring, !fit_into_half(nodes, extent)) << extent << ", " << subset;
    }
  }
}

TEST(PartOf, a_part_with_too_few_wraps_would_be_noticed) {
  const Grid ring = parse_grid("ring:8");
  const std::vector<GridNode> nodes{GridNode{0}, GridNode{5}};
  EXPECT_EQ(problem_of(ring, nodes, {parse_grid("line:6"), nodes}),
            "3 hops in the network and 5 in the part");
  EXPECT_EQ(problem_of(ring, {GridNode{0}, GridNode{4}}, {ring, {GridNode{4}, GridNode{0}}}), "");
  EXPECT_EQ(problem_of(ring, {GridNode{0}, GridNode{3}}, {ring, {GridNode{3}, GridNode{0}}}),
            "other directions");
}

}  // namespace
}  // namespace cubefold
