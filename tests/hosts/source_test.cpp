#include "hosts/source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hosts/mutations.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

/// Returns the hosts of a map as `name (0, 1)`, one after the other, after its network.
std::string text_of(const HostMap& map) {
  std::string text = to_string(map.network());
  for (const Host& host : map.hosts()) {
    text += ", " + host.name;
    for (const auto coordinate : map.network().coordinates(host.node))
      text += " " + std::to_string(coordinate);
  }
  return text;
}

HostMap read(const HostSource& source, const std::string& text, std::optional<Grid> grid = std::nullopt,
             const std::string& pattern = "") {
  return source.map({{{"hosts.txt", text}}, std::move(grid), pattern});
}

std::string refusal_of_source(const HostSource& source, const std::string& text,
                              std::optional<Grid> grid = std::nullopt, const std::string& pattern = "") {
  return message_of([&] { read(source, text, std::move(grid), pattern); });
}

TEST(HostSources, are_found_by_name) {
  EXPECT_EQ(host_source_named("slurm"), &slurm_source);
  EXPECT_EQ(message_of([] { host_source_named("slrum"); }),
            "unknown source 'slrum'; did you mean 'slurm'? known: json, ibnetdiscover, slurm, pattern, "
            "coordinates");
}

TEST(HostSources, recognise_their_texts_alone) {
  const std::vector<std::pair<std::string, const HostSource*>> texts{
      {" {\"format_version\": 1}", &json_source},
      {"switchguid=0x1(1)\nSwitch 4 \"S-1\"", &ibnetdiscover_source},
      {"TorusName=pod1 Dims=4x2x2 Nodes=n[0-15]", &slurm_source},
      {"- topology: t\n  torus3d:\n    toruses: []\n", &slurm_source},
      {"SwitchName=leaf0 Level=0 LinkSpeed=1 Nodes=n[0-1]\nSwitchName=top Level=1 LinkSpeed=1 "
       "Switches=leaf0\n",
       &slurm_source},
      {"n6 pod1:2:1:0.n6 torus:x:y:z.node", &slurm_source},
      {"n6 top.leaf0.n6 switch.switch.node", &slurm_source},
      {"# comment\n\nn0 0 1\n", &coordinates_source},
      {"# topology: a torus\nn0 0 1\n", &coordinates_source},
  };
  for (const auto& [text, source] : texts)
    for (const HostSource* other : host_sources())
      EXPECT_EQ(other->recognises(text), other == source) << other->name << ": " << text;
}

TEST(CoordinatesSource, infers_a_mesh_and_says_so) {
  const HostMap map = read(coordinates_source, "# two hosts\nn0 0 1\n\nn1 3 0 slots=8  # a comment\n");
  EXPECT_EQ(text_of(map), "mesh:4x2, n1 3 0, n0 0 1");
  EXPECT_EQ(map.hosts().front().slots, 8U);
  EXPECT_EQ(map.source(), "hosts.txt; the ends of the axes are not known and taken as open");
}

TEST(CoordinatesSource, takes_the_network_that_the_user_names) {
  const HostMap map = read(coordinates_source, "n0 0 1\r\nn1 3 0", parse_grid("torus:4x4"));
  EXPECT_EQ(text_of(map), "torus:4x4, n1 3 0, n0 0 1");
  EXPECT_EQ(map.source(), "hosts.txt");
}

