#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/mapping.hpp"
#include "plan/all_objectives.hpp"
#include "plan/phases_of.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

std::vector<GridNode> identity(const Grid& grid) {
  return node_of_rank(Placement(grid, parse_placement("identity")));
}

std::vector<Phase> with_weights(std::vector<Phase> phases, const std::vector<double>& weights) {
  for (std::size_t r = 0; r < phases.size(); ++r) phases[r].weight = weights[r % weights.size()];
  return phases;
}

MappingOptions options_for(MappingObjective objective) {
  MappingOptions options;
  options.objective = objective;
  options.effort = 20'000'000;
  return options;
}

TEST(ExactSums, are_those_of_decimals) {
  const Grid grid = parse_grid("line:4");
  const std::vector<Phase> phases{{"a", 0.1, {{Rank{0}, Rank{1}, 1}}},
                                  {"b", 0.2, {{Rank{0}, Rank{1}, 1}}},
                                  {"c", 0.3, {{Rank{2}, Rank{3}, 1}}}};
  const auto objective = MappingObjective::busiest_link_together;
  const auto values = evaluate(grid, identity(grid), phases, objective);
  EXPECT_EQ(values.objective, 0.3);
  EXPECT_EQ(values.hop_bytes, 0.6);
  EXPECT_EQ(values.exact_objective, lower_bound(grid, phases, objective).exact_value);
  EXPECT_EQ(choose_placement(grid, phases, options_for(objective)).optimal, true);
}

TEST(ExactSums, are_rounded_once) {
  const Grid grid = parse_grid("line:2");
  Phase phase{"tenths", 0.7, {}};
  for (int i = 0; i < 1000; ++i) phase.traffic.push_back({Rank{0}, Rank{1}, 0.1});
  const auto values = evaluate(grid, identity(grid), std::vector{phase});
  EXPECT_EQ(values.busiest_link, std::vector{100.0});
  EXPECT_EQ(values.objective, 70);
  EXPECT_EQ(values.average_hops, 1);
  EXPECT_EQ(message_count(phase), 100);
  phase.traffic.push_back({Rank{1}, Rank{1}, 7});
  EXPECT_EQ(message_count(phase), 100) << "a message from a rank to itself counts";
}

TEST(ExactSums, tell_weights_apart_that_no_double_holds_together) {
  const Grid grid = parse_grid("line:8");
  const auto phases = with_weights(parse_phases("cube:0+complement", 8), {1, 1e-25});
  const auto bound = lower_bound(grid, phases);
  const auto values = evaluate(grid, identity(grid), phases);
  EXPECT_EQ(values.objective, bound.value);
  EXPECT_GT(values.exact_objective, bound.exact_value);
}

// The objective and the bound of a mapping scale with the unit of the weights. Nothing else depends on that unit.
TEST(ExactSums, leave_the_choice_alone_whatever_the_unit_of_the_weights) {
  std::mt19937_64 generator(7);
  for (const char* text : {"line:8", "torus:4x2", "ring:6", "mesh:3x2"}) {
    const Grid grid = parse_grid(text);
    for (const auto objective : all_objectives) {
      const std::vector<Phase> phases{random_phase(grid.node_count(), 9, generator),
                                      random_phase(grid.node_count(), 4, generator)};
      const auto mapping = choose_placement(grid, phases, options_for(objective));
      for (const char* exponent : {"e-28", "e-10", "e-3", "e-1", "e10", "e28"}) {
        const double unit = std::stod("1" + std::string(exponent));
        auto scaled = phases;
        for (Phase& phase : scaled) phase.weight = std::stod(std::to_string(phase.weight) + exponent);
        const auto other = choose_placement(grid, scaled, options_for(objective));
        EXPECT_EQ(other.placement, mapping.placement) << text << " " << unit;
        EXPECT_EQ(other.optimal, mapping.optimal) << text << " " << unit;
        EXPECT_DOUBLE_EQ(other.values.objective, mapping.values.objective * unit) << text << " " << unit;
        EXPECT_DOUBLE_EQ(other.bound.value, mapping.bound.value * unit) << text << " " << unit;
        EXPECT_EQ(other.values.busiest_link, mapping.values.busiest_link) << text << " " << unit;
      }
    }
  }
}

/// Returns the smallest value of the objective over all bijections.
ExactSum smallest_value(const Grid& grid, const std::vector<Phase>& phases, MappingObjective objective) {
  auto nodes = identity(grid);
  ExactSum smallest = evaluate(grid, nodes, phases, objective).exact_objective;
  while (std::next_permutation(nodes.begin(), nodes.end())) {
    smallest = std::min(smallest, evaluate(grid, nodes, phases, objective).exact_objective);
  }
  return smallest;
}

