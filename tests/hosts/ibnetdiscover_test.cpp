#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "hosts/fabric.hpp"
#include "hosts/fabric_text.hpp"
#include "hosts/mutations.hpp"
#include "hosts/source.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

HostMap read(const std::string& text, std::optional<Grid> grid = std::nullopt) {
  return ibnetdiscover_source.map({{{"fabric.txt", text}}, std::move(grid), ""});
}

std::string refusal(const std::string& text, std::optional<Grid> grid = std::nullopt) {
  return message_of([&] { read(text, std::move(grid)); });
}

/// Returns the first two hosts of a map that are not as far apart as on the grid that the fabric was made of.
std::string wrong_distance(const HostMap& map, const Grid& grid) {
  const auto node_of = [&](std::size_t i) { return map.find("node" + std::to_string(i) + "-0")->node; };
  for (std::size_t i = 0; i < grid.node_count(); ++i) {
    for (std::size_t j = 0; j < grid.node_count(); ++j) {
      const auto wanted = distance_hops(grid, static_cast<GridNode>(i), static_cast<GridNode>(j));
      if (distance_hops(map.network(), node_of(i), node_of(j)) != wanted)
        return std::to_string(i) + " and " + std::to_string(j);
    }
  }
  return "none";
}

TEST(IbnetdiscoverSource, finds_grids_behind_shuffled_identifiers_and_ports) {
  for (const char* name :
       {"torus:4x4", "torus:3x3x4", "mesh:4x5", "hypercube:6", "grid:3x5w", "ring:7", "torus:6x6"}) {
    const Grid grid = parse_grid(name);
    for (const int hosts : {1, 2}) {
      const HostMap map = read(FabricText(grid, {.seed = 11, .hosts_per_switch = hosts}).text());
      EXPECT_EQ(wrong_distance(map, grid), "none") << name;
      EXPECT_EQ(map.hosts().size(), grid.node_count() * static_cast<std::size_t>(hosts));
      EXPECT_EQ(map.find("node3-0")->node, map.find("node3-" + std::to_string(hosts - 1))->node);
    }
  }
}

TEST(IbnetdiscoverSource, names_rings_of_four_beside_rings_and_as_the_user_wants) {
  const auto name = [](const char* grid, std::optional<Grid> wanted = std::nullopt) {
    return to_string(read(FabricText(parse_grid(grid), {}).text(), std::move(wanted)).network());
  };
  EXPECT_EQ(name("torus:3x4x3"), "torus:3x3x4");
  EXPECT_EQ(name("torus:3x4x3", parse_grid("torus:4x3x3")), "torus:4x3x3");
  EXPECT_EQ(name("torus:4x4"), "hypercube:4");
  EXPECT_EQ(name("torus:4x4", parse_grid("torus:4x4")), "torus:4x4");
  EXPECT_EQ(refusal(FabricText(parse_grid("torus:4x4"), {}).text(), parse_grid("mesh:4x4")),
            "fabric.txt: the switches are cabled as hypercube:4, and --grid is mesh:4x4");
}

TEST(IbnetdiscoverSource, a_wrong_map_would_be_noticed) {
  const Grid grid = parse_grid("torus:3x5");
  EXPECT_NE(wrong_distance(read(FabricText(parse_grid("mesh:3x5"), {}).text()), grid), "none");
}

TEST(IbnetdiscoverSource, names_missing_and_multiple_cables) {
  const Grid grid = parse_grid("torus:3x5");
  const HostMap map = read(FabricText(grid, {.missing = {{0, 1}}}).text());
  EXPECT_EQ(to_string(map.network()).substr(0, 14), "torus:3x5,cut=");
  EXPECT_EQ(map.source().substr(0, 51), "ibnetdiscover, fabric.txt: 15 switches, no cable sw");
  EXPECT_EQ(read(FabricText(grid, {.cables_per_pair = 2}).text()).source(),
            "ibnetdiscover, fabric.txt: 15 switches, 2 cables between neighbours");
}

TEST(IbnetdiscoverSource, refuses_a_mesh_without_a_cable_and_names_two_cables) {
  const std::string message = refusal(FabricText(parse_grid("mesh:4x5"), {.missing = {{5, 6}}}).text());
  const std::string begin =
      "fabric.txt: the switches are cabled neither as a mesh nor as a torus nor as a hypercube: see the "
      "cables sw";
  EXPECT_EQ(message.substr(0, begin.size()), begin);
}

