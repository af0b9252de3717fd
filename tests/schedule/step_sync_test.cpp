#include "cubefold/schedule/step_sync.hpp"

#include <gtest/gtest.h>

namespace cubefold {
namespace {

// With blocks of 4 bytes, a step of 3 blocks takes 2 + 12 seconds, a step of 5 blocks and two start-ups 4 + 20, and a
// step of 1 block 2 + 4. A wait takes 8 seconds.
const StepTimes times{
    {{2, 3, 1, Waits::first}, {1, 5, 2, Waits::none}, {2, 1, 1, Waits::each}, {1, 1, 1, Waits::first}},
    10,
    2,
    1};

std::vector<double> begins(const StepTimes& of, std::size_t block_bytes, std::size_t piece_bytes,
                           std::size_t round_count, std::size_t step_count) {
  StepSlots slots(of, block_bytes, piece_bytes);
  std::vector<double> result;
  for (std::size_t round = 0; round < round_count; ++round) {
    for (std::size_t step = 0; step < step_count; ++step) {
      slots.go_to(round, step);
      result.push_back(slots.begin());
    }
  }
  return result;
}

TEST(StepTimes, add_up_steps_and_waits) {
  EXPECT_EQ(times.seconds(4, 0), 2 * 14 + 24 + 2 * 6 + 6 + 4 * 8);
  EXPECT_EQ(times.seconds(4, 4), times.seconds(4, 0));
  EXPECT_EQ(times.seconds(0, 0), 7 * 2 + 4 * 8);
  EXPECT_EQ(StepTimes{}.seconds(4, 0), 0);
}

TEST(StepTimes, pay_start_ups_and_waits_in_every_round_of_pieces) {
  EXPECT_EQ(times.seconds(8, 4), 2 * times.seconds(4, 0));
  EXPECT_EQ(times.seconds(9, 4), 2 * times.seconds(4, 0) + times.seconds(1, 0));
}

TEST(StepSlots, begin_when_the_steps_before_are_over_and_what_is_waited_for_has_arrived) {
  EXPECT_EQ(begins(times, 4, 0, 1, 6), (std::vector<double>{0, 14, 28, 52 + 8, 66 + 8, 80 + 8}));
}

TEST(StepSlots, repeat_in_every_round_with_a_shorter_last_piece) {
  const double all = times.seconds(4, 0);
  EXPECT_EQ(begins(times, 5, 4, 2, 3), (std::vector<double>{0, 14, 28, all, all + 5, all + 10}));
}

TEST(StepSlots, last_as_long_as_their_steps) {
  StepSlots slots(times, 4, 0);
  slots.go_to(0, 1);
  EXPECT_EQ(slots.length(), 14);
  slots.go_to(0, 2);
  EXPECT_EQ(slots.length(), 24);
  slots.go_to(0, 5);
  EXPECT_EQ(slots.length(), 6);
}

TEST(StepSlots, may_be_left_out) {
  StepSlots slots(times, 12, 4);
  slots.go_to(0, 4);
  EXPECT_EQ(slots.begin(), 74);
  slots.go_to(2, 2);
  EXPECT_EQ(slots.begin(), 2 * times.seconds(4, 0) + 28);
}

TEST(StepSlots, are_those_of_single_steps_if_these_are_given) {
  StepTimes single = times;
  single.slots = {{0, 3}, {1, 9}, {7.5, 2}};
  EXPECT_EQ(begins(single, 4, 0, 1, 3), (std::vector<double>{0, 1, 7.5}));
  StepSlots slots(single, 4, 0);
  slots.go_to(0, 1);
  EXPECT_EQ(slots.length(), 9);
}

TEST(StepSlots, all_begin_at_once_without_times) {
  const StepTimes none;
  EXPECT_EQ(begins(none, 4, 2, 2, 2), (std::vector<double>(4, 0)));
}

}  // namespace
}  // namespace cubefold
