
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "cubefold/plan/mapping.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

TEST(Place, reads_what_parse_placement_reads) {
  const Grid grid = parse_grid("torus:4x4");
  for (const char* text : {"identity", "xor,bits=cyclic", "standard,order=3-1-0-2"}) {
    EXPECT_EQ(place(grid, text).rule(), parse_placement(text)) << text;
  }
}

TEST(Place, takes_the_chosen_rule_for_phases) {
  MappingOptions options;
  options.rules_only = true;
  for (const char* text : {"torus:4x4x4", "mesh:8x8", "grid:4x16w", "hypercube:6"}) {
    const Grid grid = parse_grid(text);
    const auto mapping = choose_placement(grid, parse_phases("cube:0-2+transpose:8x8*2", 64), options);
    EXPECT_EQ(node_of_rank(place(grid, "auto:cube:0-2+transpose:8x8*2")), mapping.node_of_rank) << text;
  }
}

TEST(Place, keeps_to_rules_where_a_table_would_be_better) {
  const Grid grid = parse_grid("line:64");
  EXPECT_TRUE(place(grid, "auto:complement").rule().nodes.empty());
  EXPECT_FALSE(
      parse_placement(choose_placement(grid, parse_phases("complement", 64)).placement).nodes.empty());
}

TEST(Place, turns_the_axes_of_halo_exchanges_by_a_rule) {
  for (const auto& [machine, halo] :
       {std::pair("torus:8x16", "halo:8wx16w"), std::pair("torus:4x64x16", "halo:4wx64wx16w"),
        std::pair("mesh:16x4", "halo:4x16"), std::pair("torus:4x8x8", "halo:8wx32w")}) {
    const Grid grid = parse_grid(machine);
    const Placement placement = place(grid, std::string("auto:") + halo);
    EXPECT_TRUE(placement.rule().nodes.empty()) << halo;
    EXPECT_EQ(evaluate(grid, node_of_rank(placement), parse_phases(halo, grid.node_count())).objective, 1)
        << halo;
  }
}

TEST(Place, on_grids_that_are_no_powers_of_two_gives_a_bijection) {
  const Grid grid = parse_grid("torus:3x5");
  const Placement placement = place(grid, "auto:transpose:5x3");
  for (std::uint32_t r = 0; r < 15; ++r) EXPECT_EQ(placement.rank_of(placement.node_of(Rank{r})), Rank{r});
}

TEST(Place, of_a_single_rank_is_on_the_single_node) {
  for (const char* text : {"auto:cube", "auto:bit-reversal", "auto:cube+bit-reversal*2"}) {
    EXPECT_EQ(place(parse_grid("ring:1"), text).node_of(Rank{0}), GridNode{0}) << text;
  }
}

TEST(Place, says_what_is_wrong_with_phases) {
  EXPECT_EQ(message_of([] { place(parse_grid("ring:6"), "auto:cube"); }),
            "phase 'cube': 6 ranks are no power of two");
  EXPECT_NE(message_of([] { place(parse_grid("ring:8"), "auto:"); }), "");
}

}  // namespace
}  // namespace cubefold
