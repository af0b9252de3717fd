#include <gtest/gtest.h>

#include "exchange/exchange_checks.hpp"
#include "schedule/conflict.hpp"
#include "schedule/delivery.hpp"

namespace cubefold {
namespace {

constexpr std::size_t most_ranks = 40;

Schedule linear_exchange(std::size_t rank_count) {
  return schedule_by_rank({ExchangeAlgorithm::linear, {}}, rank_count);
}

Schedule shifted_exchange(std::size_t rank_count) {
  return schedule_by_rank({ExchangeAlgorithm::shifted, {}}, rank_count);
}

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

// Counting every message would take hours, because there are 2^36 messages of up to 18 hops.
TEST(ShiftedExchangeCost, of_262144_nodes_in_place_is_counted_by_shifts) {
  const Placement placement(parse_grid("hypercube:18"), parse_placement("identity"));
  const ExchangeCost cost = exchange_cost({ExchangeAlgorithm::shifted, {}}, placement, {});
  EXPECT_EQ(cost.step_count(), placement.rank_count() - 1);
  EXPECT_GE(cost.block_times(), placement.rank_count() - 1);
}

}  // namespace
}  // namespace cubefold
