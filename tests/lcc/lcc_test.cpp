#include "cubefold/lcc/lcc.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "cubefold/embedding/placement.hpp"
#include "support/message_of.hpp"
#include "support/random_lcc.hpp"

namespace cubefold {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

std::multiset<Pair> pairs(const std::vector<SourceAndDestination>& messages) {
  std::multiset<Pair> result;
  for (const auto& m : messages) result.emplace(label(m.source), label(m.destination));
  return result;
}

TEST(Lcc, refuses_a_complement_beyond_its_bits) {
  EXPECT_EQ(message_of([] { Lcc(BitMatrix(3), 9); }), "Lcc: b = 0x9 has bits beyond the 3 of A");
}

TEST(Lcc, is_a_gather_a_scatter_or_a_permutation_by_who_shares_an_end) {
  std::mt19937_64 generator(10);
  for (int trial = 0; trial < 300; ++trial) {
    const auto lcc = random_lcc(1 + trial / 3 % 6, all_kinds[trial % 3], generator);
    std::set<Rank> sources;
    std::set<Rank> targets;
    for (const auto& m : messages(lcc)) {
      sources.insert(m.source);
      targets.insert(m.destination);
    }
    const std::size_t all = std::size_t{1} << lcc.bit_count();
    EXPECT_EQ(sources.size() == all, kind(lcc) != LccKind::scatter);
    EXPECT_EQ(targets.size() == all, kind(lcc) != LccKind::gather);
  }
}

TEST(Lcc, still_bits_are_those_that_are_equal_at_both_ends_of_every_message) {
  std::mt19937_64 generator(11);
  std::uint64_t seen = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const auto lcc = random_lcc(1 + trial / 3 % 6, all_kinds[trial % 3], generator);
    std::uint64_t equal = low_bits(lcc.bit_count());
    for (const auto& m : messages(lcc)) equal &= ~(label(m.source) ^ label(m.destination));
    EXPECT_EQ(lcc.still_bits(), equal);
    seen |= equal;
  }
  EXPECT_NE(seen, 0U);
}

TEST(Destinations, are_together_the_messages) {
  std::mt19937_64 generator(12);
  for (int trial = 0; trial < 300; ++trial) {
    const auto lcc = random_lcc(1 + trial / 3 % 7, all_kinds[trial % 3], generator);
    std::multiset<Pair> found;
    for (std::uint32_t x = 0; x < (1U << lcc.bit_count()); ++x) {
      for (const Rank y : destinations(lcc, static_cast<Rank>(x))) found.emplace(x, label(y));
    }
    EXPECT_EQ(found, pairs(messages(lcc)));
  }
}

TEST(Destinations, refuse_a_rank_that_does_not_exist) {
  EXPECT_EQ(message_of([] { destinations(Lcc(BitMatrix(3)), Rank{8}); }),
            "destinations: rank 8 is not one of 2^3");
  EXPECT_EQ(message_of([] { messages(Lcc(BitMatrix(32))); }), "messages: 2^32 ranks are more than 2^31");
}

TEST(Reordered, is_what_a_placement_with_that_order_makes_of_it_on_a_hypercube) {
  std::mt19937_64 generator(13);
  for (int trial = 0; trial < 300; ++trial) {
    const int bits = 1 + trial / 6 % 6;
    const auto lcc = random_lcc(bits, all_kinds[trial % 3], generator);
    std::vector<int> order(static_cast<std::size_t>(bits));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), generator);
    const Placement placement(Grid(std::vector<std::uint32_t>(order.size(), 2), Ends::open),
                              {{Embedding::standard}, BitAssignment::blocked, order});
    std::multiset<Pair> placed;
    for (const auto& m : messages(lcc)) {
      placed.emplace(static_cast<std::uint32_t>(placement.node_of(m.source)),
                     static_cast<std::uint32_t>(placement.node_of(m.destination)));
    }
    EXPECT_EQ(pairs(messages(reordered(lcc, order))), placed);
  }
}

TEST(Reordered, refuses_what_is_no_order_of_its_bits) {
  const Lcc lcc(BitMatrix::identity(3));
  EXPECT_EQ(message_of([&] {
              reordered(lcc, std::vector<int>{0, 1});
            }),
            "reordered: the order has 2 bits where ranks have 3");
  EXPECT_EQ(message_of([&] {
              reordered(lcc, std::vector<int>{0, 1, 1});
            }),
            "BitMatrix::permutation: entry 1 at position 2 is out of range or a repetition");
}

