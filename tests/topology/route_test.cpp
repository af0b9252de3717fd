#include "cubefold/topology/route.hpp"

#include <gtest/gtest.h>

#include <queue>
#include <set>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

const char* const small_grids[] = {"line:7",      "ring:7",      "ring:8",       "mesh:3x4",  "torus:3x4",
                                   "torus:4x4",   "torus:2x6",   "grid:5wx3",    "ring:2",    "ring:1",
                                   "hypercube:4", "torus:3x4x2", "grid:4wx2wx3", "torus:1x5", "hypercube:0"};

template <typename Visit>
void for_each_pair(const Grid& grid, Visit visit) {
  for (std::uint32_t a = 0; a < grid.node_count(); ++a) {
    for (std::uint32_t b = 0; b < grid.node_count(); ++b) visit(GridNode{a}, GridNode{b});
  }
}

/// Returns whether two nodes are joined by a link, as an oracle that knows no routes. They are joined if they differ by
/// one on exactly one axis, or by extent - 1 if that axis wraps.
bool joined(const Grid& grid, GridNode a, GridNode b) {
  int differing = 0;
  bool adjacent = true;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto x = grid.coordinate(a, axis);
    const auto y = grid.coordinate(b, axis);
    if (x == y) continue;
    ++differing;
    const auto apart = x > y ? x - y : y - x;
    const bool wraps = grid.axes()[static_cast<std::size_t>(axis)].ends == Ends::wrapped;
    adjacent = adjacent && (apart == 1 || (wraps && apart == grid.extent(axis) - 1));
  }
  return differing == 1 && adjacent;
}

std::vector<std::uint32_t> breadth_first_distances(const Grid& grid, GridNode start) {
  std::vector<std::uint32_t> distances(grid.node_count(), static_cast<std::uint32_t>(-1));
  distances[static_cast<std::size_t>(start)] = 0;
  std::queue<GridNode> open({start});
  while (!open.empty()) {
    const GridNode here = open.front();
    open.pop();
    for (std::uint32_t n = 0; n < grid.node_count(); ++n) {
      if (!joined(grid, here, GridNode{n}) || distances[n] <= distances[static_cast<std::size_t>(here)] + 1)
        continue;
      distances[n] = distances[static_cast<std::size_t>(here)] + 1;
      open.push(GridNode{n});
    }
  }
  return distances;
}

TEST(TieName, is_read_as_it_is_written) {
  for (const Tie tie : {Tie::positive, Tie::balanced}) EXPECT_EQ(parse_tie(to_string(tie)), tie);
}

TEST(TieName, is_refused_with_those_that_there_are) {
  EXPECT_EQ(message_of([] { parse_tie("up"); }), "unknown tie 'up'; known: positive, balanced");
}

TEST(Distance, is_that_of_a_breadth_first_search) {
  for (const char* text : small_grids) {
    const Grid grid = parse_grid(text);
    for (std::uint32_t a = 0; a < grid.node_count(); ++a) {
      const auto expected = breadth_first_distances(grid, GridNode{a});
      for (std::uint32_t b = 0; b < grid.node_count(); ++b) {
        EXPECT_EQ(distance_hops(grid, GridNode{a}, GridNode{b}), expected[b]) << text << ' ' << a << ' ' << b;
      }
    }
  }
}

TEST(Route, leads_over_existing_links_to_its_end_in_as_many_hops_as_the_distance) {
  for (const char* text : small_grids) {
    const Grid grid = parse_grid(text);
    for (const Tie tie : {Tie::positive, Tie::balanced}) {
      for_each_pair(grid, [&](GridNode from, GridNode to) {
        const auto links = route(grid, from, to, tie);
        EXPECT_EQ(links.size(), distance_hops(grid, from, to));
        GridNode here = from;
        for (const Link& link : links) {
          EXPECT_EQ(link.from, here);
          here = end_of(grid, link);
          EXPECT_TRUE(joined(grid, link.from, here));
        }
        EXPECT_EQ(here, to);
      });
    }
  }
}

TEST(Route, finishes_each_axis_before_the_next) {
  const Grid grid = parse_grid("torus:4x5x3");
  for_each_pair(grid, [&](GridNode from, GridNode to) {
    int axis = 0;
    for (const Link& link : route(grid, from, to, Tie::balanced)) {
      EXPECT_GE(link.axis, axis);
      axis = link.axis;
    }
  });
}

