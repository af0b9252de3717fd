#include "schedule/step_source.hpp"
#include "support/pairwise_exchange.hpp"

#include <gtest/gtest.h>

#include <string>

namespace cubefold {
namespace {

StepSource steps_of(Schedule schedule) {
  const std::size_t rank_count = schedule.rank_count;
  const std::size_t step_count = schedule.steps.size();
  return {rank_count, step_count,
          [schedule = std::move(schedule)](std::size_t k) { return schedule.steps.at(k); }};
}

TEST(StepSource, makes_the_schedule_whose_steps_it_gives) {
  EXPECT_EQ(schedule_of(steps_of(pairwise_exchange(4))), pairwise_exchange(4));
}

TEST(StepSource, is_judged_as_the_schedule_is) {
  Schedule broken = pairwise_exchange(3);
  std::swap(broken.steps[2][0].blocks, broken.steps[2][5].blocks);
  ASSERT_TRUE(first_delivery_fault(broken));
  EXPECT_EQ(first_delivery_fault(steps_of(broken)), first_delivery_fault(broken));
  broken = pairwise_exchange(3);
  broken.steps.pop_back();
  ASSERT_TRUE(first_delivery_fault(broken));
  EXPECT_EQ(first_delivery_fault(steps_of(broken)), first_delivery_fault(broken));
  EXPECT_EQ(first_delivery_fault(steps_of(pairwise_exchange(3))), std::nullopt);
}

TEST(StepSource, meets_the_conflicts_of_the_schedule) {
  for (const char* grid : {"line:8", "hypercube:3"}) {
    const Placement placement(parse_grid(grid), parse_placement("identity"));
    const auto conflict = first_conflict(placement, pairwise_exchange(3), Ports::one, Tie::balanced);
    EXPECT_EQ(conflict.has_value(), grid == std::string("line:8"));
    EXPECT_EQ(first_conflict(placement, steps_of(pairwise_exchange(3)), Ports::one, Tie::balanced), conflict);
  }
}

}  // namespace
}  // namespace cubefold
