#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "cubefold/hosts/host_map.hpp"
#include "hosts/mutations.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

const std::string example = R"({"format_version": 1, "network": "torus:4x2", "source": "a test",
  "hosts": [{"name": "n1", "at": [1, 0]}, {"name": "n0", "at": [3, 1], "slots": 4}]})";

std::string replaced(std::string text, const std::string& old_part, const std::string& new_part) {
  return text.replace(text.find(old_part), old_part.size(), new_part);
}

TEST(ParseHostMap, reads_the_format_of_the_page) {
  const HostMap expected(parse_grid("torus:4x2"), {{"n1", GridNode{1}}, {"n0", GridNode{7}, 4}}, "a test");
  EXPECT_EQ(parse_host_map(example), expected);
}

TEST(ParseHostMap, reads_what_to_json_writes) {
  for (const char* network : {"torus:4x2", "hypercube:3", "grid:4wx2", "torus:4x2,cut=0-1", "ring:8"}) {
    const HostMap map(parse_grid(network), {{"n1", GridNode{1}}, {"n0", GridNode{7}, 4}}, "the \"source\" ä");
    EXPECT_EQ(parse_host_map(to_json(map)), map) << network;
  }
}

TEST(ToJson, writes_a_line_for_each_host) {
  const HostMap map(parse_grid("torus:4x2"), {{"n0", GridNode{7}, 4}, {"n1", GridNode{1}}}, "a test");
  EXPECT_EQ(to_json(map), R"({
  "format_version": 1,
  "network": "torus:4x2",
  "source": "a test",
  "hosts": [
    {"name": "n1", "at": [1, 0]},
    {"name": "n0", "at": [3, 1], "slots": 4}
  ]
}
)");
}

TEST(ToJson, replaces_bytes_of_the_source_that_no_json_can_have) {
  const HostMap map(parse_grid("ring:4"), {{"n0", GridNode{0}}}, "a\xff");
  EXPECT_EQ(parse_host_map(to_json(map)).source(), "a\xef\xbf\xbd");
}

TEST(ParseHostMap, names_the_member_that_is_wrong) {
  const auto refusal = [](const std::string& old_part, const std::string& new_part) {
    return message_of([&] { parse_host_map(replaced(example, old_part, new_part)); });
  };
  EXPECT_EQ(refusal("{", "["), "not JSON at byte 18");
  EXPECT_EQ(refusal("\"format_version\": 1", "\"format_version\": 7"),
            "format version 7; this is cubefold 0.1.0, which reads 1");
  EXPECT_EQ(refusal("\"source\"", "\"sauce\""), "source is missing");
  EXPECT_EQ(refusal("torus:4x2", "taurus:4x2").substr(0, 42), "grid 'taurus:4x2': unknown kind 'taurus'; ");
  EXPECT_EQ(refusal("[1, 0]", "[1]"), "hosts[0]: Grid::node_at: 1 coordinates for a grid of 2 axes");
  EXPECT_EQ(refusal("[3, 1]", "[3, 2]"),
            "hosts[1]: Grid::node_at: coordinate 2 of axis 1 is not below its extent 2");
  EXPECT_EQ(refusal("[3, 1]", "[3, -1]"), "hosts[1]: at is not a list of coordinates");
  EXPECT_EQ(refusal("[3, 1]", "[3, 4294967297]"), "hosts[1]: at is not a list of coordinates");
  EXPECT_EQ(refusal("[3, 1]", "7"), "hosts[1]: at is not a list");
  EXPECT_EQ(refusal("{\"name\": \"n1\", \"at\": [1, 0]}", "3"), "hosts[0]: not a JSON object");
  EXPECT_EQ(refusal("4}", "-4}"), "hosts[1]: slots is not a count");
  EXPECT_EQ(refusal("torus:4x2", "torus:4x2,cut=0-1"), "hosts[0]: at is not a count");
  EXPECT_EQ(refusal("n0", "n1"), "HostMap: host 'n1' occurs twice, on node 1 and on node 7 (source: a test)");
}

TEST(ParseHostMap, takes_numbers_of_nodes_on_a_network_with_a_route_table) {
  const std::string text = R"({"format_version": 1, "network": "torus:4x2~1", "source": "a test",
                               "hosts": [{"name": "n1", "at": 5}]})";
  EXPECT_EQ(parse_host_map(text).hosts().front().node, GridNode{5});
  EXPECT_EQ(message_of([&] { parse_host_map(replaced(text, "5}", "8}")); }),
            "hosts[0]: at 8 is not a node of torus:4x2~1, which has 8");
}

TEST(ReadHostMap, names_the_file) {
  const std::string path = testing::TempDir() + "read_host_map_names_the_file.json";
  EXPECT_EQ(message_of([&] { read_host_map(path); }),
            "hosts file " + path + ": cannot read: No such file or directory");
  std::ofstream(path) << "{}";
  EXPECT_EQ(message_of([&] { read_host_map(path); }), "hosts file " + path + ": format_version is missing");
  std::ofstream(path) << example;
  EXPECT_EQ(read_host_map(path), parse_host_map(example));
  std::filesystem::remove(path);
}

TEST(ParseHostMap, reads_or_refuses_every_mutation) {
  const auto read = [](const std::string& text) {
    const HostMap map = parse_host_map(text);
    EXPECT_EQ(parse_host_map(to_json(map)), map);
  };
  EXPECT_GT(refused_mutations(example, read, 4000), 2000);
}

}  // namespace
}  // namespace cubefold
