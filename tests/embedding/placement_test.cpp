#include "cubefold/embedding/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>

#include "embedding/named_placement.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

std::vector<std::uint32_t> labels_in_node_order(const Placement& placement) {
  std::vector<std::uint32_t> labels;
  for (const Rank rank : rank_of_node(placement)) labels.push_back(label(rank));
  return labels;
}

const char* const power_of_two_grids[] = {"ring:16",    "line:8",     "torus:8x8", "mesh:4x8x2",
                                          "grid:16wx4", "torus:2x2",  "torus:1x8", "hypercube:5",
                                          "ring:1",     "hypercube:0"};
const char* const rules[] = {"identity",
                             "standard",
                             "xor",
                             "by-weight",
                             "gray",
                             "identity,bits=cyclic",
                             "xor,bits=cyclic",
                             "gray,bits=cyclic",
                             "by-weight,bits=cyclic"};

TEST(Placement, is_a_bijection_with_its_inverse_under_every_rule_and_reversed_bits) {
  for (const char* grid : power_of_two_grids) {
    for (const char* rule : rules) {
      PlacementRule parsed = parse_placement(rule);
      for (const bool reversed : {false, true}) {
        if (reversed) {
          const int bits = std::countr_zero(parse_grid(grid).node_count());
          for (int bit = bits; bit-- > 0;) parsed.order.push_back(bit);
        }
        const Placement p(parse_grid(grid), parsed);
        std::vector<bool> used(p.rank_count());
        for (std::uint32_t r = 0; r < p.rank_count(); ++r) {
          const auto node = static_cast<std::size_t>(p.node_of(Rank{r}));
          ASSERT_LT(node, p.rank_count()) << grid << ' ' << rule;
          EXPECT_FALSE(used[node]);
          used[node] = true;
          EXPECT_EQ(p.rank_of(GridNode{static_cast<std::uint32_t>(node)}), Rank{r});
        }
      }
    }
  }
}

TEST(Placement, is_a_bijection_with_its_inverse_under_embeddings_of_their_own_on_each_axis) {
  const char* const names[] = {"identity", "standard", "xor", "by-weight", "gray"};
  for (const std::string first : names) {
    for (const std::string second : names) {
      for (const char* bits : {"", ",bits=cyclic", ",bits=1-1-0-1-0,order=4-0-3-1-2"}) {
        const auto rule = first + "/" + second + bits;
        const Placement p = placement("grid:4wx8", rule.c_str());
        std::vector<bool> used(32);
        for (std::uint32_t r = 0; r < 32; ++r) {
          const auto node = p.node_of(Rank{r});
          EXPECT_FALSE(used.at(static_cast<std::size_t>(node))) << rule;
          used[static_cast<std::size_t>(node)] = true;
          EXPECT_EQ(p.rank_of(node), Rank{r}) << rule;
        }
      }
    }
  }
}

TEST(Placement, embeds_each_axis_as_its_name_says) {
  const Placement mixed = placement("torus:8x16x4", "gray/by-weight/xor");
  for (std::uint32_t r = 0; r < 512; ++r) {
    const auto coordinates = mixed.grid().coordinates(mixed.node_of(Rank{r}));
    EXPECT_EQ(GridNode{coordinates[0]}, placement("ring:8", "gray").node_of(Rank{r % 8}));
    EXPECT_EQ(GridNode{coordinates[1]}, placement("ring:16", "by-weight").node_of(Rank{r / 8 % 16}));
    EXPECT_EQ(GridNode{coordinates[2]}, placement("ring:4", "xor").node_of(Rank{r / 128}));
  }
}

TEST(Placement, gives_bits_to_the_axes_that_are_listed_from_their_lowest_bit_up) {
  const Placement p = placement("mesh:4x8", "standard,bits=1-0-1-1-0");
  const std::vector<std::uint32_t> coordinates_of_bit[] = {{0, 1}, {1, 0}, {0, 2}, {0, 4}, {2, 0}};
  for (int bit = 0; bit < 5; ++bit) {
    EXPECT_EQ(p.grid().coordinates(p.node_of(Rank{1U << bit})), coordinates_of_bit[bit]);
  }
}

TEST(Placement, listed_axes_say_what_blocked_and_cyclic_say) {
  for (const auto& [listed, named] :
       {std::pair{"xor,bits=0-0-1-1-1-2", "xor"}, {"xor,bits=0-1-2-0-1-1", "xor,bits=cyclic"}}) {
    EXPECT_EQ(node_of_rank(placement("mesh:4x8x2", listed)), node_of_rank(placement("mesh:4x8x2", named)));
  }
}

