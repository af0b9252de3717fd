#include "cubefold/schedule/schedule.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

TEST(PartOf, keeps_every_step_and_the_messages_of_one_rank) {
  const Message to_1{Rank{0}, Rank{1}, {{Rank{0}, Rank{1}}}};
  const Message to_0{Rank{1}, Rank{0}, {{Rank{1}, Rank{0}}}};
  const Message elsewhere{Rank{2}, Rank{3}, {{Rank{2}, Rank{3}}}};
  const Schedule schedule{4, {{elsewhere, to_1}, {elsewhere}, {to_0}}};
  EXPECT_EQ(part_of(schedule, Rank{0}), (Schedule{4, {{to_1}, {}, {to_0}}}));
  EXPECT_EQ(part_of(schedule, Rank{3}), (Schedule{4, {{elsewhere}, {elsewhere}, {}}}));
}

TEST(DirectStep, sends_one_block_from_every_rank_that_is_not_its_own_destination) {
  const std::vector<Rank> destinations{Rank{2}, Rank{1}, Rank{0}};
  EXPECT_EQ(
      direct_step(destinations),
      (Schedule{3, {{{Rank{0}, Rank{2}, {{Rank{0}, Rank{2}}}}, {Rank{2}, Rank{0}, {{Rank{2}, Rank{0}}}}}}}));
}

TEST(DirectStep, refuses_a_destination_that_is_no_rank) {
  const std::vector<Rank> destinations{Rank{1}, Rank{2}};
  EXPECT_EQ(message_of([&] { direct_step(destinations); }),
            "direct_step: destination 2 of rank 1 is not below 2");
}

}  // namespace
}  // namespace cubefold