TEST(CoordinatesSource, names_the_line_that_is_wrong) {
  const auto refused = [](const std::string& text) { return refusal_of_source(coordinates_source, text); };
  EXPECT_EQ(refused("n0 0\nn1 x\n"), "hosts.txt: line 2: 'x' is not a coordinate below 2^32");
  EXPECT_EQ(refused("n0 -1"), "hosts.txt: line 1: '-1' is not a coordinate below 2^32");
  EXPECT_EQ(refused("n0 slots=4 1"), "hosts.txt: line 1: 'slots=4' is not a coordinate below 2^32");
  EXPECT_EQ(refused("n0 1 slots=many"), "hosts.txt: line 1: 'slots=many' is not a coordinate below 2^32");
  EXPECT_EQ(refused("n0\n"), "hosts.txt: line 1: host 'n0' has no coordinates");
  EXPECT_EQ(refused("n0 0 0\nn1 0\n"), "hosts.txt: line 2: 1 coordinates, and 2 in the lines before");
  EXPECT_EQ(refused("# nothing\n"), "hosts.txt: there are no hosts");
  EXPECT_EQ(refused("n0 0\nn0 1"),
            "hosts.txt: HostMap: host 'n0' occurs twice, on node 0 and on node 1 (source: hosts.txt; the "
            "ends of the "
            "axes are not known and taken as open)");
  EXPECT_EQ(refused("n0 4000000000 4000000000"),
            "hosts.txt: Grid: axes 0 to 0 have more than 2147483648 nodes");
  EXPECT_EQ(refusal_of_source(coordinates_source, "n0 4 0", parse_grid("torus:4x4")),
            "hosts.txt: host 'n0' is at (4, 0), which torus:4x4 does not have");
  EXPECT_EQ(refusal_of_source(coordinates_source, "n0 4", parse_grid("torus:4x4")),
            "hosts.txt: host 'n0' has 1 coordinates, not 2");
}

TEST(CoordinatesSource, reads_or_refuses_every_mutation) {
  const auto map = [](const std::string& text) { read(coordinates_source, text); };
  EXPECT_GT(refused_mutations("n0 0 0\nn1 1 0 slots=4\nn2 0 1 # c\nn3 1 1\n", map, 4000), 1000);
}

TEST(PatternSource, finds_coordinates_in_the_names_of_hosts) {
  EXPECT_EQ(text_of(read(pattern_source, "r[0-1]i3n[04-05].ib", std::nullopt, "r%xi%yn%z.ib")),
            "mesh:2x4x6, r0i3n04.ib 0 3 4, r1i3n04.ib 1 3 4, r0i3n05.ib 0 3 5, r1i3n05.ib 1 3 5");
}

TEST(PatternSource, takes_repeated_lines_and_numbers_for_slots) {
  const HostMap map = read(pattern_source, "n0\nn0\nn1:3\n", std::nullopt, "n%x");
  EXPECT_EQ(text_of(map), "hypercube:1, n0 0, n1 1");
  EXPECT_EQ(map.hosts()[0].slots, 2U);
  EXPECT_EQ(map.hosts()[1].slots, 3U);
}

TEST(PatternSource, takes_axes_in_any_order_and_numbers_of_fixed_length) {
  EXPECT_EQ(text_of(read(pattern_source, "tux0312", parse_grid("torus:16x4"), "tux%2y%2x")),
            "torus:16x4, tux0312 12 3");
}

TEST(PatternSource, takes_numbers_of_nodes) {
  EXPECT_EQ(text_of(read(pattern_source, "n[5-6]", parse_grid("torus:4x2"), "n%n")),
            "torus:4x2, n5 1 1, n6 2 1");
}

