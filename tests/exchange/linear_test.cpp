#include "exchange/linear.hpp"

#include <gtest/gtest.h>

#include "schedule/conflict.hpp"
#include "schedule/delivery.hpp"
#include "support/fault_of_parts.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

constexpr std::size_t most_ranks = 40;

TEST(LinearExchange, delivers_every_block_once) {
  for (std::size_t p = 1; p <= most_ranks; ++p) {
    EXPECT_EQ(first_delivery_fault(linear_exchange(p)), std::nullopt) << p;
  }
  EXPECT_EQ(first_delivery_fault(linear_exchange(1024)), std::nullopt);
}

TEST(LinearExchange, is_one_step_in_which_every_rank_starts_with_the_next) {
  EXPECT_TRUE(linear_exchange(1).steps.empty());
  const Schedule schedule = linear_exchange(5);
  ASSERT_EQ(schedule.steps.size(), 1U);
  std::vector<std::uint32_t> destinations_of_rank_3;
  for (const Message& message : schedule.steps[0]) {
    EXPECT_EQ(message.blocks, (std::vector<Block>{{message.from, message.to}}));
    if (message.from == Rank{3}) destinations_of_rank_3.push_back(label(message.to));
  }
  EXPECT_EQ(destinations_of_rank_3, (std::vector<std::uint32_t>{4, 0, 1, 2}));
}

TEST(LinearExchange, uses_more_than_one_port) {
  const Placement placement(parse_grid("ring:3"), parse_placement("identity"));
  EXPECT_TRUE(first_conflict(placement, linear_exchange(3), Ports::one, Tie::balanced));
  EXPECT_EQ(first_conflict(placement, linear_exchange(3), Ports::all, Tie::balanced), std::nullopt);
}

TEST(LinearExchangePart, is_the_part_of_the_whole) {
  for (std::size_t p = 1; p <= most_ranks; ++p) {
    const Schedule whole = linear_exchange(p);
    const auto parts = parts_of_all(p, [&](Rank rank) { return linear_exchange_part(p, rank); });
    for (std::uint32_t r = 0; r < p; ++r) EXPECT_EQ(parts[r], part_of(whole, Rank{r})) << p << ' ' << r;
    EXPECT_EQ(fault_of_parts(parts), std::nullopt) << p;
  }
}

TEST(ShiftedExchange, delivers_every_block_once) {
  for (std::size_t p = 1; p <= most_ranks; ++p) {
    EXPECT_EQ(first_delivery_fault(shifted_exchange(p)), std::nullopt) << p;
  }
  EXPECT_EQ(first_delivery_fault(shifted_exchange(1024)), std::nullopt);
}

TEST(ShiftedExchange, sends_every_block_once_in_as_many_steps_as_a_single_port_needs) {
  for (std::size_t p = 1; p <= most_ranks; ++p) {
    const Schedule schedule = shifted_exchange(p);
    ASSERT_EQ(schedule.steps.size(), p - 1);
    for (std::size_t k = 0; k < schedule.steps.size(); ++k) {
      ASSERT_EQ(schedule.steps[k].size(), p);
      for (const Message& message : schedule.steps[k]) {
        EXPECT_EQ(label(message.to), (label(message.from) + k + 1) % p);
        EXPECT_EQ(message.blocks, (std::vector<Block>{{message.from, message.to}}));
      }
    }
  }
}

TEST(ShiftedExchange, uses_one_port_and_shares_links) {
  for (const char* grid : {"ring:3", "hypercube:2", "ring:4"}) {
    const Placement placement(parse_grid(grid), parse_placement("identity"));
    EXPECT_EQ(first_conflict(placement, shifted_exchange(placement.rank_count()), Ports::one, Tie::balanced),
              std::nullopt)
        << grid;
  }
  const Placement placement(parse_grid("ring:5"), parse_placement("identity"));
  const auto conflict = first_conflict(placement, shifted_exchange(5), Ports::one, Tie::balanced);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->kind, Conflict::Kind::link);
}

TEST(ShiftedExchangePart, is_the_part_of_the_whole) {
  for (std::size_t p = 1; p <= most_ranks; ++p) {
    const Schedule whole = shifted_exchange(p);
    const auto parts = parts_of_all(p, [&](Rank rank) { return shifted_exchange_part(p, rank); });
    for (std::uint32_t r = 0; r < p; ++r) EXPECT_EQ(parts[r], part_of(whole, Rank{r})) << p << ' ' << r;
    EXPECT_EQ(fault_of_parts(parts), std::nullopt) << p;
  }
}

TEST(LinearExchange, refuses_counts_that_ranks_cannot_have) {
  EXPECT_EQ(message_of([] { linear_exchange(0); }), "linear_exchange: 0 ranks are not in 1 .. 2^31");
  EXPECT_EQ(message_of([] { shifted_exchange(0); }), "shifted_exchange: 0 ranks are not in 1 .. 2^31");
  EXPECT_EQ(message_of([] { linear_exchange_part((std::size_t{1} << 31) + 1, Rank{0}); }),
            "linear_exchange_part: 2147483649 ranks are not in 1 .. 2^31");
  EXPECT_EQ(message_of([] { linear_exchange_part(5, Rank{5}); }),
            "linear_exchange_part: rank 5 is not below 5");
  EXPECT_EQ(message_of([] { shifted_exchange_part(5, Rank{7}); }),
            "shifted_exchange_part: rank 7 is not below 5");
}

// Counting every message would take hours, because there are 2^36 messages of up to 18 hops.
TEST(ShiftedExchangeCost, of_262144_nodes_in_place_is_counted_by_shifts) {
  const Placement placement(parse_grid("hypercube:18"), parse_placement("identity"));
  const ExchangeCost cost = shifted_exchange_cost(placement, Ports::one, Tie::balanced);
  EXPECT_EQ(cost.step_count(), placement.rank_count() - 1);
  EXPECT_GE(cost.block_times(), placement.rank_count() - 1);
}

}  // namespace
}  // namespace cubefold
