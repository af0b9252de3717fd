#include "cubefold/embedding/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

Placement placement(const char* grid, const char* rule) {
  return {parse_grid(grid), parse_placement(rule)};
}

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

TEST(Placement, identity_takes_any_grid) {
  const Placement p = placement("mesh:3x5x7", "identity");
  for (std::uint32_t r = 0; r < 105; ++r) EXPECT_EQ(p.node_of(Rank{r}), GridNode{r});
}

// Spec section 2, table of embeddings, row by row.

TEST(Placement, standard_puts_the_coordinate_of_a_torus_at_the_ranks_own_bits) {
  const Placement p = placement("torus:4x8", "standard");
  for (std::uint32_t r = 0; r < 32; ++r) EXPECT_EQ(p.node_of(Rank{r}), GridNode{r});
}

TEST(Placement, cyclic_dealing_gives_bit_i_to_axis_i_mod_c) {  // [Calmant] section 2.3: m_(j,l) = n_(j+lc)
  const Placement p = placement("mesh:4x4x4", "standard,bits=cyclic");
  for (int bit = 0; bit < 6; ++bit) {
    const auto coordinates = p.grid().coordinates(p.node_of(Rank{1U << bit}));
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(coordinates[static_cast<std::size_t>(axis)], axis == bit % 3 ? 1U << (bit / 3) : 0U);
    }
  }
}

TEST(Placement, cyclic_dealing_skips_full_axes) {
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
