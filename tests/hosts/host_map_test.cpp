#include "cubefold/hosts/host_map.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

HostMap map_of_names(const std::vector<std::string>& names) {
  std::vector<Host> hosts;
  for (std::size_t i = 0; i < names.size(); ++i) hosts.push_back({names[i], static_cast<GridNode>(i)});
  return {parse_grid("ring:8"), hosts, "a test"};
}

std::string name_of(const Host* host) {
  return host == nullptr ? "none" : host->name;
}

TEST(HostMap, lists_hosts_by_node_and_those_of_one_node_in_the_given_order) {
  const HostMap map(parse_grid("mesh:2x2"), {{"d", GridNode{3}}, {"b", GridNode{1}, 4}, {"a", GridNode{1}}},
                    "a test");
  const std::vector<Host> sorted{{"b", GridNode{1}, 4}, {"a", GridNode{1}}, {"d", GridNode{3}}};
  EXPECT_EQ(map.hosts(), sorted);
  EXPECT_EQ(map.source(), "a test");
}

TEST(HostMap, finds_a_host_by_its_name) {
  const HostMap map = map_of_names({"n3", "n1", "n2"});
  EXPECT_EQ(map.find("n1")->node, GridNode{1});
  EXPECT_EQ(map.find("n4"), nullptr);
  EXPECT_EQ(map.find(""), nullptr);
}

TEST(HostMap, finds_a_full_name_by_the_short_one_and_the_other_way_round) {
  const HostMap map = map_of_names({"n1.site", "n2", "n1-x", "n10"});
  EXPECT_EQ(name_of(map.find("n1")), "n1.site");
  EXPECT_EQ(name_of(map.find("n2.site")), "n2");
}

TEST(HostMap, compares_names_without_case) {
  const HostMap map = map_of_names({"R1I0N0", "r1i0n1.Site", "n[2]"});
  EXPECT_EQ(name_of(map.find("r1i0n0")), "R1I0N0");
  EXPECT_EQ(name_of(map.find("r1i0n0.site")), "R1I0N0");
  EXPECT_EQ(name_of(map.find("R1i0N1")), "r1i0n1.Site");
  EXPECT_EQ(name_of(map.find("R1I0N1.SITE")), "r1i0n1.Site");
  EXPECT_EQ(message_of([] {
              map_of_names({"n0", "m", "N0"});
            }),
            "HostMap: host 'n0' occurs twice, once as 'N0', on node 0 and on node 2 (source: a test)");
}

TEST(HostMap, takes_full_names_that_differ_for_different_hosts) {
  const HostMap map = map_of_names({"n1.a", "n1.b", "n2.a"});
  EXPECT_EQ(map.find("n1"), nullptr);
  EXPECT_EQ(name_of(map.find("n1.b")), "n1.b");
  EXPECT_EQ(map.find("n2.b"), nullptr);
}

TEST(HostMap, prefers_the_name_that_is_the_same) {
  const HostMap map = map_of_names({"n1", "n1.a"});
  EXPECT_EQ(name_of(map.find("n1")), "n1");
  EXPECT_EQ(name_of(map.find("n1.a")), "n1.a");
  EXPECT_EQ(name_of(map.find("n1.b")), "n1");
}

TEST(HostMap, refuses_hosts_that_it_cannot_hold) {
  const Grid grid = parse_grid("torus:4x4");
  const auto refusal = [&](const std::vector<Host>& hosts) {
    return message_of([&] { HostMap(grid, hosts, "hosts.txt"); });
  };
  EXPECT_EQ(refusal({}), "HostMap: there are no hosts (source: hosts.txt)");
  EXPECT_EQ(refusal({{"n0", GridNode{16}}}),
            "HostMap: host 'n0' is on node 16, but torus:4x4 has 16 nodes (source: hosts.txt)");
  EXPECT_EQ(refusal({{"n0", GridNode{3}}, {"n1", GridNode{2}}, {"n0", GridNode{1}}}),
            "HostMap: host 'n0' occurs twice, on node 1 and on node 3 (source: hosts.txt)");
  for (const char* name : {"", "a b", "a\n", "ä"}) {
    EXPECT_EQ(refusal({{name, GridNode{5}}}),
              "HostMap: the name of a host on node 5 is empty, or has a blank or a character beyond ASCII "
              "(source: hosts.txt)");
  }
}

}  // namespace
}  // namespace cubefold
