#include "cubefold/topology/route_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "cubefold/topology/route.hpp"
#include "support/known_networks.hpp"
#include "support/message_of.hpp"
#include "topology/balanced_routes.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {
namespace {

/// A line of three nodes: 0 - 1 - 2.
const std::vector<TableLink> line_links{{0, 1}, {1, 0}, {1, 2}, {2, 1}};
const std::vector<std::uint32_t> line_routes{0, 0, 0, 1, 0, 2, 3, 3, 0};

TEST(RouteTable, gives_the_links_of_every_node_and_the_first_link_of_every_route) {
  const RouteTable table(3, line_links, line_routes);
  EXPECT_EQ(table.node_count(), 3U);
  EXPECT_EQ(table.first_link(1), 1U);
  EXPECT_EQ(table.first_link(3), 4U);
  EXPECT_EQ(table.next_link(0, 2), 0U);
  EXPECT_EQ(table.next_link(1, 2), 2U);
}

TEST(RouteTable, has_another_digest_if_a_link_a_rate_a_route_or_a_switch_differs) {
  const auto digest = [](std::vector<TableLink> links, std::vector<std::uint32_t> next, std::size_t nodes) {
    return RouteTable(nodes, std::move(links), std::move(next), 3 - nodes).digest();
  };
  const std::vector<TableLink> faster{{0, 1}, {1, 0}, {1, 2}, {2, 1, 2}};
  const std::vector<TableLink> ring{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
  const std::set<std::uint64_t> digests{
      digest(line_links, line_routes, 3),           digest(faster, line_routes, 3),
      digest(line_links, {0, 0, 1, 0, 3, 3}, 2),    digest(ring, {0, 0, 1, 2, 0, 3, 4, 5, 0}, 3),
      digest(ring, {0, 1, 1, 2, 0, 3, 4, 5, 0}, 3),
  };
  EXPECT_EQ(digests.size(), 5U);
  EXPECT_EQ(digest(line_links, {9, 0, 0, 1, 9, 2, 3, 3, 9}, 3), digest(line_links, line_routes, 3));
}

TEST(RouteTable, refuses_links_that_join_no_two_nodes_or_are_not_in_order) {
  const auto message = [](std::vector<TableLink> links) {
    return message_of([&] { RouteTable(3, links, line_routes); });
  };
  EXPECT_EQ(message({{0, 3}}), "RouteTable: the link from 0 to 3 does not join two of 3 nodes");
  EXPECT_EQ(message({{1, 1}}), "RouteTable: the link from 1 to 1 does not join two of 3 nodes");
  EXPECT_EQ(message({{1, 0}, {0, 1}}), "RouteTable: the link from 0 to 1 is not in order");
  EXPECT_EQ(message({{0, 1}, {0, 1}}), "RouteTable: the link from 0 to 1 is not in order");
  EXPECT_EQ(message({{0, 1, 0.5}}), "RouteTable: the rate 0.5 of the link from 0 to 1 is not in 1 .. 64");
  EXPECT_EQ(message({{0, 1, 1e300}}),
            "RouteTable: the rate 1e+300 of the link from 0 to 1 is not in 1 .. 64");
}

TEST(RouteTable, refuses_routes_that_never_arrive) {
  const auto message = [](std::size_t entry, std::uint32_t link) {
    auto routes = line_routes;
    routes[entry] = link;
    return message_of([&] { RouteTable(3, line_links, routes); });
  };
  EXPECT_EQ(message(1 * 3 + 2, 1), "RouteTable: the route from 0 to 2 never arrives");  // back to 0
  EXPECT_EQ(message(0 * 3 + 1, 2), "RouteTable: the route from 0 to 1 never arrives");  // not a link of 0
  EXPECT_EQ(message(2 * 3 + 0, 9), "RouteTable: the route from 2 to 0 never arrives");  // no link at all
  EXPECT_EQ(message_of([] { RouteTable(3, line_links, {0, 0}); }), "RouteTable: 2 entries for 3 nodes");
  EXPECT_EQ(message_of([] {
              Grid({{4, Ends::open}}, RouteTable(3, line_links, line_routes), "x");
            }),
            "Grid: 4 nodes, and a route table of 3 nodes");
}

class Networks : public testing::TestWithParam<KnownNetwork> {};

/// Follows a route by the ends of its links. Returns whether every link begins where the one before it ended.
bool leads(const Grid& grid, const std::vector<Link>& links, GridNode from, GridNode to) {
  for (const Link& link : links) {
    if (link.from != from || !has_link(grid, link)) return false;
    from = end_of(grid, link);
  }
  return from == to;
}

TEST_P(Networks, have_routes_that_lead_from_every_node_to_every_other) {
  const Grid grid = parse_grid(GetParam().name);
  EXPECT_EQ(links_of(grid).size(), GetParam().link_count);
  for (std::uint32_t a = 0; a < grid.node_count(); ++a) {
    for (std::uint32_t b = 0; b < grid.node_count(); ++b) {
      const auto from = GridNode{a};
      const auto to = GridNode{b};
      const auto links = route(grid, from, to, Tie::balanced);
      EXPECT_TRUE(leads(grid, links, from, to)) << a << " to " << b;
      EXPECT_EQ(distance_hops(grid, from, to), links.size());
      EXPECT_EQ(next_link(grid, from, to, Tie::balanced),
                links.empty() ? std::nullopt : std::optional(links.front()));
      EXPECT_EQ(last_link(grid, from, to, Tie::balanced),
                links.empty() ? std::nullopt : std::optional(links.back()));
    }
  }
}

TEST_P(Networks, have_routes_whose_busiest_link_carries_at_most_a_tenth_more_than_it_must) {
  const Grid grid = parse_grid(GetParam().name);
  LinkLoads loads(grid, Tie::balanced);
  for (std::uint32_t from = 0; from < grid.node_count(); ++from)
    for (std::uint32_t to = 0; to < grid.node_count(); ++to) loads.add(GridNode{from}, GridNode{to});
  EXPECT_LE(static_cast<double>(loads.busiest()), 1.1 * GetParam().least_load + 1e-9);
  EXPECT_GE(static_cast<double>(loads.busiest()), GetParam().least_load - 1e-9);
  const RouteTable& table = *grid.route_table();
  const double bound = all_to_all_bound(grid, table.links(), table.switch_count());
  EXPECT_LE(bound, GetParam().least_load + 1e-9);
  EXPECT_GE(bound, 0.9 * GetParam().least_load);
}

TEST_P(Networks, have_loads_that_are_those_of_all_routes) {
  const Grid grid = parse_grid(GetParam().name);
  LinkLoads loads(grid, Tie::balanced);
  for (std::uint32_t from = 0; from < grid.node_count(); ++from)
    for (std::uint32_t to = 0; to < grid.node_count(); ++to) loads.add(GridNode{from}, GridNode{to});
  EXPECT_EQ(all_to_all_loads(*grid.route_table()), loads.by_link_index());
}

TEST(BalancedRoutes, are_the_same_for_links_in_any_order) {
  const Grid grid = parse_grid("torus:4x4,cut=0-1");
  auto links = grid.route_table()->links();
  std::ranges::reverse(links);
  EXPECT_EQ(balanced_routes(grid, links), *grid.route_table());
}

TEST(AllToAllBound, is_that_of_the_worst_set_of_nodes_on_a_line_with_a_slow_end) {
  // The nodes 0 and 1 send 2 * 2 messages to 2 and 3 over a link of rate 2, and 3 leaves 3 by a link of rate 1.
  const std::vector<TableLink> links{{0, 1, 2}, {1, 0, 2}, {1, 2, 2}, {2, 1, 2}, {2, 3}, {3, 2}};
  EXPECT_EQ(all_to_all_bound(Grid({{4, Ends::open}}), links), 3);
}

TEST_P(Networks, have_names_that_are_read_as_the_same_network) {
  const Grid grid = parse_grid(GetParam().name);
  EXPECT_EQ(to_string(grid), GetParam().name);
  EXPECT_EQ(parse_grid(to_string(grid)), grid);
}

INSTANTIATE_TEST_SUITE_P(Known, Networks, testing::ValuesIn(known_networks), test_name_of);

/// Returns the set of all links as pairs of nodes.
std::set<std::pair<std::uint32_t, std::uint32_t>> pairs_of(const Grid& grid) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Link& link : links_of(grid))
    pairs.emplace(static_cast<std::uint32_t>(link.from), static_cast<std::uint32_t>(end_of(grid, link)));
  return pairs;
}

