#include "cubefold/plan/mapping.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <stdexcept>

#include "cubefold/embedding/placement.hpp"
#include "plan/all_objectives.hpp"
#include "plan/family.hpp"
#include "plan/phases_of.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

Mapping chosen(const char* grid_text, const char* phases_text, MappingObjective objective = {},
               Tie tie = Tie::balanced, bool rules_only = false) {
  const Grid grid = parse_grid(grid_text);
  MappingOptions options;
  options.objective = objective;
  options.tie = tie;
  options.rules_only = rules_only;
  return choose_placement(grid, parse_phases(phases_text, grid.node_count()), options);
}

using Value = std::pair<double, double>;

Value value_of(const MappingValues& values) {
  return {values.objective, values.hop_bytes};
}

/// Returns the best value over every embedding per axis and every order of bits, as an oracle.
Value best_of_family(const Grid& grid, const std::vector<Phase>& phases, const MappingOptions& options) {
  Value best{1e300, 1e300};
  for_each_of_family(grid, [&](const auto&, const auto&, const std::vector<GridNode>& nodes) {
    best = std::min(best, value_of(evaluate(grid, nodes, phases, options.objective, options.tie)));
  });
  return best;
}

void expect_consistent(const Grid& grid, const std::vector<Phase>& phases, const MappingOptions& options,
                       const Mapping& mapping) {
  const auto nodes = node_of_rank(Placement(grid, parse_placement(mapping.placement)));
  for (std::size_t r = 0; r < mapping.node_of_rank.size(); ++r) {
    EXPECT_EQ(mapping.node_of_rank[r], nodes[r / options.per_node]) << mapping.placement;
  }
  EXPECT_EQ(mapping.node_of_rank.size(), grid.node_count() * options.per_node);
  const auto values = evaluate(grid, mapping.node_of_rank, phases, options.objective, options.tie);
  EXPECT_EQ(values.objective, mapping.values.objective);
  EXPECT_LE(mapping.bound.exact_value, mapping.values.exact_objective);
}

constexpr Tie both_ties[] = {Tie::positive, Tie::balanced};

TEST(ChoosePlacement, brings_the_pattern_of_cg_on_64_ranks_down_to_one_message_per_link) {
  for (const Tie tie : both_ties) {
    for (const auto objective : {MappingObjective::busiest_links, MappingObjective::busiest_link_together}) {
      const auto mapping = chosen("torus:4x4x4", "cube:0-2+transpose:8x8", objective, tie);
      EXPECT_EQ(mapping.values.busiest_link_together, 1);
      EXPECT_EQ(mapping.values.busiest_link, (std::vector<double>{1, 1, 1, 1}));
      EXPECT_NEAR(mapping.values.average_hops, 1.161, 0.0005);
      EXPECT_EQ(mapping.optimal, true);
    }
  }
}

TEST(ChoosePlacement, brings_butterflies_and_bit_reversal_on_64_ranks_down_to_7) {
  for (const Tie tie : both_ties) {
    const auto mapping = chosen("torus:4x4x4", "cube+bit-reversal", MappingObjective::busiest_links, tie);
    EXPECT_EQ(mapping.values.objective, 7);
    EXPECT_EQ(mapping.optimal, true);
  }
}

// An earlier search, which used one embedding for all axes, found 4.
TEST(ChoosePlacement, brings_bit_reversal_on_4096_nodes_down_from_48_to_3_by_a_rule) {
  for (const Tie tie : both_ties) {
    const auto mapping = chosen("torus:16x16x16", "bit-reversal", MappingObjective::busiest_links, tie, true);
    EXPECT_EQ(mapping.values.objective, 3);
    EXPECT_EQ(mapping.searched, "exhaustive over embeddings per axis and orders of bits");
  }
}

TEST(ChoosePlacement, puts_ranks_that_swap_messages_next_to_each_other) {
  for (const char* text :
       {"line:64", "mesh:8x8", whole_or_sample("torus:16x16x16", "torus:8x8x8"), "grid:4x8wx2", "ring:128"}) {
    for (const char* phase : {"complement", "bit-reversal", "reverse-flip", "exchange"}) {
      const auto mapping = chosen(text, phase);
      EXPECT_EQ(mapping.values.objective, 1) << text << " " << phase;
      EXPECT_EQ(mapping.optimal, true);
    }
  }
  EXPECT_EQ(chosen("line:64", "complement").searched,
            "exhaustive over embeddings per axis and orders of bits; ways to fold mesh:2x32, the phases' own "
            "grid (the choice)");
}

