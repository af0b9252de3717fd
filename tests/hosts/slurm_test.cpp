#include "cubefold/hosts/slurm.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hosts/mutations.hpp"
#include "hosts/source.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

// These texts are what Slurm 26.05 prints.
const std::string torus =
    "TorusName=pod1 Dims=4x2x2 Nodes=n[0-15]\n"
    "  TorusName=pod1 PlacementDims=2x2x1(4) Anchors=4\n"
    "  TorusName=pod1 PlacementDims=4x2x2(16) Anchors=1\n";
const std::string ring = "RingName=r0 Nodes=n[0-7] RingSize=8\n";
const std::string torus_pattern = "torus:x:y:z.node";
const std::string tree = "SwitchName=top Level=1 LinkSpeed=1 Nodes=n[0-3] Switches=leaf[0-1]\n";

/// Returns the addresses of hosts n<0>, n<1> ... on the torus pod1, whose coordinates are given.
std::vector<SlurmAddress> addresses(const std::vector<std::string>& coordinates) {
  std::vector<SlurmAddress> result;
  for (const std::string& at : coordinates) {
    const std::string host = "n" + std::to_string(result.size());
    result.push_back({host, "pod1:" + at + "." + host, torus_pattern});
  }
  return result;
}

std::string refusal_of_job(const std::vector<SlurmAddress>& addresses, const std::string& topology = "") {
  return message_of([&] { map_of_slurm_job(addresses, topology); });
}

TEST(MapOfSlurmJob, places_hosts_on_the_torus_of_the_topology) {
  const HostMap map = map_of_slurm_job(addresses({"2:1:0", "0:0:1"}), torus);
  EXPECT_EQ(to_string(map.network()), "torus:4x2x2");
  EXPECT_EQ(map.find("n0")->node, GridNode{6});
  EXPECT_EQ(map.find("n1")->node, GridNode{8});
  EXPECT_EQ(map.source(), "SLURM_TOPOLOGY_ADDR on 'pod1', extents by Slurm's topology");
}

TEST(MapOfSlurmJob, takes_axes_as_open_without_a_topology) {
  const HostMap map = map_of_slurm_job(addresses({"2:1:0", "0:0:1"}));
  EXPECT_EQ(to_string(map.network()), "mesh:3x2x2");
  EXPECT_EQ(map.source(),
            "SLURM_TOPOLOGY_ADDR on 'pod1'; the ends of the axes are not known and taken as open");
}

TEST(MapOfSlurmJob, places_hosts_on_a_ring) {
  const std::vector<SlurmAddress> hosts{{"n3", "r0:3.n3", "ring:position.node"}};
  EXPECT_EQ(map_of_slurm_job(hosts, ring).find("n3")->node, GridNode{3});
  EXPECT_EQ(to_string(map_of_slurm_job(hosts, torus + ring).network()), "ring:8");
}

TEST(MapOfSlurmJob, allows_dots_and_colons_in_names) {
  const std::vector<SlurmAddress> hosts{{"a.site:1", "pod.1:x:2:1:0.a.site", torus_pattern}};
  EXPECT_EQ(map_of_slurm_job(hosts).source().substr(0, 34), "SLURM_TOPOLOGY_ADDR on 'pod.1:x'; ");
}

TEST(MapOfSlurmJob, takes_a_host_once_however_many_tasks_it_has) {
  auto hosts = addresses({"0:0:0", "1:0:0"});
  hosts.push_back(hosts.front());
  EXPECT_EQ(map_of_slurm_job(hosts).hosts().size(), 2U);
  hosts.back().address = "pod1:2:0:0.n0";
  EXPECT_EQ(refusal_of_job(hosts), "Slurm: host 'n0' has two addresses, 'pod1:0:0:0.n0' and 'pod1:2:0:0.n0'");
}