TEST(ParseGrid, leaves_out_cut_cables_and_nothing_else) {
  auto pairs = pairs_of(parse_grid("torus:4x4"));
  pairs.erase({0, 3});
  pairs.erase({3, 0});
  pairs.erase({5, 9});
  pairs.erase({9, 5});
  const Grid cut = parse_grid("torus:4x4,cut=9-5,cut=3-0,cut=0-3");
  EXPECT_EQ(pairs_of(cut), pairs);
  EXPECT_EQ(to_string(cut), "torus:4x4,cut=0-3,cut=5-9");
}

TEST(ParseGrid, twists_the_links_round_axis_0) {
  const auto pairs = pairs_of(parse_grid("torus:3x4~1"));
  EXPECT_TRUE(pairs.contains({2, 3}));   // (2, 0) upwards to (0, 1)
  EXPECT_TRUE(pairs.contains({11, 0}));  // (2, 3) upwards to (0, 0)
  EXPECT_TRUE(pairs.contains({0, 11}));
  EXPECT_FALSE(pairs.contains({2, 0}));
  EXPECT_EQ(pairs.size(), 48U);
}

TEST(ParseGrid, refuses_networks_that_do_not_exist) {
  const auto message = [](const char* text) { return message_of([&] { parse_grid(text); }); };
  EXPECT_EQ(message("torus:4x4,cut=0-5"),
            "grid 'torus:4x4,cut=0-5': there is no cable between the nodes 0 and 5");
  EXPECT_EQ(message("line:4,cut=1-2"), "grid 'line:4,cut=1-2': there is no way from node 2 to node 0");
  EXPECT_EQ(message("torus:4x4,cut=0"),
            "grid 'torus:4x4,cut=0': a cut names the two ends of a cable, as in cut=0-1");
  EXPECT_EQ(message("torus:4x8~8"),
            "grid 'torus:4x8~8': a twist of 8 is not in 1 .. 7, below the extent of axis 1");
  EXPECT_EQ(message("torus:4x4x4~2"), "grid 'torus:4x4x4~2': a twisted torus has two axes");
  EXPECT_EQ(message("mesh:4x4~2"), "grid 'mesh:4x4~2': unexpected '~2' at the end");
  EXPECT_EQ(
      message("hyperx:32x32"),
      "grid 'hyperx:32x32': 1024 nodes with 63488 links are too many to find routes; nodes * links may be "
      "20000000");
  EXPECT_EQ(message("hyperx:64x64"),
            "grid 'hyperx:64x64': 4096 nodes; the most with links of its own is 1024");
}

TEST(GridWithRouteTable, is_refused_where_links_follow_from_axes) {
  const Grid grid = parse_grid("torus:4x4,cut=0-1");
  EXPECT_EQ(message_of([&] { (void)grid.has_wrap_link(0); }),
            "torus:4x4,cut=0-1 is neither a mesh nor a torus");
  EXPECT_EQ(message_of([&] { (void)axis_steps(grid, 0, GridNode{0}, GridNode{1}, Tie::positive); }),
            "torus:4x4,cut=0-1 is neither a mesh nor a torus");
  EXPECT_EQ(message_of([&] { (void)bisection_blocks(grid, 0); }),
            "torus:4x4,cut=0-1 is neither a mesh nor a torus");
  EXPECT_NE(grid, parse_grid("torus:4x4"));
  EXPECT_NE(grid, parse_grid("torus:4x4,cut=0-3"));
}

}  // namespace
}  // namespace cubefold
