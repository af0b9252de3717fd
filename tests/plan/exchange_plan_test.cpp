#include "cubefold/plan/exchange_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

#include "cubefold/simulation/steps.hpp"
#include "plan/alltoall_setup.hpp"
#include "schedule/pipelining.hpp"
#include "support/message_of.hpp"
#include "topology/balanced_routes.hpp"

namespace cubefold {
namespace {

constexpr NetworkRules all_rules[] = {{Ports::one, Tie::balanced}, {Ports::all, Tie::balanced}};
constexpr const char* grids[] = {"line:8",      "ring:16",  "mesh:4x4", "torus:4x8",
                                 "hypercube:4", "mesh:3x5", "line:2",   "mesh:4x2x4"};

ExchangePlan plan_on(const char* grid, std::size_t block_bytes, const ExchangeModel& model) {
  return plan_exchange(Placement(parse_grid(grid), parse_placement("identity")), block_bytes, model);
}

TEST(ExchangePlan, has_no_candidate_below_the_bound) {
  for (const char* grid : grids) {
    for (const auto& rules : all_rules) {
      for (const double gap : {0.0, 0.1, 1.0, 2.0}) {
        for (const std::size_t bytes : {0U, 1U, 100U, 10'000U}) {
          const auto plan = plan_on(grid, bytes, {1, gap, {0.01}, 0, rules});
          for (const auto& candidate : plan.candidates)
            EXPECT_GE(candidate.seconds, plan.bound.seconds() * (1 - 1e-12))
                << grid << to_string(candidate.method);
        }
      }
    }
  }
}

TEST(ExchangePlan, is_the_same_for_a_size_if_it_was_made_for_another_one) {
  for (const char* grid : grids) {
    const Placement placement(parse_grid(grid), parse_placement("identity"));
    for (const auto& method : compared_methods(placement.grid())) {
      for (const auto& rules : all_rules) {
        const ExchangeModel model{1e-5, 1e-6, {1e-9}, 1e-6, rules};
        const auto other = plan_exchange(placement, 64 << 10, model, {{method}});
        for (const std::size_t bytes : {0U, 1U, 100U, 1U << 20}) {
          const auto plan = plan_for_size(other, placement, bytes);
          const auto right = plan_exchange(placement, bytes, model, {{method}});
          EXPECT_EQ(describe(plan), describe(right));
          EXPECT_EQ(setup_of(plan), setup_of(right)) << describe(right);
        }
      }
    }
  }
}

/// Lists grids and placements that have candidates of every kind, with equal and unequal extents, powers of two and
/// others.
const std::vector<std::pair<const char*, const char*>> all_kinds{
    {"line:8", "identity"},   {"ring:16", "xor"},        {"mesh:4x4", "standard,bits=cyclic"},
    {"torus:8x8", "xor"},     {"mesh:2x16", "identity"}, {"torus:16x2x8", "standard"},
    {"mesh:4x6", "identity"}, {"torus:2x3", "identity"}, {"hypercube:4", "xor"},
    {"ring:7", "identity"},   {"grid:5wx4", "identity"}, {"line:2", "identity"},
    {"line:1", "identity"}};

template <typename Visit>
void for_each_plan(double gap_seconds, std::size_t block_bytes, Visit visit) {
  for (const auto& [grid, rule] : all_kinds) {
    const Placement placement(parse_grid(grid), parse_placement(rule));
    for (const auto& rules : all_rules)
      visit(placement,
            plan_exchange(placement, block_bytes, {3, gap_seconds, {1}, 7, rules}, {.compares_all = true}));
  }
}

double barrier_seconds(const ExchangePlan& plan, const ExchangeCandidate& candidate) {
  return candidate.sync == StepSync::clock ? plan.model.barrier_seconds : 0;
}

// If the gap is alpha, a step of L bytes takes alpha + L tau, as in the model of [Calmant] section 5.
TEST(ExchangePlan, takes_the_time_of_the_schedules_where_the_gap_is_alpha) {
  for_each_plan(3, 64, [](const Placement& placement, const ExchangePlan& plan) {
    const NetworkRules& rules = plan.model.network;
    for (const auto& candidate : plan.candidates) {
      const auto schedule = exchange_schedule(candidate.method, placement, rules);
      const StepModel model{3, {1}, 0, rules.ports, rules.tie};
      EXPECT_DOUBLE_EQ(candidate.seconds - barrier_seconds(plan, candidate),
                       simulate_steps(placement, schedule, 64, model).total_seconds)
          << to_string(plan.grid) << " " << to_string(candidate.method);
    }
  });
}

/// Six nodes in a ring whose cables have rates 1 and 2, with another cable across it.
Grid ring_with_rates() {
  const Grid grid({{6, Ends::open}});
  std::vector<TableLink> links;
  for (const auto& [from, to, rate] :
       {TableLink{0, 1, 2}, {1, 2, 2}, {2, 3, 2}, {3, 4, 1}, {4, 5, 2}, {5, 0, 1}, {2, 5, 2}}) {
    links.push_back({from, to, rate});
    links.push_back({to, from, rate});
  }
  return {grid.axes(), balanced_routes(grid, links), "rates"};
}

const ExchangePlanOptions direct_and_linear{
    .methods = {{ExchangeAlgorithm::direct, {}}, {ExchangeAlgorithm::linear, {}}}};

TEST(ExchangePlan, counts_a_startup_for_each_message_on_a_fast_link) {
  const Placement placement(ring_with_rates(), parse_placement("identity"));
  const NetworkRules rules{Ports::all, Tie::balanced};
  const auto plan = plan_exchange(placement, 1, {10e-6, 10e-6, {10e-6}, 0, rules}, direct_and_linear);
  for (const auto& candidate : plan.candidates) {
    const auto schedule = exchange_schedule(candidate.method, placement, rules);
    const StepModel model{10e-6, {10e-6}, 0, rules.ports, rules.tie};
    EXPECT_DOUBLE_EQ(candidate.seconds, simulate_steps(placement, schedule, 1, model).total_seconds)
        << to_string(candidate.method);
  }
  EXPECT_EQ(plan.choice().method.algorithm, ExchangeAlgorithm::linear);
}

TEST(ExchangePlan, finds_that_fast_links_hold_the_messages_of_a_schedule_without_conflicts) {
  const Placement placement(ring_with_rates(), parse_placement("identity"));
  const ExchangeModel model{1, 1, {1}, 0, {Ports::all, Tie::balanced}};
  for (const auto& candidate : plan_exchange(placement, 1 << 20, model, direct_and_linear).candidates)
    EXPECT_EQ(candidate.oversubscribes, candidate.method.algorithm == ExchangeAlgorithm::linear);
}

/// Returns when the last message of all rounds arrives under StepSync::clock, if every step begins at its time. Expects
/// that no step begins before the step before it has ended.
double arrival_by_the_clock(const ExchangePlan& plan, const ExchangeCandidate& candidate) {
  const auto& [groups, sent] = candidate.cost;
  if (groups.empty()) return 0;
  const StepTimes times{groups, plan.model.alpha_seconds, plan.model.gap_seconds, 1};
  StepSlots slots(times, plan.block_bytes, plan.piece_bytes);
  double end = 0;
  const std::size_t rounds = plan.block_bytes == 0 ? 1 : (plan.block_bytes - 1) / plan.piece_bytes + 1;
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t step = 0; step < candidate.cost.step_count(); ++step) {
      slots.go_to(round, step);
      EXPECT_GE(slots.begin(), end * (1 - 1e-12));
      end = slots.begin() + slots.length();
    }
  }
  return end + times.wait_seconds();
}

TEST(ExchangePlan, has_slots_of_the_clock_that_end_when_it_says) {
  for (const double gap : {0.0, 1.0, 3.0}) {
    for (const std::size_t bytes : {0U, 64U, 65536U, 150'000U}) {
      for_each_plan(gap, bytes, [](const Placement&, const ExchangePlan& plan) {
        for (const auto& candidate : plan.candidates) {
          const double seconds = candidate.seconds - barrier_seconds(plan, candidate);
          EXPECT_NEAR(arrival_by_the_clock(plan, candidate), seconds, 1e-12 * seconds)
              << to_string(plan.grid) << " " << to_string(candidate.method);
        }
      });
    }
  }
}

TEST(ExchangePlan, has_the_best_number_of_packets) {
  for (const std::size_t bytes : {1U, 8U, 64U, 1000U}) {
    for (const char* grid : {"ring:32", "torus:8x8", "hypercube:5"}) {
      const Placement placement(parse_grid(grid), parse_placement("xor"));
      const ExchangeModel model{50, 10, {1}, 20, {}};
      const auto plan = plan_exchange(placement, bytes, model, {.compares_all = true});
      const auto pipelined =
          std::find_if(plan.candidates.begin(), plan.candidates.end(), [](const auto& candidate) {
            return candidate.method.algorithm == ExchangeAlgorithm::cc_cube &&
                   !candidate.method.numbers.empty();
          });
      ASSERT_NE(pipelined, plan.candidates.end());
      ExchangePlanOptions all;
      for (const auto q : packet_counts(dimension_count(placement), placement.rank_count() / 2))
        all.methods.push_back({ExchangeAlgorithm::cc_cube, {static_cast<std::uint32_t>(q)}});
      EXPECT_EQ(pipelined->seconds, plan_exchange(placement, bytes, model, all).choice().seconds) << grid;
    }
  }
}

TEST(ExchangePlan, is_in_the_order_of_times_with_those_that_oversubscribe_last) {
  for (const char* grid : grids) {
    const auto plan = plan_on(grid, 65536, {1e-4, 1e-5, {1e-8}, 1e-4, {}});
    EXPECT_TRUE(
        std::is_sorted(plan.candidates.begin(), plan.candidates.end(), [](const auto& a, const auto& b) {
          return std::pair(a.oversubscribes, a.seconds) < std::pair(b.oversubscribes, b.seconds);
        }));
  }
}

TEST(ExchangePlan, compares_what_it_is_asked_for_or_those_that_may_be_the_fastest) {
  const Placement placement(parse_grid("torus:4x4"), parse_placement("identity"));
  const auto compared = [&](const ExchangePlanOptions& options) {
    std::vector<ExchangeMethod> methods;
    for (const auto& candidate : plan_exchange(placement, 8, {1, 1, {1}, 0, {}}, options).candidates)
      methods.push_back(candidate.method);
    return methods;
  };
  const ExchangeMethod shifted{ExchangeAlgorithm::shifted, {}};
  EXPECT_TRUE(std::ranges::is_permutation(compared({}), compared_methods(placement.grid())));
  EXPECT_EQ(compared({.methods = {shifted}}), std::vector{shifted});
  const auto all = compared({.methods = {shifted}, .compares_all = true});
  EXPECT_EQ(all.size(), exchange_methods(placement.grid()).size() + 2);
  EXPECT_EQ(std::ranges::count(all, shifted), 1);
}

TEST(ExchangePlan, has_a_pipelined_cc_cube_exchange_where_distances_are_constant) {
  const auto pipelined = [](const char* grid, const char* rule, bool compares_all) {
    const Placement placement(parse_grid(grid), parse_placement(rule));
    const auto plan = plan_exchange(placement, 8, {1, 1, {1}, 0, {}}, {.compares_all = compares_all});
    return std::count_if(plan.candidates.begin(), plan.candidates.end(), [](const auto& candidate) {
      return candidate.method.algorithm == ExchangeAlgorithm::cc_cube && !candidate.method.numbers.empty();
    });
  };
  EXPECT_EQ(pipelined("mesh:4x4", "identity", true), 1);
  EXPECT_EQ(pipelined("mesh:4x4", "identity", false), 0);
  EXPECT_EQ(pipelined("mesh:3x4", "identity", true), 0);
  EXPECT_EQ(pipelined("line:16", "by-weight", true), 0);
}

// The 3 steps of direct on a ring of 4 have a block each and do not wait. Those of cc-cube wait for one another.
TEST(ExchangePlan, names_the_other_synchronisation_within_a_factor_of_4_of_what_queues_hold) {
  const auto candidate = [](ExchangeAlgorithm algorithm, std::size_t block_bytes) {
    const Placement placement(parse_grid("ring:4"), parse_placement("identity"));
    return plan_exchange(placement, block_bytes, {3, 1, {1}, 7, {Ports::one, Tie::balanced}},
                         {.methods = {{algorithm, {}}}, .burst_bytes = 300})
        .choice();
  };
  for (const auto& [block_bytes, sync, other] : {std::tuple{24U, StepSync::data, std::optional<StepSync>()},
                                                 {25U, StepSync::data, StepSync::clock},
                                                 {100U, StepSync::data, StepSync::clock},
                                                 {101U, StepSync::clock, StepSync::data},
                                                 {400U, StepSync::clock, StepSync::data},
                                                 {401U, StepSync::clock, std::nullopt}}) {
    EXPECT_EQ(candidate(ExchangeAlgorithm::direct, block_bytes).sync, sync) << block_bytes;
    EXPECT_EQ(candidate(ExchangeAlgorithm::direct, block_bytes).other_sync, other) << block_bytes;
    EXPECT_EQ(candidate(ExchangeAlgorithm::cc_cube, block_bytes).other_sync, std::nullopt) << block_bytes;
  }
}

TEST(ExchangePlan, cuts_blocks_into_pieces) {
  EXPECT_EQ(plan_on("mesh:4x4", 100, {}).piece_bytes, 100);
  EXPECT_EQ(plan_on("mesh:4x4", 100'000, {}).piece_bytes, 65536);
}

TEST(ExchangePlan, refuses_what_is_no_time) {
  for (const double bad :
       {-1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(message_of([&] { plan_on("line:4", 1, {1, bad, {1}, 0, {}}); }), "");
    EXPECT_NE(message_of([&] { plan_on("line:4", 1, {1, 1, {1}, bad, {}}); }), "");
  }
}

}  // namespace
}  // namespace cubefold