TEST(MapOfSlurmJob, refuses_trees_and_blocks_by_name) {
  EXPECT_EQ(refusal_of_job({{"n0", "top.leaf0.n0", "switch.switch.node"}}),
            "Slurm: host 'n0' has the address 'top.leaf0.n0' with the pattern 'switch.switch.node': the "
            "network is a "
            "tree of switches, where nothing is to be gained from positions on a grid; to plan for another "
            "network all "
            "the same, write its hosts into a file and name it in CUBEFOLD_HOSTS");
  EXPECT_EQ(refusal_of_job({{"gpu027", ".ib-core.tor.gpu027", "switch.switch.switch.node"}}).find("tree") !=
                std::string::npos,
            true);
  EXPECT_EQ(refusal_of_job({{"n0", "b0.n0", "block.node"}}),
            "Slurm: host 'n0' has the address 'b0.n0' with the pattern 'block.node': it names a block of "
            "hosts and no "
            "coordinates; write the hosts with their coordinates into a file and name it in CUBEFOLD_HOSTS");
  EXPECT_EQ(refusal_of_job({{"n0", "n0", "node"}}).substr(0, 94),
            "Slurm: host 'n0' has the address 'n0' with the pattern 'node': it has no coordinates; write th");
  EXPECT_EQ(refusal_of_job({{"n0", "n0:0.n0", "ring:position.node"}, {"n1", "", ""}}),
            "Slurm: host 'n1' has no SLURM_TOPOLOGY_ADDR: the cluster has no topology plug-in, or the "
            "processes there were "
            "not started by srun");
}

TEST(MapOfSlurmJob, refuses_two_networks) {
  auto hosts = addresses({"0:0:0", "1:0:0"});
  hosts[1].address = "pod2:1:0:0.n1";
  EXPECT_EQ(refusal_of_job(hosts),
            "Slurm: host 'n0' is on 'pod1', and host 'n1' is on 'pod2'; ask for hosts of one network, "
            "as by sbatch --nodelist");
  hosts[1] = {"n1", "r0:1.n1", "ring:position.node"};
  EXPECT_EQ(refusal_of_job(hosts),
            "Slurm: host 'n0' has the pattern 'torus:x:y:z.node', and host 'n1' has "
            "'ring:position.node'; ask for hosts of one network");
}

TEST(MapOfSlurmJob, refuses_contradictions) {
  EXPECT_EQ(refusal_of_job(addresses({"0:0:0", "0:0:0"})),
            "Slurm: the hosts 'n0' and 'n1' are both at 'pod1:0:0:0.n1'");
  EXPECT_EQ(refusal_of_job(addresses({"4:0:0"}), torus),
            "Slurm: host 'n0' is at (4, 0, 0), which torus:4x2x2 does not have (SLURM_TOPOLOGY_ADDR on "
            "'pod1', extents by Slurm's topology)");
  EXPECT_EQ(refusal_of_job(addresses({"0:0:0"}), ring),
            "Slurm: the job is on 'pod1', which Slurm's topology does not have");
  EXPECT_EQ(refusal_of_job({}), "Slurm: there are no addresses of hosts");
  for (const char* address : {"pod1", "pod1:0:0.n0", "pod1:0:x:0.n0", "pod1:0:0:0", ":.", "pod1:0::0.n0"}) {
    EXPECT_EQ(refusal_of_job({{"n0", address, torus_pattern}}),
              std::string("Slurm: host 'n0' has the address '") + address +
                  "' with the pattern 'torus:x:y:z.node': the address does not follow the pattern");
  }
}

TEST(MapOfSlurmTopology, places_listed_hosts_along_a_ring) {
  const HostMap map = map_of_slurm_topology("RingName=r0 Nodes=n[4-7],n[0-3] RingSize=8\n");
  EXPECT_EQ(to_string(map.network()), "ring:8");
  EXPECT_EQ(map.find("n6")->node, GridNode{2});
  EXPECT_EQ(map.source(), "Slurm's topology: 'r0', hosts in the order of its list");
}

TEST(MapOfSlurmTopology, refuses_hosts_of_a_torus_that_are_listed_by_name) {
  const std::string reason =
      "Slurm topology: 'pod1' lists its hosts by name, as `scontrol show topology` does, and not by their "
      "places on "
      "torus:4x2x2; these are in topology.yaml, in `scontrol show topoconf`, and in the addresses of a job's "
      "hosts";
  EXPECT_EQ(message_of([] { map_of_slurm_topology(torus); }), reason);
  EXPECT_EQ(message_of([] { map_of_slurm_topology(torus + ring, "pod1"); }), reason);
}

