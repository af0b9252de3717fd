#include "hosts/grid_recognition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "cubefold/topology/route.hpp"
#include "hosts/missing_cables.hpp"
#include "support/all_grids.hpp"

namespace cubefold {
namespace {

Neighbours graph_of_edges(std::size_t vertex_count, const std::set<GraphEdge>& edges) {
  return with_edges(Neighbours(vertex_count), {edges.begin(), edges.end()});
}

/// Returns the edges of a grid whose node i is vertex number[i].
std::set<GraphEdge> edges_of(const Grid& grid, const std::vector<std::uint32_t>& number) {
  std::set<GraphEdge> edges;
  for (const Link& link : links_of(grid)) {
    const std::uint32_t one = number[static_cast<std::size_t>(link.from)];
    const std::uint32_t other = number[static_cast<std::size_t>(end_of(grid, link))];
    edges.insert({std::min(one, other), std::max(one, other)});
  }
  return edges;
}

std::vector<std::uint32_t> shuffled_numbers(std::size_t count, std::mt19937& random) {
  std::vector<std::uint32_t> number(count);
  std::iota(number.begin(), number.end(), 0U);
  std::ranges::shuffle(number, random);
  return number;
}

/// Returns whether the graph of the edges is the recognised grid: every node once, and exactly the grid's links.
bool is_isomorphic(const RecognisedGrid& found, const std::set<GraphEdge>& edges) {
  std::vector<std::uint32_t> vertex_at(found.grid.node_count(), ~0U);
  if (found.node_of_vertex.size() != found.grid.node_count()) return false;
  for (std::uint32_t v = 0; v < found.node_of_vertex.size(); ++v)
    vertex_at[static_cast<std::size_t>(found.node_of_vertex[v])] = v;
  if (std::ranges::find(vertex_at, ~0U) != vertex_at.end()) return false;
  return edges_of(found.grid, vertex_at) == edges;
}

/// Returns the grid with its axes in ascending order and two lines of 2 for every ring of 4.
Grid canonical(const Grid& grid) {
  std::vector<Axis> axes;
  for (const Axis& axis : grid.axes()) {
    if (axis.extent == 4 && axis.ends == Ends::wrapped)
      axes.insert(axes.end(), 2, {2, Ends::open});
    else
      axes.push_back(axis);
  }
  std::ranges::stable_sort(axes, {}, [](const Axis& axis) { return std::pair(axis.extent, axis.ends); });
  return Grid(axes);
}

TEST(RecognisedGrid, finds_every_grid_under_any_numbers) {
  std::mt19937 random(3);
  for (const Grid& grid : grids_up_to(64, AxisOrders::ascending)) {
    const auto edges = edges_of(grid, shuffled_numbers(grid.node_count(), random));
    const auto result = recognised_grid(graph_of_edges(grid.node_count(), edges));
    const auto* found = std::get_if<RecognisedGrid>(&result);
    ASSERT_NE(found, nullptr) << to_string(grid) << ": " << std::get<NoGrid>(result).rule;
    EXPECT_EQ(found->grid, canonical(grid));
    EXPECT_TRUE(is_isomorphic(*found, edges)) << to_string(grid);
    const auto named = as_grid(*found, grid);
    ASSERT_TRUE(named) << to_string(grid);
    EXPECT_EQ(named->grid, grid);
    EXPECT_TRUE(is_isomorphic(*named, edges)) << to_string(grid);
  }
}

TEST(RecognisedGrid, puts_vertex_0_at_the_origin_of_rings_and_into_the_lower_half_of_lines) {
  std::mt19937 random(4);
  for (const char* name : {"torus:3x5", "mesh:4x5", "grid:5x6w"}) {
    const Grid grid = parse_grid(name);
    const auto edges = edges_of(grid, shuffled_numbers(grid.node_count(), random));
    const auto found = std::get<RecognisedGrid>(recognised_grid(graph_of_edges(grid.node_count(), edges)));
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      const std::uint32_t most = grid.has_wrap_link(axis) ? 0 : (grid.extent(axis) - 1) / 2;
      EXPECT_LE(found.grid.coordinate(found.node_of_vertex[0], axis), most);
    }
  }
}

/// Exchanges the ends of two edges that have no vertex in common.
bool exchange_ends(std::set<GraphEdge>& edges, std::mt19937& random) {
  const auto any = [&] {
    return *std::next(edges.begin(), std::uniform_int_distribution<std::ptrdiff_t>(
                                         0, static_cast<std::ptrdiff_t>(edges.size()) - 1)(random));
  };
  const GraphEdge a = any();
  const GraphEdge b = any();
  const GraphEdge c{std::min(a.one, b.other), std::max(a.one, b.other)};
  const GraphEdge d{std::min(b.one, a.other), std::max(b.one, a.other)};
  if (c.one == c.other || d.one == d.other || edges.contains(c) || edges.contains(d)) return false;
  edges.erase(a);
  edges.erase(b);
  edges.insert({c, d});
  return true;
}

TEST(RecognisedGrid, refuses_grids_with_two_cables_exchanged_unless_they_are_grids_again) {
  std::mt19937 random(5);
  int refused = 0;
  int count = 0;
  for (const Grid& grid : grids_up_to(48, AxisOrders::ascending)) {
    if (grid.axis_count() < 2) continue;
    auto edges = edges_of(grid, shuffled_numbers(grid.node_count(), random));
    if (!exchange_ends(edges, random)) continue;
    const auto result = recognised_grid(graph_of_edges(grid.node_count(), edges));
    const auto* found = std::get_if<RecognisedGrid>(&result);
    ++count;
    if (found == nullptr) {
      ++refused;
      for (const GraphEdge& edge : std::get<NoGrid>(result).edges) {
        EXPECT_TRUE(edges.contains({std::min(edge.one, edge.other), std::max(edge.one, edge.other)}));
      }
    } else {
      EXPECT_TRUE(is_isomorphic(*found, edges)) << to_string(grid);
    }
  }
  EXPECT_GT(refused, count / 2);
}

TEST(RecognisedGrid, finds_a_grid_in_a_random_graph_only_if_it_is_one) {
  std::mt19937 random(6);
  for (int repetition = 0; repetition < 3000; ++repetition) {
    const auto vertex_count = static_cast<std::uint32_t>(2 + random() % 9);
    std::set<GraphEdge> edges;
    for (std::uint32_t a = 0; a < vertex_count; ++a)
      for (std::uint32_t b = a + 1; b < vertex_count; ++b)
        if (random() % vertex_count < 3) edges.insert({a, b});
    const auto result = recognised_grid(graph_of_edges(vertex_count, edges));
    const auto* found = std::get_if<RecognisedGrid>(&result);
    EXPECT_TRUE(found == nullptr || is_isomorphic(*found, edges));
  }
}

TEST(RecognisedGrid, a_wrong_grid_would_be_noticed) {
  const auto edges = edges_of(parse_grid("ring:5"), {0, 1, 2, 3, 4});
  const std::vector<GridNode> in_order{GridNode{0}, GridNode{1}, GridNode{2}, GridNode{3}, GridNode{4}};
  const std::vector<GridNode> swapped{GridNode{1}, GridNode{0}, GridNode{2}, GridNode{3}, GridNode{4}};
  const std::vector<GridNode> doubled{GridNode{0}, GridNode{0}, GridNode{2}, GridNode{3}, GridNode{4}};
  EXPECT_TRUE(is_isomorphic({parse_grid("ring:5"), in_order}, edges));
  EXPECT_FALSE(is_isomorphic({parse_grid("line:5"), in_order}, edges));
  EXPECT_FALSE(is_isomorphic({parse_grid("ring:5"), swapped}, edges));
  EXPECT_FALSE(is_isomorphic({parse_grid("ring:5"), doubled}, edges));
}

std::string rule_of(std::size_t vertex_count, const std::set<GraphEdge>& edges) {
  return std::get<NoGrid>(recognised_grid(graph_of_edges(vertex_count, edges))).rule;
}

TEST(RecognisedGrid, says_why_a_graph_is_none) {
  EXPECT_EQ(rule_of(0, {}), "there are no switches");
  EXPECT_EQ(rule_of(4, {{0, 1}, {2, 3}}), "only 2 of the 4 switches are connected");
  EXPECT_EQ(rule_of(4, {{0, 1}, {0, 2}, {0, 3}}),
            "they are in no square, so they would be on one axis with a third cable");
  EXPECT_EQ(rule_of(5, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}), "they are in 2 squares, not one");
  EXPECT_EQ(rule_of(4, {{0, 1}, {1, 2}, {1, 3}}), "both would go on along one line");
}

