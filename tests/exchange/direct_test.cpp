#include "cubefold/exchange/direct.hpp"

#include <gtest/gtest.h>

#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/delivery.hpp"
#include "cubefold/schedule/local_program.hpp"

namespace cubefold {
namespace {

constexpr int largest = 7;

TEST(DirectExchange, delivers_every_block_once) {
  for (int d = 0; d <= largest; ++d) EXPECT_EQ(first_delivery_fault(direct_exchange(d)), std::nullopt) << d;
}

TEST(DirectExchange, sends_every_block_once_in_as_many_steps_as_a_single_port_needs) {
  for (int d = 0; d <= largest; ++d) {
    const Schedule schedule = direct_exchange(d);
    ASSERT_EQ(schedule.steps.size(), schedule.rank_count - 1);
    for (const Step& step : schedule.steps) {
      ASSERT_EQ(step.size(), schedule.rank_count);
      for (const Message& message : step) {
        EXPECT_EQ(message.blocks, (std::vector<Block>{{message.from, message.to}}));
      }
    }
  }
}

std::optional<Conflict> conflict_on(const char* grid, const char* rule, Tie tie) {
  const Placement placement(parse_grid(grid), parse_placement(rule));
  return first_conflict(placement, direct_exchange(dimension_count(placement)), Ports::one, tie);
}

TEST(DirectExchange, is_free_of_conflicts_on_hypercubes) {
  for (const char* rule : {"standard", "xor", "standard,order=5-2-0-1-3-4"}) {
    for (const Tie tie : {Tie::balanced, Tie::positive}) {
      EXPECT_EQ(conflict_on("hypercube:6", rule, tie), std::nullopt) << rule;
    }
  }
}

TEST(DirectExchange, is_free_of_conflicts_on_tori_of_extent_4_with_balanced_ties) {
  for (const char* rule :
       {"standard", "xor", "standard,bits=cyclic", "xor,bits=cyclic", "xor,order=3-1-0-2"}) {
    EXPECT_EQ(conflict_on("torus:4x4", rule, Tie::balanced), std::nullopt) << rule;
  }
  EXPECT_EQ(conflict_on("torus:4x4x4", "xor", Tie::balanced), std::nullopt);
  EXPECT_EQ(conflict_on("grid:4wx2x2", "standard", Tie::balanced), std::nullopt);
}

TEST(DirectExchange, shares_links_elsewhere) {
  for (const auto& [grid, tie] :
       {std::pair{"torus:4x4", Tie::positive}, {"line:4", Tie::balanced}, {"ring:8", Tie::balanced}}) {
    for (const char* rule : {"standard", "xor"}) {
      const auto conflict = conflict_on(grid, rule, tie);
      ASSERT_TRUE(conflict.has_value()) << grid << ' ' << rule;
      EXPECT_EQ(conflict->kind, Conflict::Kind::link) << grid << ' ' << rule;
    }
  }
}

TEST(DirectExchange, runs_in_place_with_two_blocks_in_flight) {
  for (int d = 1; d <= largest; ++d) {
    for (const std::uint32_t r : {0U, 1U, (1U << d) - 1}) {
      const auto program = local_program(direct_exchange_part(d, Rank{r}), Rank{r});
      EXPECT_EQ(blocks_in_flight(program), 2U);
      for (const LocalStep& step : program.steps) EXPECT_EQ(step.sends[0].slots, step.receives[0].slots);
    }
  }
}

TEST(DirectExchangePart, is_the_part_of_the_whole) {
  for (int d = 0; d <= 5; ++d) {
    const Schedule whole = direct_exchange(d);
    for (std::uint32_t r = 0; r < whole.rank_count; ++r) {
      EXPECT_EQ(direct_exchange_part(d, Rank{r}), part_of(whole, Rank{r})) << d << ' ' << r;
    }
  }
}

TEST(DirectExchangePart, refuses_ranks_and_dimensions_that_there_are_not) {
  EXPECT_THROW(direct_exchange_part(3, Rank{8}), std::invalid_argument);
  EXPECT_THROW(direct_exchange(-1), std::invalid_argument);
  EXPECT_THROW(direct_exchange_part(32, Rank{0}), std::invalid_argument);
}

}  // namespace
}  // namespace cubefold