TEST(Inverse, takes_every_message_back_and_exists_for_permutations_only) {
  std::mt19937_64 generator(14);
  for (int trial = 0; trial < 300; ++trial) {
    const int bits = 1 + trial / 6 % 6;
    auto lcc = random_lcc(bits, all_kinds[trial % 3], generator);
    if (trial % 2 == 0 && kind(lcc) == LccKind::permutation) lcc = Lcc(lcc.a(), lcc.b(), Gives::source);
    const auto back = inverse(lcc);
    EXPECT_EQ(back.has_value(), kind(lcc) == LccKind::permutation);
    if (!back) continue;
    for (const auto& m : messages(lcc)) {
      EXPECT_EQ(destinations(*back, m.destination), std::vector<Rank>{m.source});
    }
  }
}

TEST(Inverse, works_at_the_size_of_a_word) {
  std::mt19937_64 generator(15);
  const auto lcc = random_lcc(64, LccKind::permutation, generator);
  const auto back = inverse(lcc).value();
  for (int trial = 0; trial < 100; ++trial) {
    const auto x = generator();
    EXPECT_EQ(back(lcc(x)), x);
  }
}

std::vector<Rank> destination_of_every_rank(const Lcc& lcc) {
  std::vector<Rank> result;
  for (const auto& m : messages(lcc)) result.push_back(m.destination);
  return result;
}

TEST(Recognise, finds_the_matrix_behind_every_permutation_and_gather) {
  std::mt19937_64 generator(16);
  for (int trial = 0; trial < 200; ++trial) {
    const auto lcc = random_lcc(1 + trial / 2 % 8, all_kinds[trial % 2], generator);
    EXPECT_EQ(recognise(destination_of_every_rank(lcc)), lcc);
  }
  EXPECT_EQ(recognise(std::vector<Rank>{Rank{0}}), Lcc(BitMatrix(0)));
}

TEST(Recognise, finds_the_matrix_behind_the_messages_of_every_kind_in_any_order) {
  std::mt19937_64 generator(18);
  for (int trial = 0; trial < 300; ++trial) {
    const auto lcc = random_lcc(1 + trial / 3 % 7, all_kinds[trial % 3], generator);
    auto sent = messages(lcc);
    std::shuffle(sent.begin(), sent.end(), generator);
    const auto found = recognise(sent, std::size_t{1} << lcc.bit_count());
    ASSERT_TRUE(found.has_value());
    auto again = messages(*found);
    const auto by_ends = [](const SourceAndDestination& m) {
      return std::pair(label(m.source), label(m.destination));
    };
    std::ranges::sort(again, {}, by_ends);
    std::ranges::sort(sent, {}, by_ends);
    EXPECT_EQ(again, sent);
    sent.pop_back();
    EXPECT_EQ(recognise(sent, std::size_t{1} << lcc.bit_count()), std::nullopt);
  }
}

TEST(Recognise, finds_nothing_where_ranks_send_and_receive_several_times) {
  const std::vector<SourceAndDestination> sent{
      {Rank{0}, Rank{0}}, {Rank{0}, Rank{1}}, {Rank{1}, Rank{0}}, {Rank{2}, Rank{3}}};
  EXPECT_EQ(recognise(sent, 4), std::nullopt);
  EXPECT_EQ(message_of([&] { recognise(sent, 3); }), "recognise: message from 2 to 3 among 3 ranks");
}

TEST(Recognise, finds_1344_permutations_of_8_ranks) {
  std::vector<Rank> destinations;
  for (std::uint32_t r = 0; r < 8; ++r) destinations.push_back(static_cast<Rank>(r));
  int found = 0;
  do {
    const auto lcc = recognise(destinations);
    if (!lcc) continue;
    ++found;
    EXPECT_EQ(destination_of_every_rank(*lcc), destinations);
  } while (std::next_permutation(destinations.begin(), destinations.end()));
  EXPECT_EQ(found, 168 * 8);  // 168 nonsingular A, each with 8 vectors b
}

TEST(Recognise, notices_one_pair_that_is_exchanged) {
  std::mt19937_64 generator(17);
  for (int trial = 0; trial < 100; ++trial) {
    auto destinations = destination_of_every_rank(random_lcc(5, LccKind::permutation, generator));
    const auto i = generator() % 32;
    const auto j = (i + 1 + generator() % 31) % 32;
    std::swap(destinations[i], destinations[j]);
    EXPECT_EQ(recognise(destinations), std::nullopt);
  }
}

TEST(Recognise, finds_nothing_where_ranks_are_no_power_of_two_and_refuses_what_is_no_rank) {
  EXPECT_EQ(recognise({}), std::nullopt);
  EXPECT_EQ(recognise(std::vector<Rank>{Rank{0}, Rank{1}, Rank{2}}), std::nullopt);
  EXPECT_EQ(message_of([] {
              recognise(std::vector<Rank>{Rank{0}, Rank{2}});
            }),
            "recognise: destination 2 of rank 1 is not below 2");
}

}  // namespace
}  // namespace cubefold
