#include "hosts/fabric_routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "hosts/fabric_grid.hpp"
#include "hosts/fabric_text.hpp"
#include "hosts/link_use.hpp"
#include "support/message_of.hpp"
#include "topology/balanced_routes.hpp"

namespace cubefold {
namespace {

/// A fabric that is cabled at random as a grid, and its use by dimension order in the recognised axes.
struct Ordered {
  Fabric fabric;
  FabricGrid found;
  LinkUse use;

  Ordered(const std::string& name, const FabricShape& shape)
      : fabric(parse_ibnetdiscover(FabricText(parse_grid(name), shape).text())),
        found(grid_of_fabric(fabric, parse_grid(name))),
        use(use_of_links(fabric, first_port_routes(fabric, ports_by_axis(fabric, found)))) {}

  std::uint64_t most() const { return *std::ranges::max_element(use.messages); }
  std::uint64_t least() const { return least_busiest_load(fabric, found); }
  bool has_cycle() const { return !dependency_cycle(use.followers).empty(); }
};

/// Returns the messages of an all-to-all of the nodes on the link between two neighbours.
std::uint64_t messages_between(const Grid& grid, GridNode one, GridNode other) {
  std::uint64_t messages = 0;
  for (std::uint32_t from = 0; from < grid.node_count(); ++from)
    for (std::uint32_t to = 0; to < grid.node_count(); ++to)
      for (const Link& link : route(grid, GridNode{from}, GridNode{to}, Tie::balanced))
        if (link.from == one && end_of(grid, link) == other) ++messages;
  return messages;
}

TEST(PortsByAxis, makes_the_first_port_lead_along_the_balanced_routes_of_the_grid) {
  for (const char* name : {"torus:4x4", "torus:3x4", "mesh:3x4", "grid:2x6w", "hypercube:3"}) {
    const Ordered ordered(name, {.seed = 9, .hosts_per_switch = 2});
    const auto links = links_of(ordered.fabric);
    for (std::size_t i = 0; i < links.size(); ++i) {
      const auto& nodes = ordered.found.node_of_switch;
      EXPECT_EQ(ordered.use.messages[i],
                4 * messages_between(ordered.found.grid, nodes[links[i].from], nodes[links[i].to]))
          << name;
    }
  }
}

TEST(PortsByAxis, loads_no_link_more_than_the_bound_unless_rings_are_odd_multiples_of_two) {
  for (const char* name : {"hypercube:6", "torus:4x4x4", "mesh:4x4x4", "torus:8x8", "torus:3x3x4",
                           "torus:5x7", "grid:5x4wx2", "ring:16"}) {
    const Ordered ordered(name, {.seed = 2, .hosts_per_switch = 2});
    EXPECT_EQ(ordered.most(), ordered.least()) << name;
  }
  EXPECT_EQ(Ordered("torus:6x6", {}).most(), 30);
  EXPECT_EQ(Ordered("torus:6x6", {}).least(), 27);
}

TEST(PortsByAxis, leaves_cycles_only_on_rings_of_more_than_four) {
  for (const char* name : {"hypercube:5", "mesh:5x6", "torus:4x4x3", "torus:3x3x3"})
    EXPECT_FALSE(Ordered(name, {}).has_cycle()) << name;
  for (const char* name : {"ring:5", "torus:6x3", "grid:4x8w"})
    EXPECT_TRUE(Ordered(name, {}).has_cycle()) << name;
}

TEST(FirstPortRoutes, by_the_numbers_of_ports_can_have_cycles_where_the_order_has_none) {
  const Ordered ordered("hypercube:4", {.seed = 4});
  const LinkUse as_cabled = use_of_links(ordered.fabric, first_port_routes(ordered.fabric, {}));
  EXPECT_FALSE(dependency_cycle(as_cabled.followers).empty());
  EXPECT_GT(*std::ranges::max_element(as_cabled.messages), ordered.most());
}

TEST(FirstPortRoutes, shares_messages_among_the_cables_to_the_next_switch) {
  const Ordered single("hypercube:3", {});
  const Ordered twofold("hypercube:3", {.hosts_per_switch = 2, .cables_per_pair = 2});
  EXPECT_EQ(twofold.most(), 2 * single.most());
  EXPECT_EQ(twofold.least(), 2 * single.least());
}

TEST(FirstPortRoutes, lead_round_a_missing_cable) {
  const Ordered ordered("torus:5x3", {.missing = {{0, 1}}});
  EXPECT_EQ(ordered.found.missing.size(), 1);
  EXPECT_EQ(std::ranges::count(ordered.use.messages, 0U), 0);
  EXPECT_GE(ordered.most(), ordered.least());
}

TEST(FirstPortRoutes, refuses_a_fabric_in_two_parts) {
  Fabric fabric;
  fabric.switches = {"one", "other"};
  fabric.ports.resize(2);
  EXPECT_EQ(message_of([&] { first_port_routes(fabric, {}); }), "no cables lead from one to other");
}

TEST(LeastBusiestLoad, is_the_bound_of_a_network_whose_hosts_are_its_nodes) {
  for (const char* name : {"torus:5x4", "mesh:6x3", "hypercube:5", "ring:9", "grid:2x5wx3"}) {
    const Grid grid = parse_grid(name);
    std::vector<TableLink> links;
    for (const Link& link : links_of(grid))
      links.push_back(
          {static_cast<std::uint32_t>(link.from), static_cast<std::uint32_t>(end_of(grid, link))});
    const double bound = all_to_all_bound(grid, links);
    EXPECT_EQ(static_cast<double>(Ordered(name, {.seed = 6}).least()), std::ceil(bound - 1e-9)) << name;
  }
}

TEST(LeastBusiestLoad, counts_hosts_where_they_are) {
  const auto three_switches = [](int on_first) {
    Fabric fabric{{"s0", "s1", "s2"}, {}, {{{0, 1}, 1}, {{1, 2}, 2}}, {}, {}, {}};
    for (int i = 0; i < on_first; ++i) fabric.hosts.push_back({"a" + std::to_string(i), 0});
    fabric.hosts.push_back({"b", 2});
    return least_busiest_load(fabric, grid_of_fabric(fabric, std::nullopt));
  };
  EXPECT_EQ(three_switches(1), 1);
  EXPECT_EQ(three_switches(5), 5);
}

}  // namespace
}  // namespace cubefold
