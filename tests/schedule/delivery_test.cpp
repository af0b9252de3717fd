#include "schedule/delivery.hpp"

#include <gtest/gtest.h>

#include "schedule/messages.hpp"
#include "support/cc_cube_schedule.hpp"

namespace cubefold {
namespace {

using Kind = DeliveryFault::Kind;

/// Returns a complete exchange of three ranks. Every block is sent straight to its destination.
Schedule direct() {
  return {3,
          {{message(0, 1, {block(0, 1)}), message(1, 2, {block(1, 2)}), message(2, 0, {block(2, 0)})},
           {message(0, 2, {block(0, 2)}), message(1, 0, {block(1, 0)}), message(2, 1, {block(2, 1)})}}};
}

std::optional<Kind> fault_kind(const Schedule& schedule) {
  const auto fault = first_delivery_fault(schedule);
  return fault ? std::optional(fault->kind) : std::nullopt;
}

TEST(FirstDeliveryFault, finds_nothing_in_a_direct_exchange) {
  EXPECT_EQ(first_delivery_fault(direct()), std::nullopt);
}

TEST(FirstDeliveryFault, finds_nothing_where_one_rank_has_nothing_to_exchange) {
  EXPECT_EQ(first_delivery_fault({1, {}}), std::nullopt);
}

TEST(FirstDeliveryFault, accepts_a_block_that_goes_by_way_of_another_rank) {
  Schedule schedule = direct();
  schedule.steps[1].erase(schedule.steps[1].begin());
  schedule.steps.push_back({message(0, 1, {block(0, 2)})});
  schedule.steps.push_back({message(1, 2, {block(0, 2)})});
  EXPECT_EQ(first_delivery_fault(schedule), std::nullopt);
}

TEST(FirstDeliveryFault, finds_a_missing_message) {
  Schedule schedule = direct();
  schedule.steps[1].pop_back();
  const auto fault = first_delivery_fault(schedule);
  EXPECT_EQ(fault, (DeliveryFault{Kind::not_delivered, 2, Rank{2}, block(2, 1)}));
  EXPECT_EQ(describe(*fault), "step 2: rank 2 is left at the end with block 2 -> 1");
}

TEST(FirstDeliveryFault, finds_a_missing_block) {
  Schedule schedule = direct();
  schedule.steps[0][1].blocks.clear();
  EXPECT_EQ(fault_kind(schedule), Kind::not_delivered);
}

TEST(FirstDeliveryFault, finds_a_block_that_the_sender_does_not_hold) {
  Schedule schedule = direct();
  schedule.steps[0][0].blocks.push_back(block(1, 0));
  const auto fault = first_delivery_fault(schedule);
  EXPECT_EQ(fault, (DeliveryFault{Kind::block_not_held, 0, Rank{0}, block(1, 0)}));
  EXPECT_EQ(describe(*fault), "step 0: rank 0 sends but does not hold block 1 -> 0");
}

TEST(FirstDeliveryFault, finds_a_block_that_is_sent_twice) {
  Schedule schedule = direct();
  schedule.steps[0][0].blocks.push_back(block(0, 1));
  EXPECT_EQ(fault_kind(schedule), Kind::block_not_held);
}

TEST(FirstDeliveryFault, finds_a_block_that_would_have_to_travel_twice_in_one_step) {
  Schedule schedule = direct();
  schedule.steps[1].erase(schedule.steps[1].begin());
  schedule.steps.push_back({message(0, 1, {block(0, 2)}), message(1, 2, {block(0, 2)})});
  EXPECT_EQ(fault_kind(schedule), Kind::block_not_held);
}

TEST(FirstDeliveryFault, finds_a_block_that_leaves_its_destination) {
  Schedule schedule = direct();
  schedule.steps.push_back({message(1, 2, {block(0, 1)})});
  schedule.steps.push_back({message(2, 1, {block(0, 1)})});
  EXPECT_EQ(fault_kind(schedule), Kind::leaves_destination);
}

TEST(FirstDeliveryFault, finds_ranks_that_do_not_exist) {
  Schedule to_nobody = direct();
  to_nobody.steps[0][0].to = Rank{3};
  EXPECT_EQ(fault_kind(to_nobody), Kind::no_such_rank);
  Schedule for_nobody = direct();
  for_nobody.steps[0][0].blocks = {block(0, 3)};
  EXPECT_EQ(fault_kind(for_nobody), Kind::no_such_rank);
}

TEST(FirstDeliveryFault, finds_a_message_to_itself) {
  Schedule schedule = direct();
  schedule.steps.push_back({message(1, 1, {})});
  EXPECT_EQ(fault_kind(schedule), Kind::message_to_itself);
}

TEST(FirstDeliveryFault, finds_two_stages_of_the_cc_cube_in_the_wrong_order) {
  Schedule schedule = cc_cube_exchange(3);
  std::swap(schedule.steps[0], schedule.steps[1]);
  EXPECT_EQ(fault_kind(schedule), Kind::block_not_held);
}

TEST(DeliveryCheck, tells_after_every_step_what_is_still_under_way) {
  DeliveryCheck check(Collective::complete_exchange(3));
  EXPECT_EQ(check.undelivered(), (DeliveryFault{Kind::not_delivered, 0, Rank{0}, block(0, 1)}));
  EXPECT_EQ(check.add(direct().steps[0]), std::nullopt);
  EXPECT_EQ(check.undelivered(), (DeliveryFault{Kind::not_delivered, 1, Rank{0}, block(0, 2)}));
  EXPECT_EQ(check.add(direct().steps[1]), std::nullopt);
  EXPECT_EQ(check.undelivered(), std::nullopt);
}

TEST(DeliveryCheck, names_the_step_by_how_many_came_before_it) {
  DeliveryCheck check(Collective::complete_exchange(3));
  EXPECT_EQ(check.add({}), std::nullopt);
  EXPECT_EQ(check.add({message(0, 1, {block(1, 2)})}),
            (DeliveryFault{Kind::block_not_held, 1, Rank{0}, block(1, 2)}));
}

}  // namespace
}  // namespace cubefold