TEST(Placement, an_order_can_say_what_listed_axes_say) {
  EXPECT_EQ(node_of_rank(placement("torus:4x8", "xor,bits=1-0-1-1-0")),
            node_of_rank(placement("torus:4x8", "xor,order=1-4-0-2-3")));
}

TEST(BitPlaces, are_where_standard_puts_each_rank_bit) {
  const Grid grid = parse_grid("mesh:4x8x2");
  for (const char* rule :
       {"standard", "standard,bits=cyclic", "standard,bits=2-1-1-0-1-0,order=3-1-5-0-2-4"}) {
    const auto places = bit_places(grid, parse_placement(rule));
    ASSERT_EQ(places.size(), 6U);
    for (int bit = 0; bit < 6; ++bit) {
      const auto [axis, position] = places[static_cast<std::size_t>(bit)];
      std::vector<std::uint32_t> coordinates(3);
      coordinates[static_cast<std::size_t>(axis)] = 1U << position;
      EXPECT_EQ(placement("mesh:4x8x2", rule).node_of(Rank{1U << bit}), grid.node_at(coordinates)) << rule;
    }
  }
}

TEST(Placement, looks_up_a_table_on_any_grid) {
  const Placement p = placement("mesh:3x2", "nodes=4-0-5-1-3-2");
  EXPECT_EQ(node_of_rank(p),
            (std::vector{GridNode{4}, GridNode{0}, GridNode{5}, GridNode{1}, GridNode{3}, GridNode{2}}));
  for (std::uint32_t r = 0; r < 6; ++r) EXPECT_EQ(p.rank_of(p.node_of(Rank{r})), Rank{r});
}

TEST(Placement, identity_takes_any_grid) {
  const Placement p = placement("mesh:3x5x7", "identity");
  for (std::uint32_t r = 0; r < 105; ++r) EXPECT_EQ(p.node_of(Rank{r}), GridNode{r});
}

// These tests follow the rows of the table of embeddings in spec section 2.

TEST(Placement, standard_puts_the_coordinate_of_a_torus_at_the_ranks_own_bits) {
  const Placement p = placement("torus:4x8", "standard");
  for (std::uint32_t r = 0; r < 32; ++r) EXPECT_EQ(p.node_of(Rank{r}), GridNode{r});
}

TEST(Placement, cyclic_assignment_gives_bit_i_to_axis_i_mod_c) {  // [Calmant] section 2.3: m_(j,l) = n_(j+lc)
  const Placement p = placement("mesh:4x4x4", "standard,bits=cyclic");
  for (int bit = 0; bit < 6; ++bit) {
    const auto coordinates = p.grid().coordinates(p.node_of(Rank{1U << bit}));
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(coordinates[static_cast<std::size_t>(axis)], axis == bit % 3 ? 1U << (bit / 3) : 0U);
    }
  }
}

TEST(Placement, cyclic_assignment_skips_full_axes) {
  const Placement p = placement("mesh:2x8x4", "standard,bits=cyclic");
  const int axis_of_bit[] = {0, 1, 2, 1, 2, 1};
  for (int bit = 0; bit < 6; ++bit) {
    const auto coordinates = p.grid().coordinates(p.node_of(Rank{1U << bit}));
    EXPECT_NE(coordinates[static_cast<std::size_t>(axis_of_bit[bit])], 0U) << bit;
  }
}

TEST(Placement, xor_gives_the_first_row_of_figure_6) {  // [Xor] figure 6
  const auto labels = labels_in_node_order(placement("torus:8x8", "xor"));
  EXPECT_EQ(std::vector<std::uint32_t>(labels.begin(), labels.begin() + 8),
            (std::vector<std::uint32_t>{0, 1, 2, 3, 6, 7, 4, 5}));
}

TEST(Placement, xor_on_a_ring_is_the_formula_of_the_paper) {  // [Xor] section 3.1
  const Placement p = placement("ring:64", "xor");
  for (std::uint32_t r = 0; r < 64; ++r) {
    EXPECT_EQ(p.node_of(Rank{r}), GridNode{r ^ ((r >> 5) << 4)});
  }
}

TEST(Placement, xor_leaves_axes_of_extent_2_alone) {
  const Placement p = placement("hypercube:4", "xor");
  for (std::uint32_t r = 0; r < 16; ++r) EXPECT_EQ(p.node_of(Rank{r}), GridNode{r});
}

TEST(Placement, by_weight_puts_a_3_cube_on_a_line_as_listed) {
  EXPECT_EQ(labels_in_node_order(placement("line:8", "by-weight")),
            (std::vector<std::uint32_t>{0, 4, 2, 1, 6, 5, 3, 7}));
}