TEST(ChoosePlacement, finds_that_a_torus_of_4_rings_is_a_hypercube) {
  EXPECT_EQ(chosen("torus:4x4x4", "cube").placement, "xor");
}

TEST(ChoosePlacement, is_the_best_of_the_family_for_linear_complement_communication) {
  std::mt19937_64 generator(1);
  for (const char* text : {"torus:4x4", "ring:16", "mesh:8x2", "grid:4x8w", "hypercube:4", "grid:1x8wx2"}) {
    const Grid grid = parse_grid(text);
    const int bits = std::countr_zero(grid.node_count());
    for (const auto objective : all_objectives) {
      for (const Tie tie : {Tie::positive, Tie::balanced}) {
        auto phases = parse_phases("cube*2", grid.node_count());
        for (int i = 0; i < 3; ++i) phases.push_back(random_lcc_phase(bits, generator));
        MappingOptions options;
        options.objective = objective;
        options.tie = tie;
        options.rules_only = true;
        const auto mapping = choose_placement(grid, phases, options);
        EXPECT_EQ(value_of(mapping.values), best_of_family(grid, phases, options))
            << text << " " << mapping.placement;
        expect_consistent(grid, phases, options, mapping);
      }
    }
  }
}

TEST(ChoosePlacement, is_no_worse_than_the_best_of_the_family_for_any_traffic) {
  std::mt19937_64 generator(2);
  for (const char* text : {"torus:4x4", "line:8", "grid:2x8w"}) {
    const Grid grid = parse_grid(text);
    for (const auto objective : all_objectives) {
      const std::vector<Phase> phases{random_phase(grid.node_count(), 30, generator),
                                      random_lcc_phase(std::countr_zero(grid.node_count()), generator)};
      MappingOptions options;
      options.objective = objective;
      options.effort = 100'000'000;
      const auto mapping = choose_placement(grid, phases, options);
      EXPECT_LE(value_of(mapping.values), best_of_family(grid, phases, options)) << text;
      expect_consistent(grid, phases, options, mapping);
    }
  }
}

TEST(ChoosePlacement, is_no_worse_than_any_named_placement_where_it_cannot_look_at_all) {
  std::mt19937_64 generator(3);
  for (const char* text : {"torus:8x8", "mesh:4x16", "ring:64"}) {
    const Grid grid = parse_grid(text);
    for (int i = 0; i < 4; ++i) {
      const std::vector<Phase> phases{random_lcc_phase(6, generator), random_lcc_phase(6, generator)};
      MappingOptions options;
      options.effort = 1;
      options.rules_only = true;
      const auto mapping = choose_placement(grid, phases, options);
      EXPECT_EQ(mapping.searched, "local search over embeddings per axis and orders of bits");
      expect_consistent(grid, phases, options, mapping);
      for (const char* name : {"identity", "standard", "xor"}) {
        const auto nodes = node_of_rank(Placement(grid, parse_placement(name)));
        EXPECT_LE(mapping.values.objective, evaluate(grid, nodes, phases).objective) << text << " " << name;
      }
    }
  }
}

TEST(ChoosePlacement, by_local_search_alone_also_finds_the_best_for_cg) {
  const Grid grid = parse_grid("torus:4x4x4");
  MappingOptions options;
  options.effort = 50'000;
  const auto mapping = choose_placement(grid, parse_phases("cube:0-2+transpose:8x8", 64), options);
  EXPECT_EQ(mapping.searched, "local search over embeddings per axis and orders of bits");
  EXPECT_EQ(mapping.values.busiest_link, (std::vector<double>{1, 1, 1, 1}));
}

// A halo exchange is already optimal in place, so its placement must not change.
TEST(ChoosePlacement, keeps_the_identity_for_halo_exchanges) {
  for (const char* text : {"torus:8x8", "mesh:8x8", "mesh:4x8", "mesh:6x5", "torus:5x7", "torus:4x4x4",
                           "mesh:4x4x4", "mesh:3x4x5", "torus:3x5x4", "grid:8wx4"}) {
    const Grid grid = parse_grid(text);
    for (int diagonals = 1; diagonals <= grid.axis_count(); ++diagonals) {
      for (const auto objective : all_objectives) {
        MappingOptions options;
        options.objective = objective;
        options.effort = 40'000'000;
        const auto mapping = choose_placement(grid, std::vector{stencil(grid, diagonals)}, options);
        EXPECT_EQ(mapping.placement, "identity")
            << text << " " << diagonals << " " << static_cast<int>(objective);
      }
    }
  }
}