TEST(MapOfSlurmTopology, has_the_network_that_is_named) {
  EXPECT_EQ(to_string(map_of_slurm_topology(torus + ring, "r0").network()), "ring:8");
  EXPECT_EQ(network_of({"n3", "r0:3.n3", "ring:position.node"}), "r0");
  EXPECT_EQ(network_of_host(torus + "RingName=r1 Nodes=m[0-3] RingSize=4\n", "m2"), "r1");
  EXPECT_EQ(network_of_host(torus, "m2"), "");
  EXPECT_EQ(message_of([] { map_of_slurm_topology(torus + ring, "r1"); }),
            "Slurm topology: there is no network 'r1'");
}

// The form of scontrol show topoconf of Slurm 26.05, and that of topology.yaml as people may write it.
const std::string yaml_torus = R"(---
- topology: t
  cluster_default: true
  torus3d:
    toruses:
      - name: pod1
        dims:
          x: 4
          y: 2
          z: 2
        nodes: n[0-15]
        placements:
          - dims: {x: 2, y: 2, z: 1}
- topology: rings
  ring:
    rings:
      - ring: r0
        nodes: m[0-7]
...
)";
const std::string yaml_regions = R"(# half of it
- {topology: t, torus3d: {toruses: [{name: pod1, dims: {x: 4, y: 2, z: 1}, regions: [
    {anchor: {x: 2, y: 0, z: 0}, dims: {x: 2, y: 2, z: 1}, nodes: "n[0-3]"}]}]}}
)";

TEST(MapOfSlurmTopology, reads_yaml) {
  const HostMap map = map_of_slurm_topology(yaml_torus, "pod1");
  EXPECT_EQ(to_string(map.network()), "torus:4x2x2");
  EXPECT_EQ(map.find("n6")->node, GridNode{6});
  EXPECT_EQ(map_of_slurm_topology(yaml_torus, "r0").find("m3")->node, GridNode{3});
  EXPECT_EQ(to_string(map_of_slurm_topology(yaml_torus, "r0").network()), "ring:8");
  EXPECT_EQ(to_string(map_of_slurm_job(addresses({"2:1:0", "0:0:1"}), yaml_torus).network()), "torus:4x2x2");
}

/// Every second row of x runs backwards, as cables between neighbouring racks are often laid.
const std::string yaml_snake = R"(- topology: t
  torus3d:
    toruses:
      - name: bay
        dims: {x: 3, y: 2, z: 1}
        nodes: c[1-3],c6,c5,c4
)";
const std::string lines_of_snake =
    "TorusName=bay Dims=3x2x1 Nodes=c[1-6]\n  TorusName=bay PlacementDims=3x2x1(6) Anchors=1\n";

TEST(MapOfSlurmTopology, takes_places_from_yaml_and_compares_the_lines_beside_it) {
  for (const std::string& text : {yaml_snake + lines_of_snake, lines_of_snake + yaml_snake}) {
    const HostMap map = map_of_slurm_topology(text);
    EXPECT_EQ(to_string(map.network()), "torus:3x2x1");
    EXPECT_EQ(map.find("c6")->node, GridNode{3});
    EXPECT_EQ(map.find("c4")->node, GridNode{5});
  }
  EXPECT_EQ(message_of([] { map_of_slurm_topology(yaml_snake + "TorusName=bay Dims=2x3x1 Nodes=c[1-6]\n"); }),
            "Slurm topology: 'bay' is torus:3x2x1 in one place and torus:2x3x1 in another");
}

TEST(MapOfSlurmJob, places_hosts_by_their_addresses_where_lines_list_them_by_name) {
  const std::vector<SlurmAddress> hosts{{"c6", "bay:0:1:0.c6", torus_pattern},
                                        {"c1", "bay:0:0:0.c1", torus_pattern}};
  EXPECT_EQ(map_of_slurm_job(hosts, lines_of_snake).find("c6")->node, GridNode{3});
}

