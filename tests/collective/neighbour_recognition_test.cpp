#include "collective/neighbour_recognition.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "support/full_stencil.hpp"

namespace cubefold {
namespace {

/// The edges of all ranks of a grid to the ranks that differ by at most one on every axis.
NeighbourGrid full_stencil_on(const Grid& grid) {
  return {grid, full_stencil(grid.axis_count())};
}

struct Lists {
  std::vector<Rank> sources;
  std::vector<Rank> destinations;
};

std::vector<Lists> lists_of(const NeighbourGrid& edges) {
  std::vector<Lists> lists(edges.rank_count());
  for (std::uint32_t r = 0; r < edges.rank_count(); ++r) {
    for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
      if (const auto to = edges.destination(Rank{r}, edge)) lists[r].destinations.push_back(*to);
      if (const auto from = edges.source(Rank{r}, edge)) lists[r].sources.push_back(*from);
    }
  }
  return lists;
}

/// Returns the grid that all ranks agree on, which the rank with the most edges proposes.
std::optional<NeighbourGrid> recognised(const std::vector<Lists>& lists) {
  std::uint32_t leader = 0;
  for (std::uint32_t r = 1; r < lists.size(); ++r)
    if (lists[r].destinations.size() > lists[leader].destinations.size()) leader = r;
  for (auto& grid : possible_neighbour_grids(lists.size(), Rank{leader}, lists[leader].destinations)) {
    bool fits = true;
    for (std::uint32_t r = 0; r < lists.size(); ++r)
      fits = fits && has_edges(grid, Rank{r}, lists[r].sources, lists[r].destinations);
    if (fits) return grid;
  }
  return std::nullopt;
}

TEST(NeighbourRecognition, finds_full_stencils_on_wrapped_open_and_short_axes) {
  for (const char* text : {"torus:4x4x4", "mesh:4x4x4", "torus:8x8", "mesh:3x5", "grid:4wx3", "torus:3x3x3",
                           "mesh:2x4x3", "torus:2x4", "grid:6wx2x2w", "torus:6x5x4", "mesh:3x3x3x3"}) {
    SCOPED_TRACE(text);
    const auto lists = lists_of(full_stencil_on(parse_grid(text)));
    const auto found = recognised(lists);
    ASSERT_TRUE(found);
    for (std::uint32_t r = 0; r < lists.size(); ++r)
      EXPECT_TRUE(has_edges(*found, Rank{r}, lists[r].sources, lists[r].destinations));
  }
}

TEST(NeighbourRecognition, finds_the_grid_itself_where_no_other_has_fewer_messages) {
  for (const char* text : {"torus:4x4x4", "mesh:4x4x4", "torus:8x8", "mesh:5x7"}) {
    const NeighbourGrid edges = full_stencil_on(parse_grid(text));
    EXPECT_EQ(recognised(lists_of(edges)), edges) << text;
  }
}

TEST(NeighbourRecognition, takes_edges_in_any_order_and_repeated_ones) {
  const Grid grid = parse_grid("torus:4x3");
  auto lists = lists_of(NeighbourGrid(grid, {{1, 1}, {1, 1}, {0, 1}, {1, 0}, {0, 0}, {-1, 1}, {-1, 0}}));
  std::mt19937 chance(1);
  for (Lists& each : lists) {
    std::shuffle(each.sources.begin(), each.sources.end(), chance);
    std::shuffle(each.destinations.begin(), each.destinations.end(), chance);
  }
  EXPECT_TRUE(recognised(lists));
}

TEST(NeighbourRecognition, refuses_a_graph_with_an_edge_more_or_less_or_elsewhere) {
  const auto good = lists_of(full_stencil_on(parse_grid("torus:4x4")));
  ASSERT_TRUE(recognised(good));
  auto less = good;
  less[3].destinations.pop_back();
  EXPECT_FALSE(recognised(less));
  auto more = good;
  more[5].sources.push_back(Rank{0});
  EXPECT_FALSE(recognised(more));
  auto elsewhere = good;
  elsewhere[9].destinations.front() = Rank{9};
  EXPECT_FALSE(recognised(elsewhere));
}

TEST(NeighbourRecognition, finds_nothing_where_combining_saves_no_message) {
  EXPECT_TRUE(possible_neighbour_grids(16, Rank{0}, {}).empty());
  const std::vector<Rank> ring{Rank{1}, Rank{15}};
  EXPECT_FALSE(recognised(lists_of(NeighbourGrid(parse_grid("ring:16"), {{1}, {-1}}))));
  EXPECT_TRUE(possible_neighbour_grids(1, Rank{0}, std::vector<Rank>(3, Rank{0})).empty());
  EXPECT_TRUE(possible_neighbour_grids(512, Rank{0}, std::vector<Rank>(257, Rank{1})).empty());
}

TEST(NeighbourRecognition, of_many_ranks_looks_at_few_grids) {
  const std::vector<Rank> destinations{Rank{1}, Rank{2}, Rank{720719}, Rank{840}};
  EXPECT_LE(possible_neighbour_grids(720720, Rank{0}, destinations).size(), most_neighbour_grids);
}

}  // namespace
}  // namespace cubefold
