#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "support/message_of.hpp"
#include "topology/network_file.hpp"

namespace cubefold {
namespace {

/// A file that exists while the object does.
class NetworkFile {
 public:
  explicit NetworkFile(const std::string& text)
      : path_(testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".json") {
    std::ofstream(path_) << text;
  }
  NetworkFile(const NetworkFile&) = delete;
  NetworkFile& operator=(const NetworkFile&) = delete;
  ~NetworkFile() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Returns the message of read_network() for a text, without the file's name.
std::string refusal(const std::string& text) {
  const NetworkFile file(text);
  const auto message = message_of([&] { read_network(file.path()); });
  const std::string prefix = "network file " + file.path() + ": ";
  EXPECT_EQ(message.substr(0, prefix.size()), prefix);
  return message.substr(std::min(prefix.size(), message.size()));
}

TEST(ReadNetwork, takes_cables_as_links_both_ways_and_divides_rates_by_the_least) {
  const NetworkFile file(R"({"nodes": ["a", "b", "c"],
                             "cables": [["a", "b", 200], ["c", "b", 100]], "links": [["a", "c", 100]]})");
  const Grid grid = parse_grid("file:" + file.path());
  EXPECT_EQ(to_string(grid), "file:" + file.path());
  EXPECT_EQ(grid.axes(), (std::vector<Axis>{{3, Ends::open}}));
  const std::vector<TableLink> links{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 1}, {2, 1, 1}};
  EXPECT_EQ(grid.route_table()->links(), links);
  EXPECT_EQ(rate_of(grid, links_of(grid).front()), 2);
}

TEST(ReadNetwork, takes_rates_that_are_all_but_multiples_for_multiples) {
  const NetworkFile file(
      R"({"nodes": ["a", "b", "c"], "cables": [["a", "b", 0.3], ["b", "c", 0.1], ["c", "a", 0.15]]})");
  const Grid grid = read_network(file.path());
  EXPECT_EQ(grid.route_table()->links()[0], (TableLink{0, 1, 3}));
  EXPECT_NEAR(grid.route_table()->links()[1].rate, 1.5, 1e-9);
}

TEST(ReadNetwork, takes_links_one_way) {
  const NetworkFile file(R"({"nodes": ["a", "b", "c"], "links": [["a", "b"], ["b", "c"], ["c", "a"]]})");
  const Grid grid = read_network(file.path());
  EXPECT_EQ(links_of(grid).size(), 3U);
  EXPECT_EQ(distance_hops(grid, GridNode{1}, GridNode{0}), 2U);
}

TEST(ReadNetwork, numbers_nodes_along_axes) {
  const NetworkFile file(R"({"nodes": ["a", "b", "c", "d"], "axes": [2, 2],
                             "cables": [["a", "b"], ["b", "d"], ["d", "c"]]})");
  EXPECT_EQ(read_network(file.path()).coordinates(GridNode{3}), (std::vector<std::uint32_t>{1, 1}));
}

TEST(ReadNetwork, takes_the_routes_of_the_file) {
  const NetworkFile file(R"({"nodes": ["a", "b", "c"], "cables": [["a", "b"], ["b", "c"], ["a", "c"]],
                             "routes": [["a", "b", "c"], ["a", "b"], ["b", "a"], ["b", "c"], ["c", "a"],
                                        ["c", "a", "b"]]})");
  const Grid grid = read_network(file.path());
  EXPECT_EQ(distance_hops(grid, GridNode{0}, GridNode{2}), 2U);
  EXPECT_EQ(distance_hops(grid, GridNode{2}, GridNode{1}), 2U);
  EXPECT_EQ(distance_hops(grid, GridNode{2}, GridNode{0}), 1U);
}

TEST(ReadNetwork, takes_switches_and_the_only_way_of_nodes_with_one_link) {
  const NetworkFile file(R"({"nodes": ["a", "b", "c"], "switches": ["s", "t", "u"],
                             "cables": [["a", "s"], ["b", "s"], ["s", "t", 2], ["t", "c"], ["t", "u"]],
                             "routes": [["s", "t", "c"], ["t", "s", "a"], ["t", "s", "b"]]})");
  const Grid grid = read_network(file.path());
  EXPECT_EQ(grid.node_count(), 3);
  EXPECT_EQ(grid.route_table()->switch_count(), 3);
  EXPECT_EQ(distance_hops(grid, GridNode{0}, GridNode{1}), 2);
  EXPECT_EQ(distance_hops(grid, GridNode{0}, GridNode{2}), 3);
  EXPECT_EQ(distance_hops(grid, GridNode{2}, GridNode{0}), 3);
}

TEST(ReadNetwork, finds_routes_across_switches) {
  const NetworkFile file(R"({"nodes": ["a", "b"], "switches": ["s"], "cables": [["a", "s"], ["s", "b"]]})");
  EXPECT_EQ(distance_hops(read_network(file.path()), GridNode{0}, GridNode{1}), 2);
}