TEST(PatternSource, says_what_is_wrong_with_the_pattern_or_the_name) {
  const auto refused = [](const std::string& pattern, const std::string& hosts) {
    return refusal_of_source(pattern_source, hosts, std::nullopt, pattern);
  };
  EXPECT_EQ(refused("n%x", "m3"), "pattern 'n%x': host 'm3' is not of this form");
  EXPECT_EQ(refused("n%x", "n3a"), "pattern 'n%x': host 'n3a' is not of this form");
  EXPECT_EQ(refused("n%2x", "n3"), "pattern 'n%2x': host 'n3' is not of this form");
  EXPECT_EQ(refused("n%x", "n99999999999"), "pattern 'n%x': host 'n99999999999' is not of this form");
  EXPECT_EQ(refused("node", "node"), "pattern 'node': it has no number, as in r%xi%yn%z");
  EXPECT_EQ(
      refused("n%q", "n1"),
      "pattern 'n%q': after % comes x, y, z, a, b or c for axes 0 to 5, or n for the number of the node");
  EXPECT_EQ(refused("n%x%y", "n11"),
            "pattern 'n%x%y': two numbers meet; say how many digits the first one has, as in %2x%2y");
  const std::string axes = ": its numbers are not those of x, y, z, a, b, c from x on, each once, or n alone";
  EXPECT_EQ(refused("n%y", "n1"), "pattern 'n%y'" + axes);
  EXPECT_EQ(refused("n%xm%x", "n1m1"), "pattern 'n%xm%x'" + axes);
  EXPECT_EQ(refused("n%xm%n", "n1m1"), "pattern 'n%xm%n'" + axes);
  EXPECT_EQ(refused("n%n", "n1"), "pattern 'n%n': numbers of nodes need the network, as in --grid torus:4x4");
  EXPECT_EQ(refused("", "n1"), "pattern: it needs --pattern, as in 'r%xi%yn%z', and --hosts or --input");
  EXPECT_EQ(refusal_of_source(pattern_source, "n8", parse_grid("torus:4x2"), "n%n"),
            "host 'n8' has number 8, but torus:4x2 has 8 nodes");
}

TEST(PatternSource, reads_or_refuses_every_mutation_of_the_pattern) {
  const auto map = [](const std::string& pattern) {
    read(pattern_source, "r1%i2n03", parse_grid("torus:4x4x4"), pattern);
  };
  EXPECT_GT(refused_mutations("r%x%%i%yn%2z", map, 4000), 3000);
}

TEST(JsonSource, reads_hosts_json_and_compares_the_grid) {
  const std::string text =
      R"({"format_version": 1, "network": "ring:4", "source": "a test", "hosts": [{"name": "n0", "at": [1]}]})";
  EXPECT_EQ(text_of(read(json_source, text)), "ring:4, n0 1");
  EXPECT_EQ(refusal_of_source(json_source, text, parse_grid("ring:5")),
            "hosts.txt: its network is ring:4, and --grid is ring:5");
  EXPECT_EQ(refusal_of_source(json_source, "{}"), "hosts.txt: format_version is missing");
}

TEST(Restricted, keeps_the_named_hosts) {
  const HostMap map(parse_grid("ring:4"), {{"a", GridNode{0}}, {"b", GridNode{1}}, {"c", GridNode{2}}},
                    "a test");
  EXPECT_EQ(text_of(restricted(map, {{"c"}, {"A.site"}})), "ring:4, a 0, c 2");
}

TEST(Restricted, takes_the_slots_of_the_job) {
  const HostMap map(parse_grid("ring:4"), {{"a", GridNode{0}, 48}, {"b", GridNode{1}, 48}}, "a test");
  const HostMap job = restricted(map, {{"a", 3}, {"b"}});
  EXPECT_EQ(job.hosts()[0].slots, 3U);
  EXPECT_EQ(job.hosts()[1].slots, 48U);
}

TEST(Restricted, shows_what_the_map_has_in_place_of_a_missing_host) {
  const HostMap map(parse_grid("ring:4"), {{"r1i0n0-ib0", GridNode{0}}, {"r1i0n1-ib0", GridNode{1}}},
                    "a test");
  EXPECT_EQ(message_of([&] { restricted(map, {{"r1i0n1"}}); }),
            "host 'r1i0n1' is not among the 2 hosts of a test; there is 'r1i0n1-ib0'");
  EXPECT_EQ(message_of([&] { restricted(map, {{"login"}}); }),
            "host 'login' is not among the 2 hosts of a test; there is 'r1i0n0-ib0'");
}

TEST(OnlyText, refuses_several_texts) {
  EXPECT_EQ(message_of([] {
              coordinates_source.map({{{"a", ""}, {"b", ""}}, std::nullopt, ""});
            }),
            "coordinates: it reads one text, not 2");
}

}  // namespace
}  // namespace cubefold
