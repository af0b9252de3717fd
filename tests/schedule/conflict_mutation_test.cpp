#include <gtest/gtest.h>

#include <optional>

#include "schedule/conflict.hpp"
#include "schedule/delivery.hpp"
#include "schedule/good_schedules.hpp"
#include "schedule/mutations.hpp"
#include "schedule/schedule_json.hpp"

namespace cubefold {
namespace {

using namespace mutations;
using Meets = Conflict::Kind;

std::optional<Conflict> conflict(const ScheduleFile& file) {
  return first_conflict(file.placement, file.schedule, file.ports, file.tie);
}

void expect_conflict(const ScheduleFile& file, Meets kind, std::size_t step) {
  const auto found = conflict(file);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, kind);
  EXPECT_EQ(found->step, step);
  EXPECT_TRUE(first_fault(file));
}

TEST(ConflictMutation, of_a_message_twice_in_a_step_is_found_by_both_checkers) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    const Message twice = at(file.schedule, place);
    file.schedule.steps[place.step].push_back(twice);
    EXPECT_EQ(
        first_delivery_fault(file.schedule),
        (DeliveryFault{DeliveryFault::Kind::block_not_held, place.step, twice.from, twice.blocks.front()}));
    expect_conflict(file, Meets::send_port, place.step);
    EXPECT_EQ(conflict(file)->first_message, place.message);
    EXPECT_EQ(conflict(file)->second_message, file.schedule.steps[place.step].size() - 1);
    file.ports = Ports::all;
    expect_conflict(file, Meets::link, place.step);
  });
}

TEST(ConflictMutation, of_the_receiver_is_found_by_both_checkers) {
  try_on(full_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const Place place = any_place(file.schedule, chance);
    Message& message = at(file.schedule, place);
    message.to = any_rank_but({message.from, message.to}, file.schedule.rank_count, chance);
    const auto found = conflict(file);
    ASSERT_TRUE(found);
    EXPECT_NE(found->kind, Meets::send_port);
    EXPECT_EQ(found->step, place.step);
    EXPECT_TRUE(found->first_message == place.message || found->second_message == place.message);
    ASSERT_TRUE(first_delivery_fault(file.schedule));
  });
}

TEST(ConflictMutation, of_a_message_moved_to_another_step_is_found_at_the_port_of_its_sender) {
  try_on(full_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const std::size_t step = move_any_message(file.schedule, chance).second;
    const Message& moved = file.schedule.steps[step].back();
    expect_conflict(file, Meets::send_port, step);
    EXPECT_EQ(conflict(file)->second_message, file.schedule.steps[step].size() - 1);
    EXPECT_EQ(conflict(file)->link.from, file.placement.node_of(moved.from));
  });
}

TEST(ConflictMutation, of_two_steps_made_one_is_found_at_the_first_port) {
  try_on(full_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    const ScheduleFile genuine = file;
    const std::size_t first = merge_any_steps(file.schedule, chance);
    expect_conflict(file, Meets::send_port, first);
    EXPECT_EQ(conflict(file)->second_message, genuine.schedule.steps[first].size());
  });
}

TEST(ConflictMutation, of_another_message_over_a_link_in_use_is_found_there_whatever_the_ports) {
  try_on(all_ones(), [](ScheduleFile& file, std::mt19937& chance) {
    file.ports = Ports::all;
    const Place place = any_place(file.schedule, chance);
    const Message used = at(file.schedule, place);
    const auto& placement = file.placement;
    const auto links =
        route(placement.grid(), placement.node_of(used.from), placement.node_of(used.to), file.tie);
    const Link shared = links[any_below(links.size(), chance)];
    const Rank from = placement.rank_of(shared.from);
    const Rank to = placement.rank_of(end_of(placement.grid(), shared));
    file.schedule.steps[place.step].push_back({from, to, {}});
    EXPECT_EQ(first_delivery_fault(file.schedule), std::nullopt);
    EXPECT_EQ(conflict(file),
              (Conflict{Meets::link, place.step, place.message, file.schedule.steps[place.step].size() - 1,
                        shared, end_of(placement.grid(), shared)}));
  });
}

}  // namespace
}  // namespace cubefold