TEST(Route, breaks_a_tie_upwards_or_by_parity) {
  const Grid ring = parse_grid("ring:8");
  const auto first = [&](std::uint32_t from, Tie tie) {
    return route(ring, GridNode{from}, GridNode{(from + 4) % 8}, tie).front().direction;
  };
  for (std::uint32_t node = 0; node < 8; ++node) {
    EXPECT_EQ(first(node, Tie::positive), Direction::positive);
    EXPECT_EQ(first(node, Tie::balanced), node % 2 == 0 ? Direction::positive : Direction::negative);
  }
}

TEST(Route, uses_one_link_each_way_on_a_wrapped_axis_of_extent_2) {
  const Grid grid = parse_grid("torus:2x4");
  for (const Tie tie : {Tie::positive, Tie::balanced}) {
    EXPECT_EQ(route(grid, GridNode{0}, GridNode{1}, tie),
              (std::vector<Link>{{GridNode{0}, 0, Direction::positive}}));
    EXPECT_EQ(route(grid, GridNode{1}, GridNode{0}, tie),
              (std::vector<Link>{{GridNode{1}, 0, Direction::negative}}));
  }
}

TEST(Route, on_a_hypercube_corrects_bits_from_the_lowest) {
  const Grid cube = parse_grid("hypercube:4");
  std::vector<int> axes;
  for (const Link& link : route(cube, GridNode{0b0010}, GridNode{0b1101}, Tie::positive))
    axes.push_back(link.axis);
  EXPECT_EQ(axes, (std::vector<int>{0, 1, 2, 3}));
}

TEST(NextLink, followed_from_node_to_node_is_the_route) {
  for (const char* text : small_grids) {
    const Grid grid = parse_grid(text);
    for (const Tie tie : {Tie::positive, Tie::balanced}) {
      for_each_pair(grid, [&](GridNode from, GridNode to) {
        std::vector<Link> followed;
        GridNode here = from;
        while (const auto link = next_link(grid, here, to, tie)) {
          followed.push_back(*link);
          here = end_of(grid, *link);
        }
        EXPECT_EQ(followed, route(grid, from, to, tie)) << text;
        EXPECT_EQ(last_link(grid, from, to, tie),
                  followed.empty() ? std::nullopt : std::optional(followed.back()))
            << text;
      });
    }
  }
}

TEST(LinksOf, are_those_between_joined_nodes_once_each_in_the_order_of_their_numbers) {
  for (const char* text : small_grids) {
    const Grid grid = parse_grid(text);
    std::set<std::pair<GridNode, GridNode>> ends;
    std::optional<std::size_t> previous;
    for (const Link& link : links_of(grid)) {
      EXPECT_TRUE(joined(grid, link.from, end_of(grid, link))) << text;
      EXPECT_TRUE(ends.insert({link.from, end_of(grid, link)}).second) << text;
      EXPECT_TRUE(!previous || *previous < link_index(grid, link)) << text;
      previous = link_index(grid, link);
    }
    std::size_t joined_count = 0;
    for_each_pair(grid, [&](GridNode a, GridNode b) { joined_count += joined(grid, a, b) ? 1U : 0U; });
    EXPECT_EQ(ends.size(), joined_count) << text;
  }
}

TEST(LinksOf, a_line_do_not_lead_over_its_ends) {
  EXPECT_EQ(links_of(parse_grid("line:2")), (std::vector<Link>{{GridNode{0}, 0, Direction::positive},
                                                               {GridNode{1}, 0, Direction::negative}}));
}

TEST(LinkIndex, is_different_for_different_links) {
  for (const char* text : small_grids) {
    const Grid grid = parse_grid(text);
    std::set<std::size_t> seen;
    for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
      for (int axis = 0; axis < grid.axis_count(); ++axis) {
        for (const Direction direction : {Direction::positive, Direction::negative}) {
          const auto index = link_index(grid, {GridNode{node}, axis, direction});
          EXPECT_LT(index, link_index_count(grid));
          EXPECT_TRUE(seen.insert(index).second);
        }
      }
    }
  }
}

}  // namespace
}  // namespace cubefold
