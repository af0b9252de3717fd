#include "cubefold/lcc/contention.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cubefold/lcc/pattern.hpp"
#include "lcc/counted_on_links.hpp"
#include "support/message_of.hpp"
#include "support/random_lcc.hpp"

namespace cubefold {
namespace {

using Table = std::vector<std::uint64_t>;

Table counted_on_links(const Lcc& lcc) {
  return counted_on_links(std::span(&lcc, 1));
}

/// Returns every communication of `bits` bits, with destinations given and with sources given.
std::vector<Lcc> all_of(int bits) {
  std::vector<Lcc> result;
  for (std::uint64_t entries = 0; entries < (std::uint64_t{1} << (bits * bits)); ++entries) {
    std::vector<std::uint64_t> columns;
    for (int j = 0; j < bits; ++j) columns.push_back((entries >> (j * bits)) & low_bits(bits));
    for (std::uint64_t b = 0; b <= low_bits(bits); ++b) {
      for (const auto gives : {Gives::destination, Gives::source})
        result.emplace_back(BitMatrix::of_columns(columns), b, gives);
    }
  }
  return result;
}

TEST(Contention, is_what_counting_routes_gives_for_every_communication_of_up_to_3_bits) {
  for (int bits = 1; bits <= 3; ++bits) {
    for (const Lcc& lcc : all_of(bits)) ASSERT_EQ(contention(lcc), counted_on_links(lcc));
  }
}

TEST(Contention, is_what_counting_routes_gives_for_random_communications_of_all_kinds) {
  std::mt19937_64 generator(20);
  for (int trial = 0; trial < 720; ++trial) {
    const auto lcc = random_lcc(1 + trial / 3 % 8, all_kinds[trial % 3], generator);
    ASSERT_EQ(contention(lcc), counted_on_links(lcc));
  }
}

TEST(ContentionTogether, is_what_counting_routes_gives_for_every_pair_of_up_to_2_bits) {
  for (const int bits : {1, 2}) {
    const auto all = all_of(bits);
    for (const Lcc& first : all) {
      for (const Lcc& second : all) {
        const std::vector<Lcc> phases{first, second};
        ASSERT_EQ(contention_together(phases), counted_on_links(phases));
      }
    }
  }
}

TEST(ContentionTogether, is_what_counting_routes_gives_for_random_sets) {
  std::mt19937_64 generator(21);
  for (int trial = 0; trial < 1000; ++trial) {
    std::vector<Lcc> phases;
    for (int r = 0; r <= trial % 7; ++r)
      phases.push_back(random_lcc(1 + trial / 7 % 7, all_kinds[generator() % 3], generator));
    ASSERT_EQ(contention_together(phases), counted_on_links(phases));
  }
}

TEST(ContentionTogether, of_one_phase_is_its_contention_at_any_size) {
  std::mt19937_64 generator(22);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<Lcc> one{random_lcc(1 + trial % 64, all_kinds[generator() % 3], generator)};
    ASSERT_EQ(contention_together(one), contention(one.front()));
  }
}

TEST(ContentionTogether, is_less_than_the_sum_where_phases_use_different_links) {
  const std::vector<Lcc> phases{parse_pattern("bit-reversal", 3), parse_pattern("reverse-flip", 3)};
  std::vector<Lcc> moved;
  for (const Lcc& lcc : phases) moved.push_back(reordered(lcc, std::vector{1, 0, 2}));
  EXPECT_EQ(contention(moved[0]), (Table{0, 1, 1}));
  EXPECT_EQ(contention(moved[1]), (Table{1, 1, 1}));
  EXPECT_EQ(contention_together(moved), (Table{1, 1, 1}));
  EXPECT_EQ(value_of(moved, Objective::together), 1U);
  EXPECT_EQ(value_of(moved, Objective::busiest_dimension), 2U);
}

TEST(ContentionTogether, refuses_phases_that_have_none) {
  EXPECT_EQ(message_of([] { contention_together({}); }), "contention_together: no phases");
  EXPECT_EQ(message_of([] {
              contention_together(std::vector{Lcc(BitMatrix(3)), Lcc(BitMatrix(4))});
            }),
            "contention_together: phase 1 has 4 bits where phase 0 has 3");
  EXPECT_EQ(message_of([] {
              contention_together(std::vector{Lcc(BitMatrix(64)), Lcc(BitMatrix(64))});
            }),
            "contention: the messages on a link exceed 2^64 - 1");
}

TEST(Contention, of_a_scatter_is_not_what_theorem_1_gives_for_its_matrix) {
  const auto zoom = parse_pattern("zoom:4x4", 4);
  EXPECT_NE(contention(zoom), contention(Lcc(zoom.a(), zoom.b())));
}

// The source is [Lcc], example 3 and section 6.1.
TEST(Contention, of_transpose_bit_reversal_and_reverse_flip_on_256_ranks_is_8) {
  for (const char* name : {"transpose", "bit-reversal", "reverse-flip"}) {
    EXPECT_EQ(contention(parse_pattern(name, 8)), (Table{1, 2, 4, 8, 8, 4, 2, 1})) << name;
  }
}

// The source is [Lcc], examples 4 and 6.
TEST(Contention, under_the_printed_orders_is_as_printed) {
  const std::vector<int> for_transpose{0, 4, 2, 6, 1, 5, 3, 7};
  EXPECT_EQ(contention(reordered(parse_pattern("transpose", 8), for_transpose)), Table(8, 1));
  const std::vector<int> for_both{3, 4, 0, 7, 2, 5, 1, 6};
  const auto worst = [&](const char* name) {
    return std::ranges::max(contention(reordered(parse_pattern(name, 8), for_both)));
  };
  EXPECT_EQ(worst("transpose"), 2U);
  EXPECT_EQ(worst("bit-reversal"), 1U);
}

TEST(Contention, works_at_the_size_of_a_word) {
  EXPECT_EQ(contention(Lcc(BitMatrix(64))).back(), std::uint64_t{1} << 63);
  EXPECT_EQ(contention(Lcc(BitMatrix(64), 0, Gives::source)).front(), std::uint64_t{1} << 63);
  EXPECT_EQ(contention(parse_pattern("complement", 64)), Table(64, 1));
  EXPECT_EQ(contention(Lcc(BitMatrix::identity(64))), Table(64, 0));
}

TEST(ValueOf, is_the_largest_or_the_sum_over_phases_and_dimensions) {
  const std::vector<Lcc> phases{parse_pattern("transpose:2x8", 4), parse_pattern("exchange:3", 4)};
  const auto first = contention(phases[0]);
  ASSERT_EQ(contention(phases[1]), (Table{0, 0, 0, 1}));
  EXPECT_EQ(value_of(phases, Objective::worst), std::ranges::max(first));
  EXPECT_EQ(value_of(phases, Objective::together), std::ranges::max(counted_on_links(phases)));
  EXPECT_EQ(value_of(phases, Objective::busiest_dimension),
            std::max({first[0], first[1], first[2], first[3] + 1}));
  EXPECT_EQ(value_of(phases, Objective::total), first[0] + first[1] + first[2] + first[3] + 1);
}

TEST(ValueOf, refuses_phases_that_have_no_common_value) {
  const auto complaint = [](const std::vector<Lcc>& phases) {
    return message_of([&] { value_of(phases, Objective::total); });
  };
  EXPECT_EQ(complaint({}), "value_of: no phases");
  EXPECT_EQ(complaint({Lcc(BitMatrix(3)), Lcc(BitMatrix(4))}),
            "value_of: phase 1 has 4 bits where phase 0 has 3");
  EXPECT_EQ(complaint({Lcc(BitMatrix(64)), Lcc(BitMatrix(64))}),
            "value_of: the sum of contention exceeds 2^64 - 1");
}

}  // namespace
}  // namespace cubefold