/// A fabric of two switches with a host each.
const std::string two_switches = R"(switchguid=0x1(1)
Switch	2 "S-1"		# "sw one" base port 0
[1]	"H-1"[1]		# "a HCA-1"
[2]	"S-2"[2]		# "sw two"

Switch	2 "S-2"		# "sw two" base port 0
[1]	"H-2"[1](2)		# "b HCA-1"
[2]	"S-1"[2]		# "sw one"

Ca	1 "H-1"		# "a HCA-1"
[1](1) 	"S-1"[1]		# lid 1
Ca	1 "H-2"		# "b HCA-1"
[1](2) 	"S-2"[1]		# lid 2
)";

std::string changed(const std::string& old_part, const std::string& new_part) {
  std::string text = two_switches;
  return text.replace(text.find(old_part), old_part.size(), new_part);
}

TEST(ParseIbnetdiscover, reads_switches_hosts_and_cables) {
  const Fabric fabric = parse_ibnetdiscover(two_switches);
  EXPECT_EQ(fabric.switches, (std::vector<std::string>{"sw one (S-1)", "sw two (S-2)"}));
  EXPECT_EQ(fabric.hosts, (std::vector<FabricHost>{{"a", 0}, {"b", 1}}));
  EXPECT_EQ(fabric.cables, (std::map<GraphEdge, std::size_t>{{{0, 1}, 1}}));
}

