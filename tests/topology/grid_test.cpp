#include "cubefold/topology/grid.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

TEST(ParseGrid, reads_every_kind_that_the_documentation_names) {
  EXPECT_EQ(parse_grid("torus:8x8"), Grid({8, 8}, Ends::wrapped));
  EXPECT_EQ(parse_grid("mesh:4x4x4"), Grid({4, 4, 4}, Ends::open));
  EXPECT_EQ(parse_grid("ring:16"), Grid({16}, Ends::wrapped));
  EXPECT_EQ(parse_grid("line:16"), Grid({16}, Ends::open));
  EXPECT_EQ(parse_grid("hypercube:6"), Grid({2, 2, 2, 2, 2, 2}, Ends::open));
  EXPECT_EQ(parse_grid("grid:8wx4"), Grid({{8, Ends::wrapped}, {4, Ends::open}}));
  EXPECT_EQ(parse_grid("mesh:3x5x7x11"), Grid({3, 5, 7, 11}, Ends::open));
  EXPECT_EQ(parse_grid("torus:1"), Grid({1}, Ends::wrapped));
}

TEST(ParseGrid, takes_a_hypercube_of_dimension_0_as_a_single_node) {
  EXPECT_EQ(parse_grid("hypercube:0").node_count(), 1U);
}

TEST(ParseGrid, names_the_text_and_the_rule_that_it_breaks) {
  const auto complaint = [](const char* text) { return message_of([&] { parse_grid(text); }); };
  EXPECT_EQ(complaint("torus"), "grid 'torus': expected a kind and a colon, as in torus:8x8");
  EXPECT_EQ(complaint(""), "grid '': expected a kind and a colon, as in torus:8x8");
  EXPECT_EQ(complaint("tours:8x8"),
            "grid 'tours:8x8': unknown kind 'tours'; did you mean 'torus'? known: torus, mesh, ring, line, "
            "hypercube, grid, hyperx, tofu, file");
  EXPECT_EQ(complaint("torus:8x0"), "grid 'torus:8x0': extent 0 of axis 1 is not positive");
  EXPECT_EQ(complaint("torus:8x"), "grid 'torus:8x': expected a number at ''");
  EXPECT_EQ(complaint("torus:8x-3"), "grid 'torus:8x-3': expected a number at '-3'");
  EXPECT_EQ(complaint("torus:8wx4"), "grid 'torus:8wx4': unexpected 'wx4' at the end");
  EXPECT_EQ(complaint("ring:8x8"), "grid 'ring:8x8': unexpected 'x8' at the end");
  EXPECT_EQ(complaint("ring:99999999999"), "grid 'ring:99999999999': '99999999999' is too large");
  EXPECT_EQ(complaint("hypercube:32"), "grid 'hypercube:32': dimension 32 is above 31");
  EXPECT_EQ(complaint("mesh:65536x65536"),
            "grid 'mesh:65536x65536': axes 0 to 1 have more than 2147483648 nodes");
}

TEST(ParseGrid, gives_units_of_tofu_their_three_axes) {
  EXPECT_EQ(parse_grid("tofu:4x2x3"), parse_grid("grid:4x2x3x2x3wx2"));
  EXPECT_EQ(parse_grid("tofu:4wx2x3w"), parse_grid("grid:4wx2x3wx2x3wx2"));
  const auto complaint = [](const char* text) { return message_of([&] { parse_grid(text); }); };
  EXPECT_EQ(complaint("tofu:4x2"), "grid 'tofu:4x2': tofu has three axes of units of 2x3x2 nodes");
  EXPECT_EQ(complaint("tofu:4x2x0"), "grid 'tofu:4x2x0': extent 0 of axis 2 is not positive");
}

TEST(Grid, refuses_an_extent_of_0_and_names_the_axis) {
  EXPECT_EQ(message_of([] { Grid({8, 0}, Ends::wrapped); }), "Grid: extent 0 of axis 1 is not positive");
}

TEST(GridText, is_read_back_as_the_same_grid) {
  for (const char* text :
       {"torus:8x8", "mesh:4x4x4", "ring:16", "line:16", "hypercube:6", "grid:8wx4", "grid:8x4w", "torus:2x2",
        "mesh:2x3", "ring:2", "torus:1x1", "hypercube:0", "grid:3wx5x2w"}) {
    EXPECT_EQ(to_string(parse_grid(text)), text);
  }
}

TEST(GridText, calls_a_mesh_of_extents_2_a_hypercube) {
  EXPECT_EQ(to_string(parse_grid("mesh:2x2x2")), "hypercube:3");
  EXPECT_EQ(to_string(parse_grid("line:2")), "hypercube:1");
}

TEST(Grid, counts_axis_0_fastest) {
  const Grid grid({3, 4, 5}, Ends::open);
  EXPECT_EQ(grid.node_count(), 60U);
  EXPECT_EQ(grid.coordinates(GridNode{1}), (std::vector<std::uint32_t>{1, 0, 0}));
  EXPECT_EQ(grid.coordinates(GridNode{3}), (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(grid.coordinates(GridNode{59}), (std::vector<std::uint32_t>{2, 3, 4}));
}

TEST(Grid, finds_every_node_by_its_coordinates) {
  const Grid grid({3, 4, 5}, Ends::wrapped);
  for (std::uint32_t n = 0; n < grid.node_count(); ++n) {
    EXPECT_EQ(grid.node_at(grid.coordinates(GridNode{n})), GridNode{n});
  }
}

TEST(Grid, refuses_coordinates_that_it_does_not_have) {
  const Grid grid({3, 4}, Ends::open);
  const std::vector<std::uint32_t> outside{2, 4};
  EXPECT_EQ(message_of([&] { (void)grid.node_at(outside); }),
            "Grid::node_at: coordinate 4 of axis 1 is not below its extent 4");
  const std::vector<std::uint32_t> too_few{2};
  EXPECT_EQ(message_of([&] { (void)grid.node_at(too_few); }),
            "Grid::node_at: 1 coordinates for a grid of 2 axes");
}

TEST(Grid, has_no_wrap_link_on_axes_of_extent_1_and_2) {
  const Grid grid = parse_grid("torus:1x2x3");
  EXPECT_FALSE(grid.has_wrap_link(0));
  EXPECT_FALSE(grid.has_wrap_link(1));
  EXPECT_TRUE(grid.has_wrap_link(2));
}

}  // namespace
}  // namespace cubefold