TEST(ChoosePlacement, takes_grids_that_are_no_powers_of_two) {
  std::mt19937_64 generator(4);
  for (const char* text : {"torus:3x5", "mesh:7x3", "ring:12", "grid:6x2w", "line:1", "line:3"}) {
    const Grid grid = parse_grid(text);
    const std::vector<Phase> phases{random_phase(grid.node_count(), 25, generator)};
    for (const auto objective : all_objectives) {
      MappingOptions options;
      options.objective = objective;
      options.effort = 100'000'000;
      const auto mapping = choose_placement(grid, phases, options);
      const auto identity = node_of_rank(Placement(grid, {}));
      EXPECT_LE(value_of(mapping.values), value_of(evaluate(grid, identity, phases, objective))) << text;
      const std::set<GridNode> different(mapping.node_of_rank.begin(), mapping.node_of_rank.end());
      EXPECT_EQ(different.size(), grid.node_count()) << text;
      expect_consistent(grid, phases, options, mapping);
    }
  }
}

TEST(ChoosePlacement, finds_the_best_of_all_720_on_6_nodes) {
  std::mt19937_64 generator(5);
  for (const char* text : {"ring:6", "mesh:3x2"}) {
    const Grid grid = parse_grid(text);
    for (int i = 0; i < 5; ++i) {
      const std::vector<Phase> phases{random_phase(6, 10, generator)};
      std::vector<GridNode> nodes;
      for (std::uint32_t n = 0; n < 6; ++n) nodes.push_back(GridNode{n});
      double best = 1e300;
      do {
        best = std::min(best, evaluate(grid, nodes, phases).objective);
      } while (std::next_permutation(nodes.begin(), nodes.end()));
      EXPECT_EQ(choose_placement(grid, phases).values.objective, best) << text;
    }
  }
}

TEST(ChoosePlacement, of_groups_is_the_best_of_the_family_for_what_leaves_them) {
  const Grid grid = parse_grid("torus:4x4");
  MappingOptions options;
  options.per_node = 4;
  options.rules_only = true;
  const auto phases = parse_phases("cube+transpose:8x8", 64);
  const auto mapping = choose_placement(grid, phases, options);
  expect_consistent(grid, phases, options, mapping);
  double best = 1e300;
  for_each_of_family(grid, [&](const auto&, const auto&, const std::vector<GridNode>& nodes) {
    std::vector<GridNode> of_ranks;
    for (const GridNode node : nodes) of_ranks.insert(of_ranks.end(), 4, node);
    best = std::min(best, evaluate(grid, of_ranks, phases).objective);
  });
  EXPECT_EQ(mapping.values.objective, best);
  EXPECT_EQ(mapping.values.busiest_link[0], 0);
  EXPECT_EQ(mapping.values.busiest_link[1], 0);
}

TEST(ChoosePlacement, takes_groups_of_any_size) {
  const Grid grid = parse_grid("torus:4x3");
  MappingOptions options;
  options.per_node = 3;
  const auto phases = parse_phases("transpose:6x6", 36);
  const auto mapping = choose_placement(grid, phases, options);
  expect_consistent(grid, phases, options, mapping);
}

TEST(ChoosePlacement, is_the_same_every_time) {
  std::mt19937_64 generator(6);
  for (const char* text : {"torus:4x4", "torus:5x4"}) {
    const Grid grid = parse_grid(text);
    const std::vector<Phase> phases{random_phase(grid.node_count(), 50, generator)};
    MappingOptions options;
    options.effort = 100'000'000;
    EXPECT_EQ(choose_placement(grid, phases, options).placement,
              choose_placement(grid, phases, options).placement);
  }
}

TEST(ChoosePlacement, has_nothing_to_do_for_phases_without_messages) {
  const auto mapping = choose_placement(parse_grid("torus:4x4"), std::vector<Phase>{{"idle", 1, {}}});
  EXPECT_EQ(mapping.placement, "identity");
  EXPECT_EQ(mapping.optimal, true);
}

TEST(ChoosePlacement, refuses_no_phases_no_groups_and_ranks_beyond_the_grid) {
  const Grid grid = parse_grid("torus:4x4");
  MappingOptions options;
  EXPECT_THROW(choose_placement(grid, {}), std::invalid_argument);
  EXPECT_THROW(choose_placement(grid, parse_phases("cube", 32)), std::invalid_argument);
  options.per_node = 0;
  EXPECT_THROW(choose_placement(grid, parse_phases("cube", 16), options), std::invalid_argument);
}

}  // namespace
}  // namespace cubefold
