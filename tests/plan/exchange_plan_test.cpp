#include "cubefold/plan/exchange_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "cubefold/simulation/steps.hpp"
#include "support/message_of.hpp"

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

// [Calmant] section 5: the model in which a step of L bytes takes alpha + L tau.
TEST(ExchangePlan, takes_the_time_of_the_schedules_where_the_gap_is_alpha) {
  for (const char* grid : {"line:8", "ring:16", "mesh:4x4", "torus:8x8", "hypercube:4", "line:2"}) {
    const Placement placement(parse_grid(grid), parse_placement("identity"));
    const NetworkRules rules{Ports::one, Tie::balanced};
    for (const auto& candidate : plan_exchange(placement, 64, {3, 3, {1}, 0, rules}).candidates) {
      // An average, where four axes share out blocks by sums of coordinates mod 4 that are 0 or 1.
      if (placement.grid() == parse_grid("hypercube:4") &&
          candidate.method.algorithm == ExchangeAlgorithm::axis_rotated)
        continue;
      const auto schedule = exchange_schedule(candidate.method, placement, rules);
      const StepModel model{3, {1}, 0, rules.ports, rules.tie};
      EXPECT_NEAR(candidate.seconds, simulate_steps(placement, schedule, 64, model).total_seconds,
                  1e-9 * candidate.seconds)
          << grid << " " << to_string(candidate.method);
    }
  }
}

TEST(ExchangePlan, is_in_the_order_of_times_with_floods_last) {
  for (const char* grid : grids) {
    const auto plan = plan_on(grid, 65536, {1e-4, 1e-5, {1e-8}, 1e-4, {}});
    EXPECT_TRUE(
        std::is_sorted(plan.candidates.begin(), plan.candidates.end(), [](const auto& a, const auto& b) {
          return std::pair(a.floods, a.seconds) < std::pair(b.floods, b.seconds);
        }));
  }
}

TEST(ExchangePlan, has_a_pipelined_cc_cube_exchange_where_distances_are_constant) {
  const auto pipelined = [](const ExchangePlan& plan) {
    return std::count_if(plan.candidates.begin(), plan.candidates.end(), [](const auto& candidate) {
      return candidate.method.algorithm == ExchangeAlgorithm::cc_cube && !candidate.method.numbers.empty();
    });
  };
  EXPECT_EQ(pipelined(plan_on("mesh:4x4", 8, {1, 1, {1}, 0, {}})), 1);
  EXPECT_EQ(pipelined(plan_on("mesh:3x4", 8, {1, 1, {1}, 0, {}})), 0);
  const Placement by_weight(parse_grid("line:16"), parse_placement("by-weight"));
  EXPECT_EQ(pipelined(plan_exchange(by_weight, 8, {1, 1, {1}, 0, {}})), 0);
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
