#include "exchange/direction_packing.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace cubefold {
namespace {

/// Expects that every step of every job has a time of its own and that jobs with a common direction never run together.
void expect_packed(const std::vector<std::size_t>& steps_of_job, const DirectionPacking& packing) {
  std::vector<Directions> used(packing.step_count(), 0);
  for (Directions job = 1; job < steps_of_job.size(); ++job) {
    for (std::size_t step = 0; step < steps_of_job[job]; ++step) {
      const std::size_t at = packing.step_of(job, step);
      ASSERT_LT(at, used.size());
      ASSERT_EQ(used[at] & job, 0U);
      used[at] |= job;
    }
  }
  for (const Directions directions : used) EXPECT_NE(directions, 0U);
}

TEST(DirectionPacking, runs_jobs_together_that_use_different_directions) {
  std::vector<std::size_t> steps(16, 0);
  steps[0b0011] = 4;
  steps[0b1100] = 3;
  const DirectionPacking packing(steps);
  expect_packed(steps, packing);
  EXPECT_EQ(packing.step_count(), 4U);
}

TEST(DirectionPacking, runs_jobs_of_two_directions_beside_those_of_the_third) {
  std::vector<std::size_t> steps(8, 0);
  steps[0b001] = steps[0b010] = steps[0b100] = 2;
  steps[0b011] = steps[0b101] = steps[0b110] = 2;
  const DirectionPacking packing(steps);
  expect_packed(steps, packing);
  EXPECT_EQ(packing.step_count(), 6U);
}

// Each direction has 3 steps of work. Without interruption, the job of 3 steps would run beside only one of the others.
TEST(DirectionPacking, keeps_the_busiest_directions_at_work) {
  std::vector<std::size_t> steps(16, 0);
  steps[0b0001] = 3;
  steps[0b0110] = steps[0b1010] = steps[0b1100] = 1;
  steps[0b0010] = steps[0b0100] = steps[0b1000] = 1;
  const DirectionPacking packing(steps);
  expect_packed(steps, packing);
  EXPECT_EQ(packing.step_count(), 3U);
}

TEST(DirectionPacking, has_no_steps_without_jobs) {
  EXPECT_EQ(DirectionPacking(std::vector<std::size_t>(4, 0)).step_count(), 0U);
  EXPECT_EQ(DirectionPacking({5}).step_count(), 0U);
}

TEST(DirectionPacking, of_random_jobs_has_no_two_jobs_on_a_direction) {
  std::mt19937 random(5);
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<std::size_t> steps(std::size_t{1} << (2 * (1 + turn % 4)));
    for (auto& count : steps) count = random() % 4;
    steps[0] = 0;
    expect_packed(steps, DirectionPacking(steps));
  }
}

}  // namespace
}  // namespace cubefold
