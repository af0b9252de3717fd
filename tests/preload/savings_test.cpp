#include "preload/savings.hpp"

#include <gtest/gtest.h>

namespace cubefold::preload {
namespace {

TEST(Savings, count_the_difference_of_the_medians_after_the_choice) {
  Savings savings(0);
  EXPECT_DOUBLE_EQ(savings.add(100, MedianSeconds{3, 1}, 77), 2);
  EXPECT_DOUBLE_EQ(savings.add(100, MedianSeconds{3, 1}, 77), 2);
}

TEST(Savings, charge_the_whole_time_of_measured_calls_and_of_making_the_state_once) {
  Savings savings(10);
  EXPECT_EQ(savings.add(100, std::nullopt, 4), 0);
  EXPECT_EQ(savings.add(100, std::nullopt, 5), 0);
  EXPECT_DOUBLE_EQ(savings.add(100, MedianSeconds{3, 1}, 1), 2 * 3 - (10 + 4 + 5) + 2);
  EXPECT_DOUBLE_EQ(savings.add(100, MedianSeconds{3, 1}, 1), 2);
}

TEST(Savings, keep_sizes_between_different_powers_of_two_apart) {
  Savings savings(0);
  savings.add(100, std::nullopt, 4);
  savings.add(200, std::nullopt, 50);
  EXPECT_DOUBLE_EQ(savings.add(127, MedianSeconds{3, 1}, 1), 3 - 4 + 2);
}

}  // namespace
}  // namespace cubefold::preload