TEST(AsGrid, refuses_other_grids) {
  const auto found =
      std::get<RecognisedGrid>(recognised_grid(graph_of_edges(16, edges_of(parse_grid("hypercube:4"), [] {
                                                                std::vector<std::uint32_t> number(16);
                                                                std::iota(number.begin(), number.end(), 0U);
                                                                return number;
                                                              }()))));
  EXPECT_TRUE(as_grid(found, parse_grid("torus:4x4")));
  EXPECT_TRUE(as_grid(found, parse_grid("grid:2x4wx1x2")));
  for (const char* other : {"mesh:4x4", "hypercube:3", "hypercube:5", "ring:16", "torus:4x4x4"})
    EXPECT_FALSE(as_grid(found, parse_grid(other))) << other;
}

TEST(WithRingsOfFour, joins_lines_of_2_beside_rings_only) {
  const auto name = [](const char* grid) { return to_string(with_rings_of_four(parse_grid(grid))); };
  EXPECT_EQ(name("grid:2x2x3wx3w"), "torus:3x3x4");
  EXPECT_EQ(name("grid:2x2x2x5w"), "grid:2x4wx5w");
  EXPECT_EQ(name("hypercube:4"), "hypercube:4");
  EXPECT_EQ(name("mesh:2x2x3"), "mesh:2x2x3");
}

