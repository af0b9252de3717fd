// Networks of which some nodes only pass messages on.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "cubefold/topology/route.hpp"
#include "support/message_of.hpp"
#include "topology/balanced_routes.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {
namespace {

/// Returns the numbers of the vertices in the whole network: the nodes that are left, then those that are missing.
std::vector<std::uint32_t> whole_numbers(std::size_t node_count, const std::vector<GridNode>& missing) {
  std::vector<std::uint32_t> numbers(node_count);
  for (std::uint32_t i = 0; i < node_count; ++i) numbers[i] = i;
  std::stable_partition(numbers.begin(), numbers.end(),
                        [&](std::uint32_t node) { return std::ranges::count(missing, GridNode{node}) == 0; });
  return numbers;
}

/// Returns the nodes that a route visits, after its first node.
std::vector<std::uint32_t> visited(const Grid& grid, std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t> nodes;
  for (const Link& link : route(grid, GridNode{from}, GridNode{to}, Tie::balanced))
    nodes.push_back(static_cast<std::uint32_t>(end_of(grid, link)));
  return nodes;
}

void expect_routes_of_the_whole(const Grid& whole, const std::vector<GridNode>& missing) {
  const Grid left = without_nodes(whole, missing);
  ASSERT_EQ(left.node_count() + missing.size(), whole.node_count());
  EXPECT_EQ(left.route_table()->switch_count(), missing.size());
  EXPECT_EQ(links_of(left).size(), links_of(whole).size());
  const auto numbers = whole_numbers(whole.node_count(), missing);
  for (std::uint32_t from = 0; from < left.node_count(); ++from) {
    for (std::uint32_t to = 0; to < left.node_count(); ++to) {
      auto nodes = visited(left, from, to);
      for (std::uint32_t& node : nodes) node = numbers[node];
      EXPECT_EQ(nodes, visited(whole, numbers[from], numbers[to])) << to_string(left);
    }
  }
}

TEST(WithoutNodes, keeps_the_routes_between_the_nodes_that_are_left) {
  for (const char* name : {"ring:5", "ring:6", "torus:4x4", "mesh:3x4", "grid:4wx2x3", "hypercube:4",
                           "torus:4x4,cut=0-1", "torus:3x4~1", "hyperx:3x4"}) {
    const Grid whole = parse_grid(name);
    const auto last = static_cast<std::uint32_t>(whole.node_count() - 1);
    for (std::uint32_t node = 0; node <= last; ++node) expect_routes_of_the_whole(whole, {GridNode{node}});
    expect_routes_of_the_whole(whole, {GridNode{last}, GridNode{0}, GridNode{3}});
  }
}

TEST(WithoutNodes, leaves_out_nodes_of_a_network_that_lacks_some_already) {
  const Grid twice = parse_grid("torus:3x3,without=0,without=0");
  EXPECT_EQ(twice.route_table()->switch_count(), 2U);
  for (std::uint32_t from = 0; from < 7; ++from) {
    for (std::uint32_t to = 0; to < 7; ++to)
      EXPECT_EQ(distance_hops(twice, GridNode{from}, GridNode{to}),
                distance_hops(parse_grid("torus:3x3"), GridNode{from + 2}, GridNode{to + 2}));
  }
}

TEST(WithoutNodes, has_a_name_that_is_read_as_the_same_network) {
  for (const char* name : {"torus:4x4,without=3-7", "torus:4x4,cut=0-1,without=0", "hyperx:3x4,without=5",
                           "torus:3x3,without=0,without=0-4"}) {
    const Grid grid = parse_grid(name);
    EXPECT_EQ(to_string(grid), name);
    EXPECT_EQ(parse_grid(to_string(grid)), grid);
  }
  EXPECT_EQ(to_string(without_nodes(parse_grid("ring:5"), {GridNode{3}, GridNode{1}})), "ring:5,without=1-3");
  EXPECT_EQ(without_nodes(parse_grid("ring:5"), {}), parse_grid("ring:5"));
}

TEST(WithoutNodes, has_loads_that_are_those_of_all_routes) {
  for (const char* name : {"torus:4x4,without=3-7", "mesh:5x5,without=0-6-12-13", "hyperx:3x4,without=5",
                           "torus:4x4,cut=0-1,without=0-9"}) {
    const Grid grid = parse_grid(name);
    LinkLoads loads(grid, Tie::balanced);
    for (std::uint32_t from = 0; from < grid.node_count(); ++from)
      for (std::uint32_t to = 0; to < grid.node_count(); ++to) loads.add(GridNode{from}, GridNode{to});
    EXPECT_EQ(all_to_all_loads(*grid.route_table()), loads.by_link_index()) << name;
    const double bound =
        all_to_all_bound(grid, grid.route_table()->links(), grid.route_table()->switch_count());
    EXPECT_LE(bound, static_cast<double>(loads.busiest())) << name;
    EXPECT_GE(bound, 0.5 * static_cast<double>(loads.busiest())) << name;
  }
}

TEST(WithoutNodes, refuses_nodes_that_cannot_be_left_out) {
  const auto message = [](const char* name) { return message_of([&] { parse_grid(name); }); };
  EXPECT_EQ(message("ring:5,without=5"), "grid 'ring:5,without=5': ring:5 has no node 5");
  EXPECT_EQ(message("ring:5,without=1-1"), "grid 'ring:5,without=1-1': node 1 is left out twice");
  EXPECT_EQ(message("ring:3,without=0-1-2"), "grid 'ring:3,without=0-1-2': no node of ring:3 is left");
  EXPECT_EQ(message("ring:5,without="), "grid 'ring:5,without=': expected a number at ''");
  EXPECT_EQ(message("ring:5,without=1,cut=0-1"),
            "grid 'ring:5,without=1,cut=0-1': unexpected ',cut=0-1' at the end");
  EXPECT_EQ(
      message("torus:64x64,without=1"),
      "grid 'torus:64x64,without=1': 4096 nodes; the most of a network without some of its nodes is 1024");
}

// Four nodes and a switch that joins them. One link of the switch has twice the rate.
const std::vector<TableLink> star_links{{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 0}, {4, 1}, {4, 2}, {4, 3, 2}};

TEST(BalancedRoutes, go_through_switches) {
  const Grid nodes({{4, Ends::open}});
  const Grid star({{4, Ends::open}}, balanced_routes(nodes, star_links, 1), "star");
  for (std::uint32_t from = 0; from < 4; ++from)
    for (std::uint32_t to = 0; to < 4; ++to)
      EXPECT_EQ(distance_hops(star, GridNode{from}, GridNode{to}), from == to ? 0U : 2U);
  EXPECT_EQ(all_to_all_bound(nodes, star_links, 1), 3);
  EXPECT_EQ(all_to_all_loads(*star.route_table()), (std::vector<std::uint64_t>(8, 3)));
}

TEST(BalancedRoutes, ignore_a_switch_that_leads_nowhere) {
  const std::vector<TableLink> links{{0, 1}, {0, 2}, {1, 0}};
  const Grid pair({{2, Ends::open}}, balanced_routes(Grid({{2, Ends::open}}), links, 1), "pair");
  EXPECT_EQ(next_link(pair, GridNode{2}, GridNode{0}, Tie::balanced), std::nullopt);
  EXPECT_EQ(all_to_all_bound(Grid({{2, Ends::open}}), links, 1), 1);
  EXPECT_EQ(all_to_all_loads(*pair.route_table()), (std::vector<std::uint64_t>{1, 0, 1}));
  EXPECT_EQ(without_nodes(pair, {GridNode{1}}).route_table()->switch_count(), 2U);
}

std::vector<unsigned> numbers(const WholeNetwork& whole) {
  std::vector<unsigned> result;
  for (const GridNode node : whole.node_of_vertex) result.push_back(static_cast<unsigned>(node));
  return result;
}

TEST(WholeNetwork, has_first_the_nodes_that_are_left_and_then_those_that_are_not) {
  const auto whole = whole_network_of(without_nodes(parse_grid("torus:3x2"), {GridNode{4}, GridNode{0}}));
  EXPECT_EQ(whole.grid, parse_grid("torus:3x2"));
  EXPECT_EQ(numbers(whole), (std::vector<unsigned>{1, 2, 3, 5, 0, 4}));
}

TEST(WholeNetwork, is_the_grid_itself_if_no_node_is_missing) {
  for (const char* text : {"mesh:2x2", "torus:2x2,cut=0-1"}) {
    const auto whole = whole_network_of(parse_grid(text));
    EXPECT_EQ(whole.grid, parse_grid(text));
    EXPECT_EQ(numbers(whole), (std::vector<unsigned>{0, 1, 2, 3}));
  }
}

TEST(WholeNetwork, is_the_one_before_the_last_nodes_were_taken_away) {
  const auto whole = whole_network_of(parse_grid("ring:5,without=1,without=0-2"));
  EXPECT_EQ(to_string(whole.grid), "ring:5,without=1");
  EXPECT_EQ(numbers(whole), (std::vector<unsigned>{1, 3, 0, 2}));
}

/// Every link of the part joins the nodes of the whole network that some link joins there.
TEST(WholeNetwork, has_the_links_of_its_part) {
  const Grid part = parse_grid("torus:4x4,cut=0-1,without=3-9-10");
  const auto whole = whole_network_of(part);
  std::size_t found = 0;
  for (const TableLink& link : part.route_table()->links()) {
    const auto from = static_cast<std::uint32_t>(whole.node_of_vertex[link.from]);
    const auto to = static_cast<std::uint32_t>(whole.node_of_vertex[link.to]);
    for (const TableLink& other : whole.grid.route_table()->links())
      found += other.from == from && other.to == to ? 1 : 0;
  }
  EXPECT_EQ(found, part.route_table()->links().size());
  EXPECT_EQ(found, whole.grid.route_table()->links().size());
}

}  // namespace
}  // namespace cubefold
