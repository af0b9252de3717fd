#include "cubefold/schedule/local_program.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

Message message(std::uint32_t from, std::uint32_t to, std::vector<Block> blocks) {
  return {Rank{from}, Rank{to}, std::move(blocks)};
}

constexpr Block block(std::uint32_t source, std::uint32_t destination) {
  return {Rank{source}, Rank{destination}};
}

const Schedule swap_of_two{2, {{message(0, 1, {block(0, 1)}), message(1, 0, {block(1, 0)})}}};

TEST(LocalProgram, puts_the_arriving_block_where_the_departing_one_was) {
  EXPECT_EQ(local_program(swap_of_two, Rank{0}), (LocalProgram{2, {{{{Rank{1}, {1}}}, {{Rank{1}, {1}}}}}}));
  EXPECT_EQ(local_program(swap_of_two, Rank{1}), (LocalProgram{2, {{{{Rank{0}, {0}}}, {{Rank{0}, {0}}}}}}));
}

TEST(LocalProgram, of_a_single_rank_is_empty) {
  EXPECT_EQ(local_program({1, {}}, Rank{0}), (LocalProgram{1, {}}));
}

TEST(LocalProgram, refuses_a_step_that_brings_more_than_it_takes_or_less) {
  const Schedule only_receives{2, {{message(1, 0, {block(1, 0)})}, {message(0, 1, {block(0, 1)})}}};
  EXPECT_EQ(message_of([&] { local_program(only_receives, Rank{0}); }),
            "local_program: rank 0: a step takes 0 blocks and brings more");
  EXPECT_EQ(message_of([&] { local_program(only_receives, Rank{1}); }),
            "local_program: rank 1: a step takes 1 blocks and brings 0");
}

TEST(LocalProgram, refuses_to_send_a_block_that_is_not_there) {
  const Schedule schedule{2, {{message(0, 1, {block(1, 1)}), message(1, 0, {block(1, 0)})}}};
  EXPECT_EQ(message_of([&] { local_program(schedule, Rank{0}); }),
            "local_program: rank 0: sends block 1 -> 1, which is not there");
}

// Shifts by 1, then by 2: what rank 0 receives from rank 2 takes the slot of what it sent to rank 1.
TEST(LocalProgram, refuses_a_schedule_whose_blocks_end_in_other_slots) {
  const Schedule shifts{3,
                        {{message(0, 1, {block(0, 1)}), message(2, 0, {block(2, 0)})},
                         {message(0, 2, {block(0, 2)}), message(1, 0, {block(1, 0)})}}};
  EXPECT_EQ(message_of([&] { local_program(shifts, Rank{0}); }),
            "local_program: rank 0: block 1 -> 0 does not end in its slot");
}

TEST(LocalProgram, finds_the_longest_runs_that_all_slots_come_in) {
  Schedule schedule{8, {{message(0, 1, {}), message(1, 0, {})}, {message(0, 1, {}), message(1, 0, {})}}};
  for (const std::uint32_t destination : {6U, 3U, 2U, 7U}) {  // two runs of two, listed in any order
    schedule.steps[0][0].blocks.push_back(block(0, destination));
    schedule.steps[0][1].blocks.push_back(block(1, destination));
  }
  schedule.steps[1] = {message(0, 1, schedule.steps[0][1].blocks),
                       message(1, 0, schedule.steps[0][0].blocks)};
  for (const std::uint32_t i : {1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
    schedule.steps.push_back({message(0, i, {block(0, i)}), message(i, 0, {block(i, 0)})});
  }
  const LocalProgram program = local_program(part_of(schedule, Rank{0}), Rank{0});
  EXPECT_EQ(program.steps[0].sends.at(0), (LocalMessage{Rank{1}, {2, 3, 6, 7}, 2}));
  EXPECT_EQ(program.steps[2].sends.at(0), (LocalMessage{Rank{1}, {1}, 1}));
}

TEST(BlocksInFlight, counts_what_a_step_sends_and_receives) {
  EXPECT_EQ(blocks_in_flight(local_program(swap_of_two, Rank{0})), 2U);
  EXPECT_EQ(blocks_in_flight({1, {}}), 0U);
}

}  // namespace
}  // namespace cubefold