TEST(ReadNetwork, refuses_switches_that_are_wrong) {
  const auto message = [](const std::string& part) {
    return refusal(R"({"nodes": ["a", "b"], "cables": [["a", "b"], ["b", "s"]], "switches": )" + part + "}");
  };
  EXPECT_EQ(message(R"(["b"])"), "switches[0]: the name 'b' stands twice");
  EXPECT_EQ(message(R"([7])"), "switches[0] is not a name");
  EXPECT_EQ(message("7"), "switches is not a list");
  EXPECT_EQ(message(R"(["s"], "routes": [["a", "b", "s"]])"), "routes[0] ends at the switch 's'");
}

TEST(ReadNetwork, refuses_what_is_no_network) {
  EXPECT_EQ(refusal("["), "not JSON at byte 2");
  EXPECT_EQ(refusal("[]"), "not a JSON object");
  EXPECT_EQ(refusal("{}"), "nodes is missing");
  EXPECT_EQ(refusal(R"({"nodes": []})"), "nodes is empty");
  EXPECT_EQ(refusal(R"({"nodes": ["a", 1]})"), "nodes[1] is not a name");
  EXPECT_EQ(refusal(R"({"nodes": ["a", "b", "a"]})"), "nodes[2]: the name 'a' stands twice");
  EXPECT_EQ(refusal(R"({"nodes": ["a", "b"]})"), "cables is missing");
  EXPECT_EQ(refusal(R"({"nodes": ["a", "b"], "axes": [3], "cables": []})"), "axes[0] is not an extent");
  EXPECT_EQ(refusal(R"({"nodes": ["a", "b"], "axes": [1], "cables": []})"),
            "the axes have 1 nodes, and nodes has 2 names");
}

TEST(ReadNetwork, refuses_links_that_are_wrong) {
  const auto message = [](const std::string& rest) {
    return refusal(R"({"nodes": ["a", "b", "c"], )" + rest + "}");
  };
  EXPECT_EQ(message(R"("cables": [["a"]])"), "cables[0] is not [node, node] or [node, node, rate]");
  EXPECT_EQ(message(R"("cables": [["a", "b"], ["a", "d"]])"),
            "cables[1]: \"d\" is neither a node nor a switch");
  EXPECT_EQ(message(R"("cables": [["a", "a"]])"), "cables[0] joins 'a' with itself");
  EXPECT_EQ(message(R"("cables": [["a", "b", -1]])"), "cables[0]: -1 is not a rate");
  EXPECT_EQ(message(R"("cables": [["a", "b", 1e300], ["b", "c"]])"),
            "cables[0]: the rate 1e+300 is more than 64 times the least, 1");
  EXPECT_EQ(message(R"("cables": [["a", "b", 1e308], ["b", "c", 1e-308]])"),
            "cables[0]: the rate 1e+308 is more than 64 times the least, 1e-308");
  EXPECT_EQ(message(R"("cables": [["a", "b"]], "links": [["b", "a"]])"),
            "links[0]: the link from 'b' to 'a' stands in cables[0], too");
  EXPECT_EQ(message(R"("cables": [["a", "b"]])"), "there is no way from 'c' to 'a'");
}

TEST(ReadNetwork, refuses_routes_that_are_wrong) {
  const auto message = [](const std::string& routes) {
    return refusal(R"({"nodes": ["a", "b", "c"], "cables": [["a", "b"], ["b", "c"]], "routes": [)" + routes +
                   "]}");
  };
  EXPECT_EQ(message(R"(["a"])"), "routes[0] is not a list of nodes");
  EXPECT_EQ(message(R"(["a", "c"])"), "routes[0]: there is no link from 'a' to 'c'");
  EXPECT_EQ(message(R"(["a", "a"])"), "routes[0]: there is no link from 'a' to 'a'");
  EXPECT_EQ(message(R"(["a", "b"], ["a", "b", "a"])"), "routes[1] passes its end 'a' before it ends there");
  EXPECT_EQ(message(R"(["a", "b", "c", "b"])"), "routes[0] passes its end 'b' before it ends there");
  EXPECT_EQ(message(R"(["a", "b"], ["b", "a"])"), "routes: there is none from 'b' to 'c'");
  EXPECT_EQ(message(R"(["b", "c"], ["b", "a", "b", "c"])"),
            "routes[1]: another route to 'c' leaves 'b' by another link");
}

TEST(ReadNetwork, names_a_file_that_cannot_be_read) {
  EXPECT_EQ(message_of([] { parse_grid("file:/no/such.json"); }),
            "grid 'file:/no/such.json': network file /no/such.json: No such file or directory");
}

}  // namespace
}  // namespace cubefold
