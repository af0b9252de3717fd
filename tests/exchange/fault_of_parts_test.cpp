#include "support/fault_of_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "exchange/cc_cube.hpp"

namespace cubefold {
namespace {

std::vector<Schedule> good_parts() {
  return parts_of_all(4, [](Rank rank) { return cc_cube_exchange_part(2, rank); });
}

/// Returns the message that rank 1 sends, or the one that it receives, in step 0 of its part.
Message& message_of_rank_1(std::vector<Schedule>& parts, bool sent) {
  Step& step = parts[1].steps[0];
  return *std::find_if(step.begin(), step.end(),
                       [&](const Message& m) { return (m.from == Rank{1}) == sent; });
}

TEST(FaultOfParts, is_nothing_for_the_cc_cube_exchange) {
  EXPECT_EQ(fault_of_parts(good_parts()), std::nullopt);
}

TEST(FaultOfParts, is_a_message_that_its_receiver_does_not_expect) {
  auto parts = good_parts();
  auto& step = parts[1].steps[0];
  step.erase(std::find_if(step.begin(), step.end(), [](const Message& m) { return m.to == Rank{1}; }));
  EXPECT_EQ(fault_of_parts(parts), "step 0: rank 0 sends rank 1 other messages than that expects");
}

TEST(FaultOfParts, is_a_message_expected_that_nobody_sends) {
  auto parts = good_parts();
  auto& step = parts[1].steps[0];
  step.erase(std::find_if(step.begin(), step.end(), [](const Message& m) { return m.from == Rank{1}; }));
  EXPECT_EQ(fault_of_parts(parts), "step 0: rank 1 sends rank 0 other messages than that expects");
}

TEST(FaultOfParts, is_another_order_of_blocks_at_the_two_ends) {
  auto parts = good_parts();
  auto& blocks = message_of_rank_1(parts, true).blocks;
  std::reverse(blocks.begin(), blocks.end());
  EXPECT_EQ(fault_of_parts(parts), "step 0: rank 1 sends rank 0 other messages than that expects");
}

TEST(FaultOfParts, is_a_message_between_others) {
  auto parts = good_parts();
  parts[1].steps[0].push_back({Rank{2}, Rank{3}, {}});
  EXPECT_EQ(fault_of_parts(parts), "step 0: rank 1 has a message from 2 to 3");
}

TEST(FaultOfParts, is_a_block_that_the_sender_does_not_have) {
  auto parts = good_parts();
  for (auto& part : parts) std::swap(part.steps[0], part.steps[1]);
  EXPECT_EQ(fault_of_parts(parts), "step 0: rank 0 sends block 1 -> 2, which it does not have");
}

TEST(FaultOfParts, is_a_block_that_is_not_brought_home) {
  auto parts = good_parts();
  for (auto& part : parts) part.steps.pop_back();
  EXPECT_EQ(fault_of_parts(parts), "rank 0 ends with other blocks than those for it");
}

TEST(FaultOfParts, is_a_part_of_another_exchange) {
  auto parts = good_parts();
  parts[2].steps.pop_back();
  EXPECT_EQ(fault_of_parts(parts), "ranks 0 and 2 have different numbers of steps");
  parts = good_parts();
  parts[3] = cc_cube_exchange_part(3, Rank{3});
  EXPECT_EQ(fault_of_parts(parts), "rank 3 counts other ranks");
}

}  // namespace
}  // namespace cubefold
