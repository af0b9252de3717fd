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

TEST(ParseIbnetdiscover, reads_the_grouped_form_with_ports_on_the_outside_of_a_chassis) {
  const Fabric plain = parse_ibnetdiscover(two_switches);
  std::string text = "\nChassis 1 (guid 0x7)\n\n# Spine Nodes\n" + two_switches;
  for (const auto& [port, with_outside] : {std::pair("[1]\t\"H-1\"[1]", "[1][ext 18]\t\"H-1\"[1](1) "),
                                           std::pair("[2]\t\"S-2\"[2]", "[2][ext 3]\t\"S-2\"[2][ext 12]"),
                                           std::pair("\"S-1\"[1]", "\"S-1\"[1][ext 18]")})
    text.replace(text.find(port), std::string_view(port).size(), with_outside);
  const Fabric grouped = parse_ibnetdiscover(text);
  EXPECT_EQ(grouped.hosts, plain.hosts);
  EXPECT_EQ(grouped.cables, plain.cables);
  EXPECT_EQ(grouped.ports, plain.ports);
  EXPECT_EQ(grouped.adapter_ports, plain.adapter_ports);
}

TEST(ParseIbnetdiscover, leaves_out_cables_from_a_switch_to_itself) {
  for (const char* loopback : {"[5]\t\"S-1\"[6]\n[6]\t\"S-1\"[5]\n", "[5]\t\"S-1\"[5]\n"}) {
    const Fabric fabric =
        parse_ibnetdiscover(changed("[2]\t\"S-2\"[2]", std::string(loopback) + "[2]\t\"S-2\"[2]"));
    EXPECT_EQ(fabric.cables, (std::map<GraphEdge, std::size_t>{{{0, 1}, 1}}));
    EXPECT_EQ(fabric.ports, parse_ibnetdiscover(two_switches).ports);
    EXPECT_EQ(remarks_on(fabric),
              (std::vector<std::string>{"left out, as both ends are on one switch: 1 cable"}));
  }
}

/// Returns the entries of an adapter `H-<n>` and, for the switch, of its cable.
std::string adapter_entry(const std::string& number, const std::string& description,
                          const std::string& peer) {
  return "Ca\t1 \"H-" + number + "\"\t\t# \"" + description + "\"\n[1](" + number + ")\t" + peer + "\n";
}

/// Returns two switches that are cabled with each other, and adapters on them: name and number of the switch.
std::string switches_with(const std::vector<std::pair<std::string, int>>& adapters) {
  std::string text;
  for (const int here : {1, 2}) {
    const std::string name = std::to_string(here);
    text += "Switch\t9 \"S-" + name + "\"\t\t# \"sw" + name + "\"\n[9]\t\"S-" + std::to_string(3 - here) +
            "\"[9]\n";
    for (std::size_t i = 0; i < adapters.size(); ++i)
      if (adapters[i].second == here)
        text += "[" + std::to_string(i + 1) + "]\t\"H-" + std::to_string(i + 1) + "\"[1]\n";
  }
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    text += adapter_entry(number, adapters[i].first,
                          "\"S-" + std::to_string(adapters[i].second) + "\"[" + number + "]");
  }
  return text;
}

TEST(ParseIbnetdiscover, gives_adapters_that_name_a_chip_their_identifiers) {
  const Fabric fabric = parse_ibnetdiscover(switches_with({{"MT4129 ConnectX7   Mellanox Technologies", 1},
                                                           {"MT4129 ConnectX7   Mellanox Technologies", 1},
                                                           {"mt2 mlx5_0", 2},
                                                           {"localhost HCA-1", 2},
                                                           {"localhost.localdomain mlx5_0", 2},
                                                           {"", 2}}));
  EXPECT_EQ(fabric.hosts, (std::vector<FabricHost>{
                              {"mt2", 1}, {"H-1", 0}, {"H-2", 0}, {"H-4", 1}, {"H-5", 1}, {"H-6", 1}}));
  EXPECT_EQ(remarks_on(fabric),
            (std::vector<std::string>{"adapters that name no host: H-1, H-2, H-4, H-5, H-6"}));
  EXPECT_EQ(fabric.adapter_ports.at(2), 2U);
}

TEST(ParseIbnetdiscover, leaves_out_a_host_on_several_switches) {
  const Fabric fabric = parse_ibnetdiscover(
      switches_with({{"a HCA-1", 1}, {"b HCA-1", 2}, {"ufm HCA-1", 1}, {"ufm HCA-2", 2}, {"c HCA-1", 2}}));
  EXPECT_EQ(fabric.hosts, (std::vector<FabricHost>{{"a", 0}, {"b", 1}, {"c", 1}}));
  EXPECT_EQ(remarks_on(fabric), (std::vector<std::string>{"left out, as they are on several switches: ufm"}));
  EXPECT_EQ(fabric.adapter_ports.at(3), std::nullopt);
  EXPECT_FALSE(fabric.ports[0].contains(3));
  EXPECT_EQ(message_of([&] { require_hosts(fabric); }), "nothing thrown");
}