// scontrol show topoconf of Slurm 26.05 prints the members of all plug-ins.
TEST(MapOfSlurmTopology, leaves_out_members_that_are_empty) {
  const std::string empty_members = "  block: {}\n  flat: {}\n  ring: {}\n  tree: {}\n";
  const HostMap torus_map = map_of_slurm_topology(yaml_snake + "        regions: []\n" + empty_members);
  EXPECT_EQ(torus_map.find("c6")->node, GridNode{3});
  const std::string yaml_ring =
      "- topology: u\n  ring:\n    rings:\n    - ring: r0\n      nodes: m[4-7],m[0-3]\n  torus3d: ";
  for (const char* empty : {"{}", "[]", "", "~", "{toruses: []}", "{toruses: }"})
    EXPECT_EQ(map_of_slurm_topology(yaml_ring + empty + "\n  tree: {}\n").find("m0")->node, GridNode{4})
        << empty;
}

TEST(MapOfSlurmTopology, places_hosts_of_regions) {
  const HostMap map = map_of_slurm_topology(yaml_regions);
  EXPECT_EQ(to_string(map.network()), "torus:4x2x1");
  EXPECT_EQ(map.hosts().size(), 4U);
  EXPECT_EQ(map.find("n0")->node, GridNode{2});
  EXPECT_EQ(map.find("n3")->node, GridNode{7});
}

TEST(MapOfSlurmTopology, names_what_is_wrong_in_yaml) {
  const auto refused = [](const std::string& topology) {
    return message_of([&] { map_of_slurm_topology(topology); });
  };
  const std::string torus_of = "- topology: t\n  torus3d: {toruses: [";
  EXPECT_EQ(refused(torus_of), "Slurm topology: line 3: not YAML: did not find expected node content");
  EXPECT_EQ(refused(torus_of + "{name: a}]}"), "Slurm topology: toruses[0]: dims is missing");
  EXPECT_EQ(refused(torus_of + "{name: a, dims: {x: 4, y: 2, z: -1}}]}"),
            "Slurm topology: toruses[0]: z of dims is not a whole number below 2^32");
  EXPECT_EQ(
      refused(torus_of + "{name: a, dims: {x: 4, y: 2, z: 1}, nodes: 'n[0-6]'}]}"),
      "Slurm topology: 'a' lists 7 hosts for the 8 nodes of torus:4x2x1, which does not say where they sit; "
      "give the addresses of a job's hosts, too");
  EXPECT_EQ(refused(torus_of + "{name: a, dims: {x: 4, y: 2, z: 1}, regions: [{anchor: {x: 3, y: 0, z: 0}, "
                               "dims: {x: 2, y: 1, z: 1}, nodes: 'n[0-1]'}]}]}"),
            "Slurm topology: 'a' has a region beyond torus:4x2x1");
  EXPECT_EQ(refused("- topology: t\n  torus3d: {torus: []}\n"), "Slurm topology: toruses is missing");
  EXPECT_EQ(refused("topology: t"), "Slurm topology: not a list of topologies");
  EXPECT_EQ(refused("- topology: &a t\n  ring: *a\n"), "Slurm topology: line 2: an alias, which is not read");
  EXPECT_EQ(refused("- topology: t\n  topology: u\n"),
            "Slurm topology: line 2: the key 'topology' occurs twice");
  EXPECT_EQ(refused("- topology: " + std::string(20, '[')), "Slurm topology: line 1: more than 16 levels");
  EXPECT_EQ(
      refused("- topology: t\n  flat: true\n"),
      "Slurm topology: there is no torus or ring; trees and blocks do not say where a host sits on a grid");
}