TEST(RepairedGrid, finds_the_cables_that_tori_and_hypercubes_have_lost) {
  std::mt19937 random(7);
  for (const char* name :
       {"torus:5x5", "torus:3x3x4", "hypercube:4", "hypercube:6", "torus:8x8", "torus:6x5x4"}) {
    const Grid grid = parse_grid(name);
    for (std::size_t lost = 1; lost <= 2; ++lost) {
      auto edges = edges_of(grid, shuffled_numbers(grid.node_count(), random));
      for (std::size_t i = 0; i < lost; ++i)
        edges.erase(std::next(edges.begin(), static_cast<std::ptrdiff_t>(7 * i + 3)));
      const auto repaired = repaired_grid(graph_of_edges(grid.node_count(), edges));
      ASSERT_TRUE(repaired) << name;
      EXPECT_EQ(repaired->missing.size(), lost) << name;
      edges.insert(repaired->missing.begin(), repaired->missing.end());
      EXPECT_TRUE(is_isomorphic(repaired->found, edges)) << name;
    }
  }
}

TEST(RepairedGrid, is_not_found_if_nothing_is_missing_or_too_much) {
  const auto repaired = [](const char* name, std::size_t lost) {
    const Grid grid = parse_grid(name);
    std::mt19937 random(8);
    auto edges = edges_of(grid, shuffled_numbers(grid.node_count(), random));
    for (std::size_t i = 0; i < lost; ++i) edges.erase(edges.begin());
    return repaired_grid(graph_of_edges(grid.node_count(), edges)).has_value();
  };
  EXPECT_FALSE(repaired("torus:5x5", 0));
  EXPECT_FALSE(repaired("torus:5x5", 5));
  EXPECT_FALSE(repaired("mesh:4x5", 1));
}

TEST(DeficientVertices, have_fewer_neighbours_than_most) {
  const auto edges = edges_of(parse_grid("line:5"), {0, 1, 2, 3, 4});
  EXPECT_EQ(deficient_vertices(graph_of_edges(5, edges)), (std::vector<std::uint32_t>{0, 4}));
}

}  // namespace
}  // namespace cubefold