TEST(ParseIbnetdiscover, keeps_a_host_with_two_adapters_on_one_switch) {
  const Fabric fabric =
      parse_ibnetdiscover(switches_with({{"a mlx5_0", 1}, {"a mlx5_1", 1}, {"b mlx5_0", 2}}));
  EXPECT_EQ(fabric.hosts, (std::vector<FabricHost>{{"a", 0}, {"b", 1}}));
  EXPECT_TRUE(remarks_on(fabric).empty());
}

const std::string two_planes =
    switches_with({{"a mlx5_0", 1}, {"a mlx5_1", 2}, {"b mlx5_0", 1}, {"b mlx5_1", 2}});

TEST(ParseIbnetdiscover, takes_the_adapter_that_is_chosen_of_each_host) {
  const Fabric fabric = parse_ibnetdiscover(two_planes, "mlx5_1");
  EXPECT_EQ(fabric.hosts, (std::vector<FabricHost>{{"a", 1}, {"b", 1}}));
  EXPECT_EQ(fabric.adapter_ports, (std::map<std::uint64_t, std::optional<std::uint32_t>>{
                                      {1, std::nullopt}, {2, 0}, {3, std::nullopt}, {4, 1}}));
  EXPECT_EQ(message_of([] { parse_ibnetdiscover(two_planes, "mlx5_2"); }),
            "unknown adapter 'mlx5_2'; did you mean 'mlx5_0'? known: mlx5_0, mlx5_1");
}

TEST(ParseIbnetdiscover, leaves_out_the_switches_of_other_planes) {
  std::string apart = two_planes;
  for (const char* cable : {"[9]\t\"S-2\"[9]\n", "[9]\t\"S-1\"[9]\n"})
    apart.erase(apart.find(cable), std::string_view(cable).size());
  const Fabric fabric = parse_ibnetdiscover(apart, "mlx5_1");
  EXPECT_EQ(fabric.switches, (std::vector<std::string>{"sw2 (S-2)"}));
  EXPECT_EQ(fabric.hosts, (std::vector<FabricHost>{{"a", 0}, {"b", 0}}));
}

TEST(ParseIbnetdiscover, takes_the_port_that_is_chosen_of_an_adapter) {
  const std::string text =
      "Switch\t2 \"S-1\"\n[1]\t\"H-1\"[1]\n[2]\t\"S-2\"[2]\nSwitch\t2 "
      "\"S-2\"\n[1]\t\"H-1\"[2]\n[2]\t\"S-1\"[2]\n"
      "Ca\t2 \"H-1\"\t\t# \"a HCA-1\"\n[1](a1)\t\"S-1\"[1]\n[2](a2)\t\"S-2\"[1]\n";
  EXPECT_EQ(parse_ibnetdiscover(text, "HCA-1:2").hosts, (std::vector<FabricHost>{{"a", 1}}));
  EXPECT_EQ(parse_ibnetdiscover(text, "HCA-1:1").hosts, (std::vector<FabricHost>{{"a", 0}}));
  const std::string apart =
      "Switch\t2 \"S-1\"\n[1]\t\"H-1\"[1]\nCa\t2 \"H-1\"\t\t# \"a HCA-1\"\n[1](a1)\t\"S-1\"[1]\n"
      "Switch\t2 \"S-2\"\n[1]\t\"H-1\"[2]\nCa\t2 \"H-1\"\t\t# \"a HCA-1\"\n[2](a2)\t\"S-2\"[1]\n";
  EXPECT_EQ(parse_ibnetdiscover(apart, "HCA-1:2").adapter_ports.at(0xa2), 0U);
  EXPECT_EQ(message_of([&] { require_hosts(parse_ibnetdiscover(text, "HCA-1")); }),
            "1 of 1 hosts are on several switches, as host 'a' with HCA-1:1 on  (S-1) and HCA-1:2 on  (S-2); "
            "choose "
            "one plane with --adapter HCA-1:1");
}

