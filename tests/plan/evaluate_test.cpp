#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "cubefold/embedding/dilation.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "plan/phases_of.hpp"

namespace cubefold {
namespace {

/// Adds `factor` times every message of the phase to the loads, each on its route.
void add_to(LinkLoads& loads, const std::vector<GridNode>& nodes, const Phase& phase, double factor) {
  for (const Traffic& sent : phase.traffic) {
    for (int i = 0; i < static_cast<int>(sent.messages * factor); ++i) {
      loads.add(nodes[label(sent.from)], nodes[label(sent.to)]);
    }
  }
}

std::vector<GridNode> random_nodes(const Grid& grid, std::size_t per_node, std::mt19937_64& generator) {
  std::vector<GridNode> nodes;
  for (std::size_t r = 0; r < grid.node_count() * per_node; ++r)
    nodes.push_back(static_cast<GridNode>(r / per_node));
  std::shuffle(nodes.begin(), nodes.end(), generator);
  return nodes;
}

TEST(Evaluate, counts_what_link_loads_count) {
  std::mt19937_64 generator(1);
  for (const char* text : {"torus:4x4x4", "mesh:5x3", "grid:6wx2x3w", "ring:7", "hypercube:4", "line:1"}) {
    const Grid grid = parse_grid(text);
    for (const Tie tie : {Tie::positive, Tie::balanced}) {
      for (const std::size_t per_node : {std::size_t{1}, std::size_t{3}}) {
        const auto nodes = random_nodes(grid, per_node, generator);
        const std::vector<Phase> phases{random_phase(nodes.size(), 40, generator),
                                        random_phase(nodes.size(), 9, generator)};
        const auto values = evaluate(grid, nodes, phases, MappingObjective::busiest_links, tie);
        LinkLoads all(grid, tie);
        double sum = 0;
        for (std::size_t r = 0; r < phases.size(); ++r) {
          LinkLoads loads(grid, tie);
          add_to(loads, nodes, phases[r], 1);
          add_to(all, nodes, phases[r], phases[r].weight);
          EXPECT_EQ(values.busiest_link[r], static_cast<double>(loads.busiest())) << text;
          sum += phases[r].weight * static_cast<double>(loads.busiest());
        }
        EXPECT_EQ(values.busiest_link_together, static_cast<double>(all.busiest())) << text;
        EXPECT_EQ(values.hop_bytes, static_cast<double>(all.total_hops())) << text;
        EXPECT_EQ(values.objective, sum) << text;
      }
    }
  }
}

TEST(Evaluate, adds_up_messages_of_any_sizes_on_their_routes) {
  std::mt19937_64 generator(3);
  for (const char* text : {"torus:4x6", "mesh:5x3", "ring:7", "grid:6wx2x3w"}) {
    const Grid grid = parse_grid(text);
    const auto nodes = random_nodes(grid, 1, generator);
    // The phases have one size that is no whole number, sizes that are whole numbers, and a mix of both.
    for (const auto& sizes : {std::vector{0.3}, std::vector{2.0, 7.0}, std::vector{0.1, 0.25, 3.0}}) {
      Phase phase = random_phase(nodes.size(), 50, generator);
      std::vector<double> loads(link_index_count(grid));
      double hops = 0;
      for (std::size_t i = 0; i < phase.traffic.size(); ++i) {
        Traffic& sent = phase.traffic[i];
        sent.messages = sizes[i % sizes.size()];
        for (const Link& link : route(grid, nodes[label(sent.from)], nodes[label(sent.to)], Tie::balanced)) {
          loads[link_index(grid, link)] += sent.messages;
          hops += sent.messages;
        }
      }
      const auto values = evaluate(grid, nodes, std::vector{phase});
      EXPECT_DOUBLE_EQ(values.busiest_link[0], *std::max_element(loads.begin(), loads.end())) << text;
      EXPECT_NEAR(values.hop_bytes, phase.weight * hops, 1e-9) << text;
    }
  }
}

TEST(Evaluate, counts_bytes_times_hops_on_any_grid) {
  const Grid grid = parse_grid("mesh:3x2");
  const auto nodes = node_of_rank(Placement(grid, parse_placement("nodes=5-0-1-2-3-4")));
  // Ranks 0 and 1 run on opposite corners of the mesh. Ranks 1 and 2 run on neighbouring nodes.
  const Phase phase{"few", 1, {{Rank{0}, Rank{1}, 10}, {Rank{2}, Rank{1}, 0.5}, {Rank{3}, Rank{3}, 100}}};
  EXPECT_DOUBLE_EQ(evaluate(grid, nodes, {&phase, 1}, MappingObjective::hop_bytes).hop_bytes, 30.5);
}

TEST(Evaluate, counts_twice_the_total_dilation_for_equal_messages_to_all_neighbours) {
  const Grid grid = parse_grid("torus:8x4");
  for (const char* rule : {"xor", "gray", "by-weight/xor"}) {
    const Placement placement(grid, parse_placement(rule));
    const auto values =
        evaluate(grid, node_of_rank(placement), parse_phases("cube*3", 32), MappingObjective::hop_bytes);
    EXPECT_DOUBLE_EQ(values.hop_bytes,
                     6.0 * static_cast<double>(total_dilation(dilation_spectrum(placement))));
  }
}

TEST(Evaluate, gives_the_objective_that_is_asked_for) {
  const Grid grid = parse_grid("ring:8");
  const auto nodes = node_of_rank(Placement(grid, parse_placement("xor")));
  const auto phases = parse_phases("cube*3", 8);
  const auto with = [&](MappingObjective objective) { return evaluate(grid, nodes, phases, objective); };
  const auto values = with(MappingObjective::busiest_link_together);
  EXPECT_EQ(values.objective, values.busiest_link_together);
  EXPECT_EQ(values.busiest_link_together, 3 * 3);                     // weight 3; one link carries 3 messages
  EXPECT_EQ(with(MappingObjective::hop_bytes).objective, 3 * 8 * 5);  // weight 3, 8 ranks, distances of sum 5
}

MappingValues values_of(const char* grid_text, const char* placement, const char* phases, Tie tie) {
  const Grid grid = parse_grid(grid_text);
  const auto nodes = node_of_rank(Placement(grid, parse_placement(placement)));
  return evaluate(grid, nodes, parse_phases(phases, grid.node_count()), MappingObjective::busiest_links, tie);
}

// Dimensions 0, 1, 2 and the 8x8 transpose are the pattern of NAS CG on 64 ranks. The expected values are those of
// positive ties.
TEST(Evaluate, knows_what_standard_and_xor_cost_the_pattern_of_cg) {
  const auto standard = values_of("torus:4x4x4", "standard", "cube:0-2+transpose:8x8", Tie::positive);
  EXPECT_EQ(standard.busiest_link_together, 5);
  EXPECT_NEAR(standard.average_hops, 1.806, 0.0005);
  const auto with_xor = values_of("torus:4x4x4", "xor", "cube:0-2+transpose:8x8", Tie::positive);
  EXPECT_EQ(with_xor.busiest_link_together, 5);
  EXPECT_NEAR(with_xor.average_hops, 1.548, 0.0005);
}

TEST(Evaluate, knows_what_standard_and_xor_cost_butterflies_and_bit_reversal) {
  EXPECT_EQ(values_of("torus:4x4x4", "standard", "cube+bit-reversal", Tie::positive).objective, 13);
  EXPECT_EQ(values_of("torus:4x4x4", "xor", "cube+bit-reversal", Tie::positive).objective, 10);
}

TEST(Evaluate, knows_what_standard_and_xor_cost_bit_reversal_on_4096_nodes) {
  EXPECT_EQ(values_of("torus:16x16x16", "standard", "bit-reversal", Tie::positive).objective, 48);
  EXPECT_EQ(values_of("torus:16x16x16", "xor", "bit-reversal", Tie::positive).objective, 48);
}

TEST(Evaluate, counts_nothing_within_a_node) {
  const std::vector<GridNode> nodes(4, GridNode{1});
  const auto values = evaluate(parse_grid("line:2"), nodes, parse_phases("cube", 4));
  EXPECT_EQ(values.objective, 0);
  EXPECT_EQ(values.average_hops, 0);

  const std::vector<GridNode> pairs{GridNode{0}, GridNode{0}, GridNode{1}, GridNode{1}};
  EXPECT_EQ(evaluate(parse_grid("line:2"), pairs, parse_phases("cube", 4)).average_hops, 1);
}

TEST(Evaluate, refuses_ranks_nodes_and_amounts_that_cannot_be) {
  const Grid grid = parse_grid("line:2");
  const std::vector<GridNode> nodes{GridNode{0}, GridNode{1}};
  const auto with = [&](const Phase& phase) { return evaluate(grid, nodes, std::vector{phase}); };
  EXPECT_THROW(evaluate(grid, std::vector{GridNode{2}}, {}), std::invalid_argument);
  EXPECT_THROW(with({"a", 1, {{Rank{0}, Rank{2}, 1}}}), std::invalid_argument);
  EXPECT_THROW(with({"a", 1, {{Rank{2}, Rank{0}, 1}}}), std::invalid_argument);
  EXPECT_THROW(with({"a", -1, {}}), std::invalid_argument);
  EXPECT_THROW(with({"a", 1, {{Rank{0}, Rank{1}, -1}}}), std::invalid_argument);
  EXPECT_THROW(with({"a", 1, {{Rank{0}, Rank{1}, std::nan("")}}}), std::invalid_argument);
  EXPECT_THROW(with({"a", std::numeric_limits<double>::infinity(), {}}), std::invalid_argument);
}

}  // namespace
}  // namespace cubefold
