#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "cubefold/lcc/contention.hpp"
#include "cubefold/lcc/pattern.hpp"
#include "lcc/counted_on_links.hpp"
#include "lcc/identity_order.hpp"
#include "support/message_of.hpp"
#include "support/random_lcc.hpp"

namespace cubefold {
namespace {

constexpr Objective all_objectives[] = {Objective::worst, Objective::together, Objective::busiest_dimension,
                                        Objective::total};

std::vector<Lcc> under(const std::vector<Lcc>& phases, const std::vector<int>& order) {
  std::vector<Lcc> result;
  for (const Lcc& lcc : phases) result.push_back(reordered(lcc, order));
  return result;
}

/// Holds the value of the objective, and the total, which decides between equal values.
using Value = std::tuple<std::uint64_t, std::uint64_t>;

Value value_under(const std::vector<Lcc>& phases, const std::vector<int>& order, Objective objective) {
  const auto reordered_phases = under(phases, order);
  return {value_of(reordered_phases, objective), value_of(reordered_phases, Objective::total)};
}

/// Returns the smallest value of all n! orders.
Value smallest_value(const std::vector<Lcc>& phases, Objective objective) {
  auto order = identity_order(phases.front().bit_count());
  Value smallest = value_under(phases, order, objective);
  while (std::next_permutation(order.begin(), order.end())) {
    smallest = std::min(smallest, value_under(phases, order, objective));
  }
  return smallest;
}

std::vector<Lcc> patterns(const std::vector<const char*>& names, int bits) {
  std::vector<Lcc> result;
  for (const char* name : names) result.push_back(parse_pattern(name, bits));
  return result;
}

std::vector<std::uint64_t> optima(const std::vector<Lcc>& phases) {
  std::vector<std::uint64_t> result;
  for (const auto objective : all_objectives) {
    result.push_back(value_of(under(phases, optimal_order(phases, objective)), objective));
  }
  return result;
}

// The first optimum is from [Lcc] example 6.
TEST(OptimalOrderOfSet, gives_the_known_optima_for_transpose_and_bit_reversal_of_8_bits) {
  EXPECT_EQ(optima(patterns({"transpose", "bit-reversal"}, 8)), (std::vector<std::uint64_t>{2, 3, 3, 20}));
}

// The first optimum is from [Lcc] section 6.1.
TEST(OptimalOrderOfSet, gives_the_known_optima_with_reverse_flip_added) {
  EXPECT_EQ(optima(patterns({"transpose", "bit-reversal", "reverse-flip"}, 8)),
            (std::vector<std::uint64_t>{2, 3, 4, 28}));
}

// The values are printed for the mapping M-G in [Lcc] section 6.1. Bit reversal and reverse-flip stay free of
// contention.
TEST(OptimalOrderOfSet, spares_the_phases_that_need_not_suffer) {
  const auto phases = patterns({"transpose", "bit-reversal", "reverse-flip"}, 8);
  const auto best = under(phases, optimal_order(phases, Objective::worst));
  EXPECT_EQ(std::ranges::max(contention(best[0])), 2U);
  EXPECT_EQ(std::ranges::max(contention(best[1])), 1U);
  EXPECT_EQ(std::ranges::max(contention(best[2])), 1U);
}

TEST(OptimalOrderOfSet, reaches_the_minimum_over_all_orders_for_random_sets) {
  std::mt19937_64 generator(40);
  for (int trial = 0; trial < 150; ++trial) {
    const int bits = 1 + trial % 6;
    std::vector<Lcc> phases;
    for (int r = 0; r <= trial / 6 % 4; ++r)
      phases.push_back(random_lcc(bits, all_kinds[generator() % 3], generator));
    for (const auto objective : all_objectives) {
      const auto order = optimal_order(phases, objective);
      ASSERT_EQ(value_under(phases, order, objective), smallest_value(phases, objective));
    }
  }
}

/// Returns the number of messages on the busiest link of all dimensions, counted by walking all routes.
std::uint64_t walked(const std::vector<Lcc>& phases, const std::vector<int>& order) {
  return std::ranges::max(counted_on_links(under(phases, order)));
}

TEST(OptimalOrderOfSet, together_leaves_the_least_on_the_busiest_link_of_all_orders_by_walking_all_routes) {
  std::mt19937_64 generator(43);
  for (int trial = 0; trial < 150; ++trial) {
    const int bits = 2 + trial % 4;
    std::vector<Lcc> phases;
    for (int r = 0; r <= 1 + trial / 4 % 3; ++r)
      phases.push_back(random_lcc(bits, all_kinds[generator() % 3], generator));
    auto order = identity_order(bits);
    std::uint64_t smallest = walked(phases, order);
    while (std::next_permutation(order.begin(), order.end()))
      smallest = std::min(smallest, walked(phases, order));
    const auto best = optimal_order(phases, Objective::together);
    ASSERT_EQ(walked(phases, best), smallest);
    ASSERT_EQ(value_of(under(phases, best), Objective::together), smallest);
  }
}

TEST(OptimalOrderOfSet, keeps_bits_in_place_that_stand_best_already) {
  std::mt19937_64 generator(41);
  for (int trial = 0; trial < 60; ++trial) {
    const std::vector<Lcc> phases{random_lcc(5, all_kinds[trial % 3], generator),
                                  random_lcc(5, all_kinds[trial / 3 % 3], generator)};
    for (const auto objective : all_objectives) {
      const auto best = under(phases, optimal_order(phases, objective));
      EXPECT_EQ(optimal_order(best, objective), identity_order(5));
    }
  }
}

TEST(OptimalOrderOfSet, agrees_with_the_optimal_order_of_a_single_communication) {
  std::mt19937_64 generator(42);
  for (int trial = 0; trial < 60; ++trial) {
    const std::vector<Lcc> one{random_lcc(3 + trial % 8, all_kinds[trial % 3], generator)};
    EXPECT_EQ(value_of(under(one, optimal_order(one, Objective::worst)), Objective::worst),
              value_of(under(one, optimal_order(one.front())), Objective::worst));
  }
}

TEST(OptimalOrderOfSet, refuses_sets_that_it_cannot_search) {
  const auto complaint = [](const std::vector<Lcc>& phases) {
    return message_of([&] { optimal_order(phases, Objective::total); });
  };
  EXPECT_EQ(complaint({}), "optimal_order: no phases");
  EXPECT_EQ(complaint({Lcc(BitMatrix(21))}), "optimal_order: a set of phases may have up to 20 bits, not 21");
  EXPECT_EQ(complaint({Lcc(BitMatrix(2)), Lcc(BitMatrix(3))}),
            "optimal_order: phase 1 has 3 bits where phase 0 has 2");
}

}  // namespace
}  // namespace cubefold
