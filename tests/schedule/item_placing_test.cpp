#include "schedule/item_placing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

namespace cubefold {
namespace {

/// Returns whether two items of a step share a resource.
bool items_meet(const std::vector<Resources>& items, const std::vector<std::uint32_t>& steps) {
  std::set<std::pair<std::uint32_t, std::size_t>> used;
  for (std::size_t item = 0; item < items.size(); ++item)
    for (const std::size_t resource : items[item])
      if (!used.insert({steps[item], resource}).second) return true;
  return false;
}

TEST(ItemPlacing, gives_items_with_a_common_resource_different_steps) {
  const std::vector<Resources> items{{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  ItemPlacing placing(items, 4, 2);
  std::size_t looks_left = 1000;
  ASSERT_TRUE(placing.place_all(looks_left));
  EXPECT_FALSE(items_meet(items, placing.steps()));
  EXPECT_TRUE(items_meet(items, {0, 0, 1, 1}));  // sees that the check can fail
}

TEST(ItemPlacing, gives_up_if_there_are_too_few_steps) {
  std::size_t looks_left = 1000;
  EXPECT_FALSE(ItemPlacing({{0}, {0}, {0}}, 1, 2).place_all(looks_left));
  EXPECT_LT(looks_left, 2U);  // no further placement was possible
}

TEST(ItemPlacing, places_nothing_at_once) {
  std::size_t looks_left = 0;
  EXPECT_TRUE(ItemPlacing({}, 1, 1).place_all(looks_left));
}

// Every pair of 16 senders and 16 receivers is an item, so that each of 16 steps has to use all of them.
TEST(ItemPlacing, fills_steps_without_room_to_spare) {
  std::vector<Resources> items;
  for (std::size_t from = 0; from < 16; ++from)
    for (std::size_t to = 0; to < 16; ++to) items.push_back({from, 16 + to});
  std::shuffle(items.begin(), items.end(), std::mt19937(7));
  ItemPlacing placing(items, 32, 16);
  std::size_t looks_left = 10000000;
  ASSERT_TRUE(placing.place_all(looks_left));
  EXPECT_FALSE(items_meet(items, placing.steps()));
  EXPECT_LT(*std::max_element(placing.steps().begin(), placing.steps().end()), 16U);
}

}  // namespace
}  // namespace cubefold