TEST(MapOfSlurmTopology, refuses_what_does_not_say_where_hosts_sit) {
  const auto refused = [](const std::string& topology) {
    return message_of([&] { map_of_slurm_topology(topology); });
  };
  EXPECT_EQ(
      refused(tree),
      "Slurm topology: there is no torus or ring; trees and blocks do not say where a host sits on a grid");
  EXPECT_EQ(refused(torus + ring),
            "Slurm topology: there are several networks, 'pod1' and 'r0'; give the addresses of "
            "a job's hosts, too");
  EXPECT_EQ(refused("TorusName=pod1 Dims=4x2x2 Nodes=n[0-7]"),
            "Slurm topology: 'pod1' lists 8 hosts for the 16 nodes of torus:4x2x2, which does not say where "
            "they sit; give the addresses of a job's hosts, too");
  EXPECT_EQ(
      refused("RingName=r0 Nodes=n[0-6] RingSize=8"),
      "Slurm topology: 'r0' lists 7 hosts for the 8 nodes of ring:8, which does not say where they sit; "
      "give the addresses of a job's hosts, too");
  for (const char* extents : {"", "4x", "axb", "0x2", "99999999999"}) {
    EXPECT_EQ(refused("\nTorusName=pod1 Nodes=n[0-7] Dims=" + std::string(extents)).substr(0, 77),
              "Slurm topology: line 2: the dimensions are not those of a torus or ring (Grid")
        << extents;
  }
}

TEST(SlurmSource, reads_addresses_and_the_topology_in_two_files) {
  const SourceText topology{"topology.txt", torus};
  const SourceText hosts{"addresses.txt",
                         "n6 pod1:2:1:0.n6 torus:x:y:z.node\n\nn0 pod1:0:0:0.n0 torus:x:y:z.node\n"};
  EXPECT_EQ(slurm_source.map({{hosts, topology}, std::nullopt, ""}).hosts().size(), 2U);
  const auto map_for_grid = [&](const char* grid) {
    return slurm_source.map({{{"ring.txt", ring}}, parse_grid(grid), ""});
  };
  EXPECT_EQ(map_for_grid("ring:8").hosts().size(), 8U);
  EXPECT_EQ(
      message_of([&] { map_for_grid("ring:9"); }),
      "--grid is ring:9, but the network is ring:8 (Slurm's topology: 'r0', hosts in the order of its list)");
  EXPECT_EQ(message_of([&] {
              slurm_source.map({{{"a.txt", "n6 pod1"}}, std::nullopt, ""});
            }),
            "a.txt: line 1: it has 2 words, not a host, its SLURM_TOPOLOGY_ADDR and the pattern");
}

TEST(SlurmSource, takes_the_network_that_has_the_wanted_hosts) {
  const std::string rings = "RingName=r0 Nodes=n[0-7] RingSize=8\nRingName=r1 Nodes=m[0-3] RingSize=4\n";
  EXPECT_EQ(to_string(slurm_source.map({{{"t", rings}}, std::nullopt, "", "", {"m1", "m2"}}).network()),
            "ring:4");
  EXPECT_EQ(
      message_of([&] {
        slurm_source.map({{{"t", rings}}, std::nullopt, "", "", {"x1"}});
      }),
      "Slurm topology: there are several networks, 'r0' and 'r1'; give the addresses of a job's hosts, too");
}

TEST(SlurmSource, reads_addresses_and_yaml) {
  const SourceText hosts{"addresses.txt", "n6 pod1:2:1:0.n6 torus:x:y:z.node\n"};
  const HostMap map = slurm_source.map({{hosts, {"topology.yaml", yaml_torus}}, std::nullopt, ""});
  EXPECT_EQ(to_string(map.network()), "torus:4x2x2");
}

TEST(SlurmSource, reads_or_refuses_every_mutation) {
  const auto map = [](const std::string& text) { slurm_source.map({{{"a", text}}, std::nullopt, ""}); };
  EXPECT_GT(refused_mutations(torus + ring, map, 2000), 1000);
  EXPECT_GT(refused_mutations(yaml_regions, map, 2000), 1000);
  EXPECT_GT(
      refused_mutations("n6 pod1:2:1:0.n6 torus:x:y:z.node\nn0 pod1:0:0:0.n0 torus:x:y:z.node\n", map, 2000),
      1000);
}

/// Returns a map of hosts n<0>, n<1> ... at coordinates.
HostMap map_at(const std::string& network, const std::vector<std::vector<std::uint32_t>>& coordinates) {
  const Grid grid = parse_grid(network);
  std::vector<Host> hosts;
  for (const auto& at : coordinates) hosts.push_back({"n" + std::to_string(hosts.size()), grid.node_at(at)});
  return {grid, std::move(hosts), "the file"};
}

