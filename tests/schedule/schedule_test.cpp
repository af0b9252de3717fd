#include "cubefold/schedule/schedule.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace cubefold