TEST(IbnetdiscoverSource, refuses_hosts_on_several_planes_and_names_two_adapters) {
  EXPECT_EQ(refusal(two_planes),
            "fabric.txt: 2 of 2 hosts are on several switches, as host 'a' with mlx5_0 on sw1 (S-1) and "
            "mlx5_1 on sw2 "
            "(S-2); choose one plane with --adapter mlx5_0");
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
  EXPECT_EQ(refused("Switch\t : 0x0002c90200405c60 ports 36 devid 0xbd36 vendid 0x2c9 \"sw\"\n"),
            "line 1: a list by ibnetdiscover -l, -S or -H has no cables; leave these options out");
  EXPECT_EQ(refused(changed("Ca	1 \"H-1\"", "Ca	1 \"S-1\"")), "S-1 has two entries");
  EXPECT_EQ(refused(changed("[1](2) 	", "[1](1) 	")), "line 13: another port has the GUID 1, too");
  EXPECT_EQ(refused("Switch 1 \"S-x\" # \"sw\"\n"),
            "line 1: the identifier S-x of a switch is not S- and its GUID");
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
}

/// Returns a fat tree of three leaves with hosts below two switches, with a manager on the first of these or without.
std::string fat_tree(int hosts_of_leaf, bool has_manager) {
  std::string text;
  for (const std::string top : {"8", "9"}) {
    text += "Switch 9 \"S-" + top + "\" # \"top" + top + "\"\n";
    for (const std::string leaf : {"1", "2", "3"}) text += "[" + leaf + "] \"S-" + leaf + "\"[" + top + "]\n";
    if (has_manager && top == "8") text += "[4] \"H-9\"[1]\n";
  }
  if (has_manager) text += "Ca 1 \"H-9\" # \"ufm HCA-1\"\n[1](9) \"S-8\"[4]\n";
  for (const std::string leaf : {"1", "2", "3"}) {
    text += "Switch 9 \"S-" + leaf + "\" # \"leaf" + leaf + "\"\n[8] \"S-8\"[" + leaf + "]\n[9] \"S-9\"[" +
            leaf + "]\n";
    for (int host = 1; host <= hosts_of_leaf; ++host)
      text += "[" + std::to_string(host) + "] \"H-" + leaf + std::to_string(host) + "\"[1]\n";
    for (int host = 1; host <= hosts_of_leaf; ++host) {
      const std::string number = leaf + std::to_string(host);
      text += "Ca 1 \"H-" + number + "\" # \"n" + number + " HCA-1\"\n[1](" + number + ") \"S-" + leaf +
              "\"[" + std::to_string(host) + "]\n";
    }
  }
  return text;
}

TEST(IbnetdiscoverSource, says_that_a_fabric_is_a_fat_tree) {
  const auto reason = [](const std::string& size) {
    return "fabric.txt: the switches are cabled as a fat tree, with " + size +
           " above them, where nothing is to be gained from positions on a grid";
  };
  EXPECT_EQ(refusal(fat_tree(1, false)), reason("3 leaves and 2 switches"));
  EXPECT_EQ(refusal(fat_tree(3, true)), reason("3 leaves and 2 switches"));
  EXPECT_EQ(refusal(FabricText(parse_grid("hypercube:2"), {.hosts_at = {0, 3}}).text()),
            reason("2 leaves and 2 switches"));
}

TEST(IbnetdiscoverSource, says_that_hosts_on_several_leaves_are_on_a_fat_tree) {
  std::string text = fat_tree(1, false);
  for (const char* name : {"n11", "n21", "n31"}) text.replace(text.find(name), 3, "one");
  EXPECT_NE(refusal(text).find("cabled as a fat tree, with 3 leaves"), std::string::npos);
}

TEST(IbnetdiscoverSource, takes_a_grid_with_few_hosts_for_no_tree) {
  EXPECT_EQ(to_string(read(FabricText(parse_grid("torus:3x5"), {.hosts_at = {4}}).text()).network()),
            "torus:3x5");
  EXPECT_EQ(to_string(read(FabricText(parse_grid("torus:4x6"), {.hosts_at = {0, 3, 8}}).text()).network()),
            "torus:4x6");
  EXPECT_EQ(to_string(read(FabricText(parse_grid("torus:4x6"), {.hosts_at = {5}}).text()).network()),
            "torus:4x6");
  const std::string line =
      FabricText(parse_grid("line:3"), {.hosts_per_switch = 2, .hosts_at = {0, 2}}).text();
  EXPECT_EQ(read(line).network().node_count(), 3U);
  const std::string square = FabricText(parse_grid("hypercube:2"), {.hosts_at = {0, 3}}).text();
  EXPECT_EQ(to_string(read(square, parse_grid("hypercube:2")).network()), "hypercube:2");
}

TEST(IbnetdiscoverSource, reads_or_refuses_every_mutation) {
  const auto map = [](const std::string& text) { read(text); };
  EXPECT_GT(refused_mutations(two_switches, map, 3000), 1000);
  EXPECT_GT(refused_mutations(FabricText(parse_grid("torus:3x3"), {}).text(), map, 1000), 200);
}

}  // namespace
}  // namespace cubefold
