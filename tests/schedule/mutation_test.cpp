#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "schedule/delivery.hpp"
#include "schedule/good_schedules.hpp"
#include "schedule/mutations.hpp"
#include "schedule/schedule_json.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

using namespace mutations;
using Fault = DeliveryFault::Kind;

std::optional<DeliveryFault> delivery(const ScheduleFile& file) {
  return first_delivery_fault(file.schedule);
}

void expect_fault(const ScheduleFile& file, Fault kind, std::size_t step, Rank holder, const Block& block) {
  EXPECT_EQ(delivery(file), (DeliveryFault{kind, step, holder, block}));
  EXPECT_EQ(first_fault(file), describe(*delivery(file)));
}

/// Expects the fault of a schedule in which these blocks are missing from `step` on. A rank that should pass one of
/// them on does not hold it. If no rank passes one on, a block is not delivered.
void expect_lost(const ScheduleFile& file, std::size_t step, const std::vector<Block>& blocks) {
  const auto found = delivery(file);
  ASSERT_TRUE(found);
  const bool are_passed_on = std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
    return is_sent_from(step, file.schedule, block);
  });
  EXPECT_EQ(found->kind, are_passed_on ? Fault::block_not_held : Fault::not_delivered);
  EXPECT_GE(found->step, step);
  EXPECT_NE(std::find(blocks.begin(), blocks.end(), found->block), blocks.end());
}

TEST(Mutation, starts_from_schedules_without_a_fault) {
  for (const ScheduleFile& file : all_ones()) EXPECT_EQ(first_fault(file), std::nullopt) << name_of(file);
}

TEST(Mutation, of_a_message_left_out_is_found_as_blocks_that_are_lost) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    const Message lost = taken_out(file.schedule, place);
    expect_lost(file, place.step, lost.blocks);
  });
}

TEST(Mutation, of_a_block_left_out_is_found_as_a_block_that_is_lost) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Message& message = at(file.schedule, place);
    const Block lost = taken_out(message, any_below(message.blocks.size(), chance));
    expect_lost(file, place.step, {lost});
  });
}

TEST(Mutation, of_a_message_again_in_a_later_step_is_found_as_a_block_not_held) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    const Message again = at(file.schedule, place);
    file.schedule.steps.push_back({again});
    expect_fault(file, Fault::block_not_held, file.schedule.steps.size() - 1, again.from,
                 again.blocks.front());
  });
}

TEST(Mutation, of_a_block_again_in_the_same_message_is_found_as_a_block_not_held) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Message& message = at(file.schedule, place);
    const Block again = message.blocks[any_below(message.blocks.size(), chance)];
    message.blocks.push_back(again);
    expect_fault(file, Fault::block_not_held, place.step, message.from, again);
  });
}

TEST(Mutation, of_two_blocks_that_change_messages_is_found_as_a_block_not_held) {
  try_on(full_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Step& step = file.schedule.steps[place.step];
    const std::size_t other = any_other(step.size(), place.message, chance);
    Message& first = step[std::min(place.message, other)];
    Message& second = step[std::max(place.message, other)];
    std::swap(first.blocks.front(), second.blocks.front());
    expect_fault(file, Fault::block_not_held, place.step, first.from, first.blocks.front());
  });
}

TEST(Mutation, of_a_block_for_another_destination_is_found_as_that_block_not_held_when_its_turn_comes) {
  try_on(direct_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Message& message = at(file.schedule, place);
    message.blocks[0].destination =
        any_rank_but({message.from, message.to}, file.schedule.rank_count, chance);
    const auto found = delivery(file);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, Fault::block_not_held);
    EXPECT_EQ(found->block, message.blocks[0]);
    EXPECT_GE(found->step, place.step);
  });
}

TEST(Mutation, of_a_block_for_its_sender_is_found_as_one_that_leaves_its_destination) {
  try_on(direct_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Message& message = at(file.schedule, place);
    message.blocks[0].destination = message.from;
    expect_fault(file, Fault::leaves_destination, place.step, message.from, message.blocks[0]);
  });
}

TEST(Mutation, of_the_receiver_of_a_direct_message_is_found_as_a_block_left_with_it) {
  try_on(direct_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Message& message = at(file.schedule, place);
    message.to = any_rank_but({message.from, message.to}, file.schedule.rank_count, chance);
    expect_fault(file, Fault::not_delivered, file.schedule.steps.size(), message.to, message.blocks[0]);
  });
}

TEST(Mutation, of_the_receiver_into_the_sender_is_found_as_a_message_to_itself) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Message& message = at(file.schedule, place);
    message.to = message.from;
    expect_fault(file, Fault::message_to_itself, place.step, message.from, {message.from, message.from});
  });
}

TEST(Mutation, of_the_sender_is_found_as_a_block_not_held) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Message& message = at(file.schedule, place);
    message.from = any_rank_but({message.from, message.to}, file.schedule.rank_count, chance);
    expect_fault(file, Fault::block_not_held, place.step, message.from, message.blocks.front());
  });
}

