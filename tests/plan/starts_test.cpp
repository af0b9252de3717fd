#include <gtest/gtest.h>

#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/mapping.hpp"
#include "plan/phases_of.hpp"

namespace cubefold {
namespace {

std::vector<GridNode> random_bijection(std::size_t node_count, std::mt19937_64& generator) {
  std::vector<GridNode> nodes;
  for (std::uint32_t n = 0; n < node_count; ++n) nodes.push_back(GridNode{n});
  for (std::size_t k = node_count; k > 1; --k) std::swap(nodes[k - 1], nodes[generator() % k]);
  return nodes;
}

/// Returns the node of every rank from the node of every group of per_node ranks.
std::vector<GridNode> nodes_of_ranks(const std::vector<GridNode>& node_of_group, std::size_t per_node) {
  std::vector<GridNode> nodes;
  for (const GridNode node : node_of_group) nodes.insert(nodes.end(), per_node, node);
  return nodes;
}

std::string complaint(const Grid& grid, std::vector<GridNode> start) {
  MappingOptions options;
  options.starts = {node_of_rank(Placement(grid, {})), std::move(start)};
  try {
    choose_placement(grid, parse_phase("ring", grid.node_count()), options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(Starts, are_never_better_than_the_choice) {
  std::mt19937_64 generator(5);
  for (const char* text :
       {"torus:3x5", "mesh:4x4", "ring:9", "torus:4x2x2", "torus:4x3,cut=0-1", "hyperx:3x4"}) {
    const Grid grid = parse_grid(text);
    for (const std::size_t per_node : {std::size_t{1}, std::size_t{3}}) {
      const std::vector phases{random_phase(grid.node_count() * per_node, 60, generator)};
      for (const std::uint64_t effort : {std::uint64_t{1}, std::uint64_t{3'000'000}}) {
        MappingOptions options;
        options.effort = effort;
        options.per_node = per_node;
        for (int i = 0; i < 5; ++i) options.starts.push_back(random_bijection(grid.node_count(), generator));
        const Mapping mapping = choose_placement(grid, phases, options);
        for (const auto& start : options.starts) {
          const auto values = evaluate(grid, nodes_of_ranks(start, per_node), phases);
          EXPECT_LE(mapping.values.exact_objective, values.exact_objective) << text << ' ' << effort;
        }
      }
    }
  }
}

// The phase is a halo exchange under random numbers, of which one message in the middle goes elsewhere. Without the
// start, such little effort finds nothing better than the identity.
TEST(Starts, are_improved) {
  const Grid grid = parse_grid("mesh:5x7");
  std::mt19937_64 generator(3);
  auto start = random_bijection(35, generator);
  Phase phase = stencil(grid, 1);
  std::vector<Rank> rank_on(35);
  for (std::uint32_t r = 0; r < 35; ++r) rank_on[static_cast<std::size_t>(start[r])] = Rank{r};
  for (auto& [from, to, messages] : phase.traffic) {
    from = rank_on[label(from)];
    to = rank_on[label(to)];
  }
  phase.traffic.push_back({rank_on[0], rank_on[2]});
  std::swap(start[3], start[4]);
  MappingOptions options;
  options.effort = 2'000'000;
  options.starts = {start};
  const auto before = evaluate(grid, start, std::vector{phase});
  const Mapping mapping = choose_placement(grid, std::vector{phase}, options);
  EXPECT_LT(mapping.values.objective, before.objective) << mapping.searched;
}

TEST(Starts, that_are_no_rule_are_left_out_if_only_rules_are_searched) {
  const Grid grid = parse_grid("ring:8");
  const auto phases = parse_phase("halo:8w", 8);
  MappingOptions options;
  options.rules_only = true;
  options.objective = MappingObjective::hop_bytes;
  std::mt19937_64 generator(1);
  options.starts = {random_bijection(8, generator)};
  EXPECT_EQ(choose_placement(grid, phases, options).placement, "identity");
}

TEST(CompleteExchange, needs_no_search_because_all_placements_have_the_same_value) {
  std::mt19937_64 generator(2);
  for (const char* text : {"torus:3x5", "mesh:4x4"}) {
    const Grid grid = parse_grid(text);
    const auto phases = parse_phases("alltoall*2+alltoall", grid.node_count());
    const Mapping mapping = choose_placement(grid, phases);
    EXPECT_EQ(mapping.searched, "nothing, because all placements have the same value");
    for (int i = 0; i < 10; ++i) {
      const auto values = evaluate(grid, random_bijection(grid.node_count(), generator), phases);
      EXPECT_EQ(values.exact_objective, mapping.values.exact_objective);
      EXPECT_EQ(values.exact_hop_bytes, mapping.values.exact_hop_bytes);
    }
  }
  const auto with_ring = parse_phases("alltoall+ring", 16);
  MappingOptions options;
  options.effort = 1'000'000;
  EXPECT_NE(choose_placement(parse_grid("mesh:4x4"), with_ring, options).searched,
            "nothing, because all placements have the same value");
}

TEST(Starts, that_are_no_bijections_are_refused) {
  const Grid grid = parse_grid("ring:3");
  const std::string rule = "choose_placement: start 1 does not list each of the 3 nodes of ring:3 once";
  EXPECT_EQ(complaint(grid, {GridNode{0}, GridNode{1}}), rule);
  EXPECT_EQ(complaint(grid, {GridNode{0}, GridNode{1}, GridNode{1}}), rule);
  EXPECT_EQ(complaint(grid, {GridNode{0}, GridNode{1}, GridNode{3}}), rule);
  EXPECT_EQ(complaint(grid, {GridNode{2}, GridNode{1}, GridNode{0}}), "none");
}

}  // namespace
}  // namespace cubefold
