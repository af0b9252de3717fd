#include <gtest/gtest.h>

#include <algorithm>

#include "exchange/exchange_checks.hpp"
#include "schedule/delivery.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

constexpr std::uint32_t largest = 40;

Schedule bruck_exchange(std::size_t rank_count, std::uint32_t radix, Ports ports) {
  return schedule_by_rank({ExchangeAlgorithm::bruck, {radix}}, rank_count, ports);
}

/// Calls check(p, radix, ports) for every exchange of up to 40 ranks.
template <typename Check>
void for_all_small(Check check) {
  for (std::uint32_t p = 1; p <= largest; ++p) {
    for (std::uint32_t radix = 2; radix <= std::max(p, 2U); ++radix) {
      for (const Ports ports : {Ports::one, Ports::all}) check(p, radix, ports);
    }
  }
}

/// Returns the digits of a number to base `radix`, lowest first.
std::vector<std::uint32_t> digits(std::uint32_t number, std::uint32_t radix) {
  std::vector<std::uint32_t> result;
  for (; number > 0; number /= radix) result.push_back(number % radix);
  return result;
}

TEST(BruckExchange, delivers_every_block_once) {
  for_all_small([](std::uint32_t p, std::uint32_t radix, Ports ports) {
    EXPECT_EQ(first_delivery_fault(bruck_exchange(p, radix, ports)), std::nullopt) << p << ' ' << radix;
  });
  for (const std::uint32_t radix : {2U, 3U, 4U, 16U, 256U}) {
    EXPECT_EQ(first_delivery_fault(bruck_exchange(256, radix, Ports::one)), std::nullopt) << radix;
  }
  EXPECT_EQ(first_delivery_fault(bruck_exchange(1024, 2, Ports::one)), std::nullopt);
  EXPECT_EQ(first_delivery_fault(bruck_exchange(1024, 32, Ports::all)), std::nullopt);
  EXPECT_EQ(first_delivery_fault(bruck_exchange(1000, 10, Ports::all)), std::nullopt);
}

// The exchange takes (r - 1) ceil(log_r p) start-ups.
TEST(BruckExchange, takes_r_minus_1_times_log_p_steps_for_powers_of_the_radix) {
  EXPECT_EQ(bruck_exchange(64, 2, Ports::one).steps.size(), 6U);
  EXPECT_EQ(bruck_exchange(64, 4, Ports::one).steps.size(), 9U);
  EXPECT_EQ(bruck_exchange(64, 8, Ports::one).steps.size(), 14U);
  EXPECT_EQ(bruck_exchange(27, 3, Ports::one).steps.size(), 6U);
  EXPECT_EQ(bruck_exchange(27, 3, Ports::all).steps.size(), 3U);
  EXPECT_EQ(bruck_exchange(64, 2, Ports::one).steps[5][0].blocks.size(), 32U);
  EXPECT_EQ(bruck_exchange(64, 4, Ports::one).steps[8][0].blocks.size(), 16U);
}

TEST(BruckExchange, sends_a_message_for_each_value_that_a_digit_of_an_offset_has) {
  for_all_small([](std::uint32_t p, std::uint32_t radix, Ports ports) {
    std::size_t message_count = 0;
    std::size_t phase_count = 0;
    for (std::uint32_t weight = 1; weight < p; weight *= radix) {
      message_count += std::min(radix - 1, (p - 1) / weight);
      ++phase_count;
    }
    const Schedule schedule = bruck_exchange(p, radix, ports);
    EXPECT_EQ(schedule.steps.size(), ports == Ports::one ? message_count : phase_count) << p << ' ' << radix;
    std::size_t sent = 0;
    for (const Step& step : schedule.steps) sent += step.size();
    EXPECT_EQ(sent, message_count * p) << p << ' ' << radix;
  });
}

TEST(BruckExchange, moves_a_block_once_for_each_digit_of_its_offset_that_is_not_zero) {
  for_all_small([](std::uint32_t p, std::uint32_t radix, Ports ports) {
    std::size_t expected = 0;
    for (std::uint32_t offset = 1; offset < p; ++offset) {
      const auto all = digits(offset, radix);
      expected += all.size() - static_cast<std::size_t>(std::count(all.begin(), all.end(), 0U));
    }
    std::size_t sent = 0;
    for (const Step& step : bruck_exchange(p, radix, ports).steps) {
      for (const Message& message : step) {
        EXPECT_FALSE(message.blocks.empty());
        sent += message.blocks.size();
      }
    }
    EXPECT_EQ(sent, expected * p) << p << ' ' << radix;
  });
}

TEST(BruckExchange, sends_with_one_port_one_message_at_a_time) {
  for_all_small([](std::uint32_t p, std::uint32_t radix, Ports ports) {
    if (ports == Ports::all) return;
    for (const Step& step : bruck_exchange(p, radix, ports).steps) {
      std::vector<bool> receives(p);
      ASSERT_EQ(step.size(), p);
      for (std::uint32_t r = 0; r < p; ++r) {
        EXPECT_EQ(step[r].from, Rank{r});
        EXPECT_FALSE(receives[label(step[r].to)]);
        receives[label(step[r].to)] = true;
      }
    }
  });
}

TEST(BruckExchange, of_the_largest_radix_is_the_shifted_or_the_linear_exchange) {
  for (std::uint32_t p = 2; p <= largest; ++p) {
    EXPECT_EQ(bruck_exchange(p, p, Ports::one), schedule_by_rank({ExchangeAlgorithm::shifted, {}}, p)) << p;
    EXPECT_EQ(bruck_exchange(p, p, Ports::all), schedule_by_rank({ExchangeAlgorithm::linear, {}}, p)) << p;
  }
}

// The message carries the blocks whose offset (destination - source mod 7) has the digit 1 of weight 3: 3, 4 and 5.
// Blocks of offset 4 and 5 have already moved by their units.
TEST(BruckExchange, lists_blocks_by_ascending_offset) {
  const Schedule schedule = bruck_exchange(7, 3, Ports::all);
  const Message& message = schedule.steps.at(1).at(0);
  EXPECT_EQ(message.to, Rank{3});
  EXPECT_EQ(message.blocks, (std::vector<Block>{{Rank{0}, Rank{3}}, {Rank{6}, Rank{3}}, {Rank{5}, Rank{3}}}));
}

TEST(BruckExchange, refuses_a_radix_that_no_digit_can_have) {
  EXPECT_EQ(message_of([] { bruck_exchange(8, 1, Ports::one); }), "bruck_exchange: radix 1 is not in 2 .. 8");
  EXPECT_EQ(message_of([] { bruck_exchange(8, 9, Ports::one); }), "bruck_exchange: radix 9 is not in 2 .. 8");
  EXPECT_EQ(message_of([] { bruck_exchange(1, 3, Ports::one); }), "bruck_exchange: radix 3 is not in 2 .. 2");
}

}  // namespace
}  // namespace cubefold