TEST(Mutation, of_a_message_moved_to_another_step_is_found_as_a_block_not_held_where_blocks_are_passed_on) {
  try_on(cubes(), [](ScheduleFile& file, std::mt19937& chance) {
    const auto [from, to] = move_any_message(file.schedule, chance);
    const auto found = delivery(file);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, Fault::block_not_held);
    // A message that is too early carries blocks that its sender does not hold yet, so its new step is at fault. A
    // message that is too late makes the step after its old one fail, where its blocks are needed.
    EXPECT_EQ(found->step, to < from ? to : from + 1);
  });
}

TEST(Mutation, of_two_steps_made_one_is_found_as_a_block_not_held_where_blocks_are_passed_on) {
  try_on(cubes(), [](ScheduleFile& file, std::mt19937& chance) {
    const std::size_t first = merge_any_steps(file.schedule, chance);
    const auto found = delivery(file);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, Fault::block_not_held);
    EXPECT_EQ(found->step, first);
  });
}

TEST(Mutation, of_steps_that_change_places_is_found_as_a_block_not_held_where_blocks_are_passed_on) {
  try_on(cubes(), [](ScheduleFile& file, std::mt19937& chance) {
    auto& steps = file.schedule.steps;
    const std::size_t one = any_below(steps.size(), chance);
    const std::size_t other = any_other(steps.size(), one, chance);
    std::swap(steps[one], steps[other]);
    const auto found = delivery(file);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, Fault::block_not_held);
    EXPECT_EQ(found->step, std::min(one, other));
  });
}

TEST(Mutation, of_a_block_sent_before_it_has_come_is_found_as_that_block_not_held) {
  try_on(cubes(), [](ScheduleFile& file, std::mt19937& chance) {
    auto& steps = file.schedule.steps;
    const std::size_t late = 1 + any_below(steps.size() - 1, chance);
    Message& sent = steps[late][any_below(steps[late].size(), chance)];
    const auto foreign = std::find_if(sent.blocks.begin(), sent.blocks.end(),
                                      [&](const Block& block) { return block.source != sent.from; });
    ASSERT_NE(foreign, sent.blocks.end());
    const Block early = taken_out(sent, static_cast<std::size_t>(foreign - sent.blocks.begin()));
    // The block is sent in or before the step in which it arrives.
    std::size_t came = 0;
    while (!is_received(steps[came], sent.from, early)) ++came;
    const std::size_t step = any_below(came + 1, chance);
    const auto message = std::find_if(steps[step].begin(), steps[step].end(),
                                      [&](const Message& own) { return own.from == sent.from; });
    message->blocks.push_back(early);
    expect_fault(file, Fault::block_not_held, step, sent.from, early);
  });
}

TEST(Mutation, of_a_block_sent_again_by_who_has_sent_it_is_found_as_that_block_not_held) {
  try_on(full_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    auto& steps = file.schedule.steps;
    const Place place{any_below(steps.size() - 1, chance), any_below(steps[0].size(), chance)};
    const Message& sent = at(file.schedule, place);
    const Block again = sent.blocks[any_below(sent.blocks.size(), chance)];
    const std::size_t step = place.step + 1 + any_below(steps.size() - place.step - 1, chance);
    const auto message = std::find_if(steps[step].begin(), steps[step].end(),
                                      [&](const Message& own) { return own.from == sent.from; });
    message->blocks.push_back(again);
    expect_fault(file, Fault::block_not_held, step, sent.from, again);
  });
}

TEST(Mutation, of_a_step_after_delivery_is_found_as_a_block_that_leaves_its_destination) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const std::size_t count = file.schedule.rank_count;
    const auto source = static_cast<Rank>(any_below(count, chance));
    const Rank destination = any_rank_but({source}, count, chance);
    const Block home{source, destination};
    file.schedule.steps.push_back({{destination, any_rank_but({destination}, count, chance), {home}}});
    expect_fault(file, Fault::leaves_destination, file.schedule.steps.size() - 1, destination, home);
  });
}

TEST(Mutation, of_a_rank_into_one_that_does_not_exist_is_found_wherever_it_stands) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Message& message = at(file.schedule, place);
    Block& block = message.blocks[any_below(message.blocks.size(), chance)];
    Rank* const places[] = {&message.from, &message.to, &block.source, &block.destination};
    const std::size_t count = file.schedule.rank_count;
    *places[any_below(4, chance)] =
        static_cast<Rank>(count + any_below(3, chance) * (UINT32_MAX - count) / 2);
    const auto found = delivery(file);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kind, Fault::no_such_rank);
    EXPECT_EQ(found->step, place.step);
    EXPECT_EQ(found->holder, message.from);
    EXPECT_NE(message_of([&] { (void)schedule_json(file); }), "nothing thrown");
  });
}

}  // namespace
}  // namespace cubefold
