#include "topology/whole_network.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cubefold {
namespace {

std::vector<unsigned> numbers(const WholeNetwork& whole) {
  std::vector<unsigned> result;
  for (const GridNode node : whole.node_of_vertex) result.push_back(static_cast<unsigned>(node));
  return result;
}

TEST(WholeNetwork, has_first_the_nodes_that_are_left_and_then_those_that_are_not) {
  const auto whole = whole_network_of(without_nodes(parse_grid("torus:3x2"), {GridNode{4}, GridNode{0}}));
  EXPECT_EQ(whole.grid, parse_grid("torus:3x2"));
  EXPECT_EQ(numbers(whole), (std::vector<unsigned>{1, 2, 3, 5, 0, 4}));
}

TEST(WholeNetwork, is_the_grid_itself_if_no_node_is_missing) {
  for (const char* text : {"mesh:2x2", "torus:2x2,cut=0-1"}) {
    const auto whole = whole_network_of(parse_grid(text));
    EXPECT_EQ(whole.grid, parse_grid(text));
    EXPECT_EQ(numbers(whole), (std::vector<unsigned>{0, 1, 2, 3}));
  }
}

TEST(WholeNetwork, is_the_one_before_the_last_nodes_were_taken_away) {
  const auto whole = whole_network_of(parse_grid("ring:5,without=1,without=0-2"));
  EXPECT_EQ(to_string(whole.grid), "ring:5,without=1");
  EXPECT_EQ(numbers(whole), (std::vector<unsigned>{1, 3, 0, 2}));
}

/// Every link of the part joins the nodes of the whole network that some link joins there.
TEST(WholeNetwork, has_the_links_of_its_part) {
  const Grid part = parse_grid("torus:4x4,cut=0-1,without=3-9-10");
  const auto whole = whole_network_of(part);
  std::size_t found = 0;
  for (const TableLink& link : part.route_table()->links()) {
    const auto from = static_cast<std::uint32_t>(whole.node_of_vertex[link.from]);
    const auto to = static_cast<std::uint32_t>(whole.node_of_vertex[link.to]);
    for (const TableLink& other : whole.grid.route_table()->links())
      found += other.from == from && other.to == to ? 1 : 0;
  }
  EXPECT_EQ(found, part.route_table()->links().size());
  EXPECT_EQ(found, whole.grid.route_table()->links().size());
}

}  // namespace
}  // namespace cubefold