TEST(ParseIbnetdiscover, reads_guids_and_what_ports_lead_to) {
  using Ports = std::map<std::uint32_t, PortPeer>;
  const Fabric fabric = parse_ibnetdiscover(two_switches);
  EXPECT_EQ(fabric.switch_guids, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(fabric.ports,
            (std::vector<Ports>{{{1, {true, 0}}, {2, {false, 1}}}, {{1, {true, 1}}, {2, {false, 0}}}}));
  EXPECT_EQ(fabric.adapter_ports, (std::map<std::uint64_t, std::optional<std::uint32_t>>{{1, 0}, {2, 1}}));
  EXPECT_EQ(links_of(fabric), (std::vector<FabricLink>{{0, 2, 1}, {1, 2, 0}}));
}

TEST(ParseIbnetdiscover, leaves_out_adapters_of_switches) {
  EXPECT_EQ(parse_ibnetdiscover(
                changed("Ca	1 \"H-2\"		# \"b HCA-1\"",
                        "Ca	1 \"H-2\"		# \"Mellanox Technologies Aggregation Node\""))
                .hosts,
            (std::vector<FabricHost>{{"a", 0}}));
}

TEST(ParseIbnetdiscover, names_the_line_that_is_wrong) {
  const auto refused = [](const std::string& text) { return message_of([&] { parse_ibnetdiscover(text); }); };
  EXPECT_EQ(refused("[1] \"S-1\"[1]"), "line 1: a port before the first switch or adapter");
  EXPECT_EQ(refused("Switch 4 S-1"), "line 1: a switch or an adapter without an identifier in quotes");
  EXPECT_EQ(refused(changed("[2]	\"S-2\"[2]", "[2]	\"S-2\"")),
            "line 4: it is not of the form [PORT] \"IDENTIFIER\"[PORT]");
  EXPECT_EQ(refused(changed("[2]	\"S-2\"[2]", "[x]	\"S-2\"[2]")),
            "line 4: it is not of the form [PORT] \"IDENTIFIER\"[PORT]");
  EXPECT_EQ(refused(changed("[2]	\"S-2\"[2]", "[1]	\"S-2\"[2]")),
            "line 4: S-1 lists port 1 twice");
  EXPECT_EQ(refused(changed("[2]	\"S-2\"[2]", "[2]	\"S-3\"[2]")),
            "line 4: S-3 has no entry; the file is incomplete");
  EXPECT_EQ(refused(changed("[2]	\"S-1\"[2]", "")),
            "line 4: S-2 does not list this cable at port 2; the file is incomplete");
  EXPECT_EQ(refused(changed("[2]	\"S-1\"[2]", "[2]	\"S-1\"[1]")),
            "line 4: this cable contradicts line 8, where port 2 of S-2 leads to S-1");
  EXPECT_EQ(refused(changed("[2]	\"S-2\"[2]", "[2]	\"S-1\"[2]")),
            "line 4: S-1 is cabled to itself");
  EXPECT_EQ(refused(changed("Ca	1 \"H-1\"", "Ca	1 \"S-1\"")), "S-1 has two entries");
  EXPECT_EQ(refused(changed("[1](2) 	", "[1](1) 	")), "line 13: another port has the GUID 1, too");
  EXPECT_EQ(refused("Switch 1 \"S-x\" # \"sw\"\n"),
            "line 1: the identifier S-x of a switch is not S- and its GUID");
  EXPECT_EQ(
      refused(changed("\"b HCA-1\"\n[1](2)", "\"a HCA-2\"\n[1](2)")),
      "line 13: host 'a' is on two switches, sw one (S-1) and sw two (S-2); a map has each host on one");
}

TEST(IbnetdiscoverSource, says_that_a_torus_is_twisted_and_what_to_do) {
  const std::regex reason(
      "fabric.txt: the switches are cabled neither as a mesh nor as a torus nor as a hypercube: see the "
      "cables sw[0-9]+ \\S+ - sw[0-9]+ \\S+ and sw[0-9]+ \\S+ - sw[0-9]+ \\S+: they lead to one switch from "
      "places that are no neighbours: the cables would be those of \\S+ with [0-9]+ nodes, but there are "
      "[0-9]+ switches; this is a twisted torus, or cables are plugged wrong; for a twisted torus, give the "
      "hosts with their coordinates, as lines HOST X Y, and --grid torus:AxB~T");
  for (const char* name : {"torus:4x8~4", "torus:6x12~6", "torus:5x5~2", "torus:8x8~4", "torus:5x6~1"}) {
    const std::string text = refusal(FabricText(parse_grid(name), {.seed = 5}).text());
    EXPECT_TRUE(std::regex_match(text, reason)) << name << ": " << text;
  }
}

TEST(IbnetdiscoverSource, refuses_fabrics_where_nothing_is_to_be_gained) {
  EXPECT_EQ(
      refusal("Switch 1 \"S-1\" # \"sw\"\n[1] \"H-1\"[1]\nCa 1 \"H-1\" # \"a HCA-1\"\n[1](1) \"S-1\"[1]\n"),
      "fabric.txt: no cable joins two switches: where a switch joins all hosts, any order is as good");
  EXPECT_EQ(refusal("Switch 1 \"S-1\" # \"sw\"\n"), "fabric.txt: there are no hosts on switches");
  std::string tree;
  for (const std::string top : {"8", "9"}) {
    tree += "Switch 3 \"S-" + top + "\" # \"top" + top + "\"\n";
    for (const std::string leaf : {"1", "2", "3"}) tree += "[" + leaf + "] \"S-" + leaf + "\"[" + top + "]\n";
  }
  for (const std::string leaf : {"1", "2", "3"}) {
    tree += "Switch 3 \"S-" + leaf + "\" # \"leaf" + leaf + "\"\n[8] \"S-8\"[" + leaf + "]\n[9] \"S-9\"[" +
            leaf + "]\n[1] \"H-" + leaf + "\"[1]\nCa 1 \"H-" + leaf + "\" # \"n" + leaf + " HCA-1\"\n[1](" +
            leaf + ") \"S-" + leaf + "\"[1]\n";
  }
  EXPECT_EQ(refusal(tree),
            "fabric.txt: the switches are cabled neither as a mesh nor as a torus nor as a hypercube: see "
            "the cables "
            "leaf1 (S-1) - top8 (S-8) and leaf1 (S-1) - top9 (S-9): they are in 2 squares, not one; 2 of 5 "
            "switches "
            "have no host, as in a tree, where nothing is to be gained on a grid");
}

TEST(IbnetdiscoverSource, reads_or_refuses_every_mutation) {
  const auto map = [](const std::string& text) { read(text); };
  EXPECT_GT(refused_mutations(two_switches, map, 3000), 1000);
  EXPECT_GT(refused_mutations(FabricText(parse_grid("torus:3x3"), {}).text(), map, 1000), 200);
}

}  // namespace
}  // namespace cubefold