void expect_true_claims(const char* text, const std::vector<Phase>& phases) {
  const Grid grid = parse_grid(text);
  for (const auto objective : all_objectives) {
    const auto smallest = smallest_value(grid, phases, objective);
    const auto mapping = choose_placement(grid, phases, options_for(objective));
    EXPECT_LE(mapping.bound.exact_value, smallest) << text << ": " << mapping.bound.source;
    if (mapping.optimal == true) {
      EXPECT_EQ(mapping.values.exact_objective, smallest) << text;
    }
  }
}

TEST(ExactSums, make_true_claims_for_weights_of_any_size) {
  std::mt19937_64 generator(8);
  for (const char* text : {"ring:6", "line:6", "mesh:3x2", "hypercube:2"}) {
    const auto ranks = parse_grid(text).node_count();
    for (const std::vector<double>& weights :
         {std::vector{1e-10}, {1, 1e-12}, {1e-20, 1}, {0.1, 0.2, 0.3}, {1.0 / 3, 1}}) {
      expect_true_claims(text,
                         with_weights({random_phase(ranks, 3, generator), random_phase(ranks, 2, generator),
                                       random_phase(ranks, 8, generator)},
                                      weights));
    }
  }
}

TEST(ExactSums, make_true_claims_for_messages_of_any_size) {
  std::mt19937_64 generator(9);
  for (int trial = 0; trial < 6; ++trial) {
    std::vector<Phase> phases{random_phase(6, 6, generator), random_phase(6, 3, generator)};
    for (Phase& phase : phases) {
      phase.weight = static_cast<double>(generator()) * 0x1p-64;
      for (Traffic& sent : phase.traffic) sent.messages = static_cast<double>(generator()) * 0x1p-70;
    }
    expect_true_claims(trial % 2 == 0 ? "ring:6" : "mesh:2x3", phases);
  }
}

TEST(ExactSums, prove_the_identity_best_for_neighbours_with_messages_of_any_size) {
  std::mt19937_64 generator(10);
  const Grid grid = parse_grid("torus:4x4");
  Phase phase = stencil(grid, 1);
  phase.weight = 1.0 / 3;
  for (Traffic& sent : phase.traffic) sent.messages = static_cast<double>(generator()) * 0x1p-70;
  const auto mapping = choose_placement(grid, std::vector{phase}, options_for(MappingObjective::hop_bytes));
  EXPECT_EQ(mapping.placement, "identity");
  EXPECT_EQ(mapping.optimal, true);
}

TEST(LowerBound, is_a_multiple_of_what_all_messages_are_multiples_of) {
  const Phase phase{"pairs", 0.5, {{Rank{0}, Rank{1}, 4}, {Rank{0}, Rank{2}, 6}}};
  // Rank 0 sends 10 messages over the 2 links of its node. Loads are multiples of 2, so one link carries 6 at weight
  // 0.5.
  EXPECT_EQ(lower_bound(parse_grid("ring:4"), std::vector{phase}).value, 3);
}

TEST(Amounts, that_overflow_or_get_lost_are_refused_by_name) {
  const Grid grid = parse_grid("line:2");
  const auto complaint = [&](double weight, double messages) {
    const std::vector<Phase> phases{{"a", weight, {{Rank{0}, Rank{1}, messages}}},
                                    {"b", 1, {{Rank{1}, Rank{0}, 1}}}};
    const auto of_evaluate = message_of([&] { (void)evaluate(grid, identity(grid), phases); });
    const auto rule = of_evaluate.substr(std::min(of_evaluate.find(':'), of_evaluate.size()));
    for (const auto& other : {message_of([&] { (void)lower_bound(grid, phases); }),
                              message_of([&] { (void)choose_placement(grid, phases); })}) {
      EXPECT_EQ(other.substr(std::min(other.find(':'), other.size())), rule);
    }
    return of_evaluate;
  };
  EXPECT_EQ(complaint(1e308, 1),
            "evaluate: weight 1e+308 of phase 'a' is neither 0 nor between 1e-30 and 1e30");
  EXPECT_EQ(complaint(1e-31, 1),
            "evaluate: weight 1e-31 of phase 'a' is neither 0 nor between 1e-30 and 1e30");
  EXPECT_EQ(complaint(1, 1e31),
            "evaluate: traffic 1e+31 of phase 'a' is neither 0 nor between 1e-30 and 1e30");
  EXPECT_EQ(complaint(1e-20, 1e-20),
            "evaluate: messages times weight are 1e-40 in phase 'a' and 1 over the hops of all: too far "
            "apart for exact "
            "sums");
  EXPECT_EQ(complaint(1e30, 1), "nothing thrown");
  EXPECT_EQ(complaint(0, 1), "nothing thrown");
}

}  // namespace
}  // namespace cubefold
