// Networks with hosts on their nodes, which become switches.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "cubefold/topology/route.hpp"
#include "support/message_of.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {
namespace {

/// Returns the vertices that a route visits, after its first one.
std::vector<std::size_t> visited(const Grid& grid, GridNode from, GridNode to) {
  std::vector<std::size_t> vertices;
  for (const Link& link : route(grid, from, to, Tie::balanced))
    vertices.push_back(static_cast<std::size_t>(end_of(grid, link)));
  return vertices;
}

/// Returns what a route between hosts visits by the definition: the switch, those on the way, and the other host.
std::vector<std::size_t> expected_visits(const Grid& switches, const std::vector<GridNode>& node_of_host,
                                         std::size_t from, std::size_t to) {
  const std::size_t first_switch = node_of_host.size();
  std::vector<std::size_t> vertices{first_switch + static_cast<std::size_t>(node_of_host[from])};
  for (const std::size_t node : visited(switches, node_of_host[from], node_of_host[to]))
    vertices.push_back(first_switch + node);
  vertices.push_back(to);
  return vertices;
}

TEST(WithHosts, has_the_routes_of_the_network_between_switches) {
  for (const char* name : {"ring:5", "torus:4x4", "grid:4wx2x3", "hypercube:3", "torus:4x4,cut=0-1",
                           "torus:3x4~1", "hyperx:3x4", "torus:3x3,without=0-4"}) {
    const Grid switches = parse_grid(name);
    std::vector<std::uint32_t> counts;
    std::vector<GridNode> node_of_host;
    for (std::uint32_t node = 0; node < switches.node_count(); ++node) {
      counts.push_back((node + 1) % 4);
      node_of_host.insert(node_of_host.end(), counts.back(), GridNode{node});
    }
    const Grid grid = with_hosts(switches, counts);
    ASSERT_EQ(grid.node_count(), node_of_host.size());
    EXPECT_EQ(links_of(grid).size(), links_of(switches).size() + 2 * node_of_host.size());
    for (std::uint32_t from = 0; from < grid.node_count(); ++from) {
      for (std::uint32_t to = 0; to < grid.node_count(); ++to) {
        if (from == to) continue;
        EXPECT_EQ(visited(grid, GridNode{from}, GridNode{to}),
                  expected_visits(switches, node_of_host, from, to))
            << to_string(grid);
      }
    }
  }
}

TEST(WithHosts, has_a_name_that_is_read_as_the_same_network) {
  for (const char* name : {"torus:4x4,hosts=2", "ring:3,hosts=4-0-1", "torus:4x4,cut=0-1,without=0,hosts=2",
                           "hyperx:3x4,hosts=3,without=5", "ring:3,hosts=2,hosts=2", "hypercube:0,hosts=5"}) {
    const Grid grid = parse_grid(name);
    EXPECT_EQ(to_string(grid), name);
    EXPECT_EQ(parse_grid(to_string(grid)), grid);
  }
  EXPECT_EQ(to_string(parse_grid("ring:3,hosts=2-2-2")), "ring:3,hosts=2");
}

// On a ring of 8 with 2 hosts a switch, a link carries 8 messages between every two switches' pairs of hosts: 4 times
// the 8 of the ring. Each host receives from 15 others.
TEST(WithHosts, has_the_load_of_all_pairs_of_hosts) {
  const Grid grid = parse_grid("ring:8,hosts=2");
  LinkLoads loads(grid, Tie::balanced);
  for (std::uint32_t from = 0; from < 16; ++from)
    for (std::uint32_t to = 0; to < 16; ++to) loads.add(GridNode{from}, GridNode{to});
  EXPECT_EQ(all_to_all_loads(*grid.route_table()), loads.by_link_index());
  EXPECT_EQ(loads.busiest(), 4 * 8U);
}

TEST(WithHosts, lets_hosts_of_one_switch_reach_each_other_without_other_links) {
  const Grid grid = parse_grid("ring:8,hosts=2");
  EXPECT_EQ(distance_hops(grid, GridNode{0}, GridNode{1}), 2U);
  EXPECT_EQ(distance_hops(grid, GridNode{1}, GridNode{2}), 3U);
  EXPECT_EQ(distance_hops(grid, GridNode{0}, GridNode{8}), 6U);
}

TEST(WithHosts, knows_the_node_of_each_vertex) {
  const WholeNetwork whole = whole_network_of(parse_grid("ring:3,hosts=2-0-1"));
  EXPECT_EQ(whole.grid, parse_grid("ring:3"));
  std::vector<unsigned> numbers;
  for (const GridNode node : whole.node_of_vertex) numbers.push_back(static_cast<unsigned>(node));
  EXPECT_EQ(numbers, (std::vector<unsigned>{0, 0, 2, 0, 1, 2}));
}

TEST(WithHosts, refuses_numbers_that_make_no_network) {
  const auto message = [](const char* name) { return message_of([&] { parse_grid(name); }); };
  EXPECT_EQ(message("ring:5,hosts=1-2"),
            "grid 'ring:5,hosts=1-2': 2 numbers of hosts for the 5 nodes of ring:5");
  EXPECT_EQ(message("ring:5,hosts=0"), "grid 'ring:5,hosts=0': no node of ring:5 has a host");
  EXPECT_EQ(message("ring:5,hosts="), "grid 'ring:5,hosts=': expected a number at ''");
  EXPECT_EQ(message("ring:5,hosts=2,cut=0-1"),
            "grid 'ring:5,hosts=2,cut=0-1': unexpected ',cut=0-1' at the end");
  EXPECT_EQ(message("ring:512,hosts=2"),
            "grid 'ring:512,hosts=2': 1024 hosts and 512 switches; the most of both is 1024");
  EXPECT_EQ(message("ring:4,hosts=4294967295"),
            "grid 'ring:4,hosts=4294967295': 17179869180 hosts and 4 switches; the most of both is 1024");
  EXPECT_EQ(message("torus:16384x65536,hosts=1"),
            "grid 'torus:16384x65536,hosts=1': 1073741824 nodes; the most with hosts is 1024");
}

}  // namespace
}  // namespace cubefold
