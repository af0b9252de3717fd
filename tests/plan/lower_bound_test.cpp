#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "cubefold/plan/mapping.hpp"
#include "plan/all_objectives.hpp"
#include "plan/phases_of.hpp"
#include "topology/balanced_routes.hpp"

namespace cubefold {
namespace {

double value_of(const MappingValues& values, const std::vector<Phase>& phases, MappingObjective objective) {
  if (objective == MappingObjective::busiest_link_together) return values.busiest_link_together;
  if (objective == MappingObjective::hop_bytes) return values.hop_bytes;
  double sum = 0;
  for (std::size_t r = 0; r < phases.size(); ++r) sum += phases[r].weight * values.busiest_link[r];
  return sum;
}

/// Returns the smallest value of each objective over all bijections of groups of per_node ranks.
std::vector<double> smallest_values(const Grid& grid, const std::vector<Phase>& phases, Tie tie,
                                    std::size_t per_node = 1) {
  std::vector<GridNode> nodes(grid.node_count());
  for (std::size_t n = 0; n < nodes.size(); ++n) nodes[n] = static_cast<GridNode>(n);
  std::vector<double> smallest(3, 1e300);
  do {
    std::vector<GridNode> node_of_rank;
    for (const GridNode node : nodes) node_of_rank.insert(node_of_rank.end(), per_node, node);
    const auto values = evaluate(grid, node_of_rank, phases, MappingObjective::busiest_links, tie);
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

/// Returns a phase in which random pairs of ranks send 1, 10, 100 or 1000 messages.
Phase uneven_phase(std::size_t rank_count, std::mt19937_64& generator) {
  Phase phase = random_phase(rank_count, static_cast<int>(rank_count), generator);
  for (Traffic& sent : phase.traffic) sent.messages = std::pow(10, generator() % 4);
  return phase;
}

// Whatever one group sends another crosses the same links.
TEST(LowerBound, by_the_largest_message_is_below_all_placements_and_mostly_reached) {
  std::mt19937_64 generator(5);
  int by_message = 0;
  int reached = 0;
  for (const char* text :
       {"ring:6", "mesh:3x2", "hypercube:2", "grid:3wx2", "hyperx:3x2", "torus:3x2,cut=0-1"})
    for (const std::size_t per_node : {1U, 2U, 3U}) {
      const Grid grid = parse_grid(text);
      const auto ranks = grid.node_count() * per_node;
      const std::vector phases{uneven_phase(ranks, generator), uneven_phase(ranks, generator)};
      for (const Tie tie : {Tie::positive, Tie::balanced}) {
        const auto smallest = smallest_values(grid, phases, tie, per_node);
        for (std::size_t o = 0; o < 3; ++o) {
          const auto bound = lower_bound(grid, phases, all_objectives[o], per_node);
          EXPECT_LE(bound.value, smallest[o]) << text << " " << per_node << " " << bound.source;
          if (bound.source.find("largest message") == std::string::npos) continue;
          ++by_message;
          if (bound.value == smallest[o]) ++reached;
        }
      }
    }
  EXPECT_GT(by_message, 20);
  EXPECT_GT(2 * reached, by_message);
}

/// Returns a halo exchange of 4 x 4 ranks with periodic axes, whose faces have 10000 bytes on the last axis and 1000 on
/// the other.
Phase halo_of_flat_subdomains() {
  Phase phase = parse_phase("halo:4wx4w", 16).front();
  for (Traffic& sent : phase.traffic)
    sent.messages = label(sent.from) / 4 == label(sent.to) / 4 ? 10000 : 1000;
  return phase;
}

TEST(LowerBound, by_the_largest_message_proves_halo_exchanges_of_flat_subdomains) {
  const Grid grid = parse_grid("torus:4x4");
  const auto mapping = choose_placement(grid, std::vector{halo_of_flat_subdomains()});
  EXPECT_EQ(mapping.values.objective, 10000);
  EXPECT_EQ(mapping.optimal, true);
  EXPECT_EQ(mapping.bound.source, "largest message of each phase");
}

TEST(LowerBound, by_the_largest_message_adds_up_messages_of_all_phases_to_one_group) {
  const Grid grid = parse_grid("mesh:2x2");
  const std::vector<Phase> phases{{"a", 1, {{Rank{0}, Rank{2}, 10}, {Rank{1}, Rank{3}, 5}}},
                                  {"b", 2, {{Rank{0}, Rank{3}, 3}, {Rank{6}, Rank{4}, 1}}}};
  const auto of = [&](MappingObjective objective) { return lower_bound(grid, phases, objective, 2); };
  EXPECT_EQ(of(MappingObjective::busiest_link_together).value, 10 + 5 + 2 * 3);
  EXPECT_EQ(of(MappingObjective::busiest_link_together).source, "largest message of all phases");
  EXPECT_EQ(of(MappingObjective::busiest_links).value, 10 + 5 + 2 * 3);
  EXPECT_EQ(of(MappingObjective::hop_bytes).value, 10 + 5 + 2 * (3 + 1));
}

TEST(LowerBound, by_the_largest_message_takes_the_fastest_link_that_routes_use) {
  const std::vector<Axis> axes{{3, Ends::open}};
  const std::vector<TableLink> links{{0, 1, 2}, {1, 0, 2}, {1, 2, 4}, {2, 1, 4}};
  const Grid grid(axes, balanced_routes(Grid(axes), links), "uneven");
  const std::vector<Phase> phases{{"one", 1, {{Rank{0}, Rank{1}, 100}}}};
  const auto bound = lower_bound(grid, phases);
  EXPECT_EQ(bound.value, 100 / 4);
  EXPECT_EQ(bound.source, "largest message of each phase");
  EXPECT_EQ(choose_placement(grid, phases).optimal, true);
}

TEST(LowerBound, names_the_reasons_of_all_phases_that_count) {
  const Grid grid = parse_grid("line:4");
  const std::vector<Phase> phases{
      {"message", 1, {{Rank{0}, Rank{1}, 10}, {Rank{1}, Rank{0}, 1}}},
      {"ports", 1, {{Rank{0}, Rank{1}, 2}, {Rank{0}, Rank{2}, 2}, {Rank{0}, Rank{3}, 2}}},
      {"none", 1, {}}};
  EXPECT_EQ(lower_bound(grid, phases).source, "largest message or ports of each phase");
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
