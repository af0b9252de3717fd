#include "cubefold/lcc/contention.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "cubefold/lcc/pattern.hpp"
#include "lcc/identity_order.hpp"
#include "support/random_lcc.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

std::uint64_t worst_under(const Lcc& lcc, const std::vector<int>& order) {
  return std::ranges::max(contention(reordered(lcc, order)));
}

/// Returns the smallest contention of all n! orders.
std::uint64_t smallest_worst(const Lcc& lcc) {
  auto order = identity_order(lcc.bit_count());
  auto smallest = worst_under(lcc, order);
  while (std::next_permutation(order.begin(), order.end())) {
    smallest = std::min(smallest, worst_under(lcc, order));
  }
  return smallest;
}

/// Returns the contention that [Lcc] theorem 4 promises, and corollary 1 for permutations.
std::uint64_t promised(const Lcc& lcc) {
  if (lcc.still_bits() == low_bits(lcc.bit_count())) return 0;
  return std::uint64_t{1} << std::max(0, lcc.bit_count() - 1 - lcc.a().rank());
}

void expect_best(const Lcc& lcc) {
  const auto reached = worst_under(lcc, optimal_order(lcc));
  ASSERT_EQ(reached, smallest_worst(lcc));
  ASSERT_EQ(reached, promised(lcc));
}

Lcc numbered(int bits, std::uint64_t entries, std::uint64_t b, Gives gives) {
  std::vector<std::uint64_t> columns;
  for (int j = 0; j < bits; ++j) columns.push_back((entries >> (j * bits)) & low_bits(bits));
  return Lcc(BitMatrix::of_columns(columns), b, gives);
}

TEST(OptimalOrder, reaches_the_minimum_over_all_orders_for_every_communication_of_up_to_3_bits) {
  for (int bits = 1; bits <= 3; ++bits) {
    for (std::uint64_t entries = 0; entries < (std::uint64_t{1} << (bits * bits)); ++entries) {
      for (std::uint64_t b = 0; b <= low_bits(bits); ++b) {
        expect_best(numbered(bits, entries, b, Gives::destination));
        expect_best(numbered(bits, entries, b, Gives::source));
      }
    }
  }
}

TEST(OptimalOrder, reaches_the_minimum_over_all_orders_for_every_matrix_of_4_bits) {
  for (const std::size_t entries : positions(0, 65535, 8)) {
    expect_best(
        numbered(4, entries, entries * 11 / 16 % 16, entries % 3 == 0 ? Gives::source : Gives::destination));
  }
}

TEST(OptimalOrder, reaches_the_minimum_over_all_orders_for_random_communications_of_5_and_6_bits) {
  std::mt19937_64 generator(30);
  for (int trial = 0; trial < 300; ++trial) {
    expect_best(random_lcc(5 + trial / 3 % 2, all_kinds[trial % 3], generator));
  }
}

TEST(OptimalOrder, reaches_what_the_theorems_promise_up_to_64_bits) {
  std::mt19937_64 generator(31);
  for (int bits = 7; bits <= 64; ++bits) {
    for (const auto wanted : all_kinds) {
      const auto lcc = random_lcc(bits, wanted, generator);
      EXPECT_EQ(worst_under(lcc, optimal_order(lcc)), promised(lcc));
    }
  }
}

TEST(OptimalOrder, makes_every_dimension_of_a_permutation_0_or_1) {
  for (const char* name : {"bit-reversal", "reverse-flip", "transpose:8x32", "rotate-clockwise:16x16",
                           "bit-reversal-in-rows:4x64", "bit-reversal-in-columns:64x4"}) {
    const auto lcc = parse_pattern(name, 8);
    EXPECT_GT(std::ranges::max(contention(lcc)), 1U) << name;
    EXPECT_EQ(worst_under(lcc, optimal_order(lcc)), 1U) << name;
  }
}

TEST(OptimalOrder, keeps_bits_in_place_that_stand_best_already) {
  for (const char* name :
       {"complement", "exchange:3", "rotate-180", "reflect-left-right", "reflect-top-bottom"}) {
    EXPECT_EQ(optimal_order(parse_pattern(name, 8)), identity_order(8)) << name;
  }
  std::mt19937_64 generator(32);
  for (int trial = 0; trial < 300; ++trial) {
    const auto lcc = random_lcc(1 + trial / 3 % 6, all_kinds[trial % 3], generator);
    const auto best = reordered(lcc, optimal_order(lcc));
    EXPECT_EQ(optimal_order(best), identity_order(lcc.bit_count()));
  }
}

}  // namespace
}  // namespace cubefold