TEST(Contradiction, is_found_if_hosts_are_exchanged) {
  const auto told = addresses({"0:0:0", "1:0:0", "3:0:0", "0:1:0"});
  EXPECT_EQ(contradiction(map_at("torus:4x4", {{0, 0}, {1, 0}, {3, 0}, {0, 1}}), told), std::nullopt);
  EXPECT_EQ(contradiction(map_at("torus:4x4", {{0, 0}, {3, 0}, {0, 1}, {1, 0}}), told),
            "host 'n1' is on node 3 (3, 0) of torus:4x4, but SLURM_TOPOLOGY_ADDR says 'pod1:1:0:0.n1'");
  EXPECT_NE(contradiction(map_at("ring:4", {{0}, {1}, {2}, {3}}), told), std::nullopt);
}

TEST(Contradiction, allows_other_origins_directions_and_orders_of_axes) {
  const auto told = addresses({"0:0:0", "1:0:0", "3:0:0", "0:1:0"});
  EXPECT_EQ(contradiction(map_at("torus:4x4", {{2, 1}, {2, 0}, {2, 2}, {3, 1}}), told), std::nullopt);
  EXPECT_NE(contradiction(map_at("mesh:4x4", {{2, 1}, {2, 0}, {2, 2}, {3, 1}}), told), std::nullopt);
}

// Axis 0 of the map, a ring of 4, agrees with both axes of Slurm, but axis 1 with the first one only.
TEST(Contradiction, is_not_found_where_an_axis_agrees_with_two) {
  const HostMap map = map_at("torus:4x6", {{1, 0}, {2, 1}, {0, 3}});
  EXPECT_EQ(contradiction(map, addresses({"0:1:0", "1:2:0", "3:0:0"})), std::nullopt);
}

TEST(Contradiction, ignores_addresses_that_do_not_follow_their_pattern) {
  const HostMap map = map_at("torus:4x4", {{0, 0}, {1, 0}, {2, 0}});
  auto told = addresses({"0:0:0", "1:0:0", "2:0"});
  EXPECT_EQ(contradiction(map, told), std::nullopt);
  EXPECT_EQ(unreadable_address(told),
            "SLURM_TOPOLOGY_ADDR 'pod1:2:0.n2' of host 'n2' is ignored, as it does not follow the pattern "
            "'torus:x:y:z.node'");
  told[1].address = "pod1:2:1:0.n1";
  EXPECT_NE(contradiction(map, told), std::nullopt);
  told[2] = {"n2", "top.leaf0.n2", "switch.switch.node"};
  EXPECT_EQ(unreadable_address(told), std::nullopt);
}

// A launcher may give the variables of its own host to the processes of all hosts.
TEST(Contradiction, is_not_looked_for_where_all_hosts_have_the_address_of_one) {
  const HostMap map = map_at("torus:4x4", {{0, 0}, {1, 0}});
  const std::vector<SlurmAddress> copied{{"n0", "pod1:0:0:0.n0", torus_pattern},
                                         {"n1", "pod1:0:0:0.n0", torus_pattern}};
  EXPECT_EQ(contradiction(map, copied), std::nullopt);
}

TEST(Contradiction, is_not_looked_for_where_nothing_can_be_compared) {
  const HostMap map = map_at("torus:4x4", {{0, 0}, {1, 0}});
  EXPECT_EQ(contradiction(map, {}), std::nullopt);
  const std::vector<SlurmAddress> without_coordinates{{"n0", "top.leaf0.n0", "switch.switch.node"},
                                                      {"n1", "", ""}};
  EXPECT_EQ(contradiction(map, without_coordinates), std::nullopt);
  const std::vector<SlurmAddress> other{{"m0", "pod1:3:3:0.m0", torus_pattern}};
  EXPECT_EQ(contradiction(map, other), std::nullopt);
  EXPECT_EQ(contradiction(map_at("hypercube:4", {{0, 0, 0, 0}, {1, 1, 0, 0}}), addresses({"0:0:0", "2:0:0"})),
            std::nullopt);
}

}  // namespace
}  // namespace cubefold
