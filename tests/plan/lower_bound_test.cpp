#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "cubefold/plan/mapping.hpp"
#include "plan/all_objectives.hpp"
#include "plan/phases_of.hpp"

namespace cubefold {
namespace {

double value_of(const MappingValues& values, const std::vector<Phase>& phases, MappingObjective objective) {
  if (objective == MappingObjective::busiest_link_together) return values.busiest_link_together;
  if (objective == MappingObjective::hop_bytes) return values.hop_bytes;
  double sum = 0;
  for (std::size_t r = 0; r < phases.size(); ++r) sum += phases[r].weight * values.busiest_link[r];
  return sum;
}

/// Returns the smallest value of each objective over all bijections.
std::vector<double> smallest_values(const Grid& grid, const std::vector<Phase>& phases, Tie tie) {
  std::vector<GridNode> nodes(grid.node_count());
  for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = static_cast<GridNode>(n);
  std::vector<double> smallest(3, 1e300);
  do {
    const auto values = evaluate(grid, nodes, phases, MappingObjective::busiest_links, tie);
    for (std::size_t o = 0; o < 3; ++o)
      smallest[o] = std::min(smallest[o], value_of(values, phases, all_objectives[o]));
  } while (std::next_permutation(nodes.begin(), nodes.end()));
  return smallest;
}

void expect_no_bijection_below_the_bound(const char* text, const std::vector<Phase>& phases, Tie tie) {
  const Grid grid = parse_grid(text);
  const auto smallest = smallest_values(grid, phases, tie);
  for (std::size_t o = 0; o < 3; ++o) {
    MappingOptions options;
    options.objective = all_objectives[o];
    options.tie = tie;
    const auto bound = lower_bound(grid, phases, options.objective);
    const auto mapping = choose_placement(grid, phases, options);
    EXPECT_LE(bound.value, smallest[o]) << text << " objective " << o << ": " << bound.source;
    EXPECT_GE(mapping.values.objective, smallest[o]) << text << " objective " << o;
    if (mapping.optimal == true) {
      EXPECT_EQ(mapping.values.objective, smallest[o]) << text << " objective " << o;
    }
  }
}

TEST(LowerBound, is_below_all_40320_bijections_of_8_nodes) {
  for (const char* text : {"ring:8", "mesh:4x2", "hypercube:3"}) {
    expect_no_bijection_below_the_bound(text, parse_phases("cube*2+bit-reversal", 8), Tie::balanced);
  }
}

TEST(LowerBound, is_below_all_bijections_for_random_traffic) {
  std::mt19937_64 generator(1);
  for (const char* text : {"ring:6", "line:6", "mesh:3x2", "ring:5", "hypercube:2", "grid:3wx2"}) {
    const auto ranks = parse_grid(text).node_count();
    for (const Tie tie : {Tie::positive, Tie::balanced}) {
      expect_no_bijection_below_the_bound(
          text, {random_phase(ranks, 3, generator), random_phase(ranks, 12, generator)}, tie);
    }
  }
}

TEST(LowerBound, is_below_all_bijections_for_gathers_to_one_rank) {
  Phase gather{"gather", 1, {}};
  for (std::uint32_t r = 1; r < 6; ++r) gather.traffic.push_back({Rank{r}, Rank{0}, 1});
  for (const char* text : {"ring:6", "line:6", "mesh:3x2"}) {
    expect_no_bijection_below_the_bound(text, {gather}, Tie::balanced);
  }
}

// With all dimensions at once, the busiest link of a ring of 8 carries 3 messages under xor. No placement has fewer.
TEST(LowerBound, from_cuts_proves_xor_on_the_ring_of_8) {
  const auto bound =
      lower_bound(parse_grid("ring:8"), parse_phases("cube", 8), MappingObjective::busiest_link_together);
  EXPECT_EQ(bound.value, 3);
  EXPECT_EQ(bound.source, "cut of the cube");
}

// The busiest link of a line of 2^d nodes carries (2^(d+1) - 2) / 3 messages of task <0, d> for even d and
// (2^(d+1) - 1) / 3 for odd d. Source: [Calmant] theorem 1.
TEST(LowerBound, from_cuts_proves_standard_on_lines) {
  for (const auto& [text, load] :
       {std::pair{"line:4", 2.0}, {"line:8", 5.0}, {"line:16", 10.0}, {"line:32", 21.0}}) {
    const Grid grid = parse_grid(text);
    const auto phases = parse_phases("cube", grid.node_count());
    EXPECT_EQ(lower_bound(grid, phases, MappingObjective::busiest_link_together).value, load) << text;
  }
}

TEST(LowerBound, of_groups_counts_only_what_leaves_them) {
  const Grid grid = parse_grid("ring:4");
  const auto phases = parse_phases("cube", 16);
  EXPECT_EQ(lower_bound(grid, phases, MappingObjective::hop_bytes, 4).value, 2 * 16);
  EXPECT_EQ(lower_bound(grid, parse_phases("cube:0-1", 16), MappingObjective::hop_bytes, 4).value, 0);
}

TEST(LowerBound, refuses_groups_of_none_and_ranks_beyond_the_grid) {
  const Grid grid = parse_grid("ring:4");
  const auto phases = parse_phases("cube", 8);
  EXPECT_THROW(lower_bound(grid, phases, MappingObjective::hop_bytes, 0), std::invalid_argument);
  EXPECT_THROW(lower_bound(grid, phases, MappingObjective::hop_bytes, 1), std::invalid_argument);
}

}  // namespace
}  // namespace cubefold