TEST(Placement, by_weight_sorts_by_popcount_and_then_downwards) {
  const auto labels = labels_in_node_order(placement("line:1024", "by-weight"));
  EXPECT_TRUE(std::is_sorted(labels.begin(), labels.end(), [](std::uint32_t a, std::uint32_t b) {
    return std::popcount(a) != std::popcount(b) ? std::popcount(a) < std::popcount(b) : a > b;
  }));
}

TEST(Placement, gray_puts_rank_m_xor_half_m_at_coordinate_m) {
  const auto labels = labels_in_node_order(placement("line:64", "gray"));
  for (std::uint32_t m = 0; m < 64; ++m) EXPECT_EQ(labels[m], m ^ (m >> 1));
}

TEST(Placement, order_takes_new_bit_k_from_old_bit_order_k_and_then_embeds) {
  const Placement p = placement("torus:4x4x4", "standard,order=0-3-1-4-2-5");
  const int new_bit_of_old[] = {0, 2, 4, 1, 3, 5};
  for (int bit = 0; bit < 6; ++bit) {
    EXPECT_EQ(p.node_of(Rank{1U << bit}), GridNode{1U << new_bit_of_old[bit]});
  }
}

TEST(Placement, refuses_grids_and_orders_that_do_not_fit) {
  EXPECT_EQ(message_of([] { placement("mesh:4x6", "xor"); }),
            "placement 'xor' on mesh:4x6: extent 6 of axis 1 is not a power of two");
  EXPECT_EQ(message_of([] { placement("mesh:4x6", "identity,bits=cyclic"); }),
            "placement 'identity,bits=cyclic' on mesh:4x6: extent 6 of axis 1 is not a power of two");
  EXPECT_EQ(message_of([] { placement("mesh:4x4", "xor,order=0-1"); }),
            "placement 'xor,order=0-1' on mesh:4x4: the order has 2 bits where ranks have 4");
  EXPECT_EQ(message_of([] { placement("torus:4x4x4", "xor/gray"); }),
            "placement 'xor/gray' on torus:4x4x4: 2 embeddings for 3 axes");
  EXPECT_EQ(message_of([] { placement("mesh:4x4", "xor,bits=0-1-0"); }),
            "placement 'xor,bits=0-1-0' on mesh:4x4: the axes are given for 3 bits where ranks have 4");
  EXPECT_EQ(message_of([] { placement("mesh:4x4", "xor,bits=0-1-0-0"); }),
            "placement 'xor,bits=0-1-0-0' on mesh:4x4: axis 0 is given more than its 2 bits");
  EXPECT_EQ(message_of([] { placement("mesh:4x4", "xor,bits=0-1-0-2"); }),
            "placement 'xor,bits=0-1-0-2' on mesh:4x4: bits are given to axis 2 of 2");
  EXPECT_EQ(message_of([] { placement("mesh:4x4", "nodes=0-1"); }),
            "placement 'nodes=0-1' on mesh:4x4: the table has 2 nodes where the grid has 16");
}

TEST(Placement, refuses_rules_that_no_text_says) {
  PlacementRule twice;
  twice.nodes = {GridNode{1}, GridNode{1}};
  EXPECT_EQ(message_of([&] { Placement(parse_grid("ring:2"), twice); }),
            "placement 'nodes=1-1' on ring:2: node 1 is beyond the grid or repeated");
  const PlacementRule no_permutation{{Embedding::xor_}, BitAssignment::blocked, {0, 0}};
  EXPECT_EQ(message_of([&] { Placement(parse_grid("line:4"), no_permutation); }),
            "placement 'xor,order=0-0' on line:4: the order is no permutation of the bits");
}

TEST(NodeOfRank, agrees_with_the_single_ranks_and_with_its_inverse) {
  const Placement p = placement("torus:16x4", "xor,bits=cyclic");
  const auto nodes = node_of_rank(p);
  const auto ranks = rank_of_node(p);
  ASSERT_EQ(nodes.size(), 64U);
  for (std::uint32_t r = 0; r < 64; ++r) {
    EXPECT_EQ(nodes[r], p.node_of(Rank{r}));
    EXPECT_EQ(ranks[static_cast<std::size_t>(nodes[r])], Rank{r});
  }
}

TEST(DimensionCount, is_the_logarithm_or_an_error) {
  EXPECT_EQ(dimension_count(placement("torus:8x8", "xor")), 6);
  EXPECT_EQ(message_of([] { dimension_count(placement("mesh:3x5", "identity")); }),
            "mesh:3x5 has 15 nodes; a hypercube needs a power of two");
}

}  // namespace
}  // namespace cubefold
