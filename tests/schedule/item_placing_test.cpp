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
  EXPECT_EQ(looks_left, 0U);
}

TEST(ItemPlacing, places_nothing_at_once) {
  std::size_t looks_left = 0;
  EXPECT_TRUE(ItemPlacing({}, 1, 1).place_all(looks_left));
}

/// Returns an item for every pair of 16 senders and 16 receivers, so that each of 16 steps has to use all of them.
std::vector<Resources> all_pairs() {
  std::vector<Resources> items;
  for (std::size_t from = 0; from < 16; ++from)
    for (std::size_t to = 0; to < 16; ++to) items.push_back({from, 16 + to});
  std::shuffle(items.begin(), items.end(), std::mt19937(7));
  return items;
}

TEST(ItemPlacing, fills_steps_without_room_to_spare) {
  const auto items = all_pairs();
  ItemPlacing placing(items, 32, 16);
  std::size_t looks_left = 10000000;
  ASSERT_TRUE(placing.place_all(looks_left));
  EXPECT_FALSE(items_meet(items, placing.steps()));
  EXPECT_LT(*std::max_element(placing.steps().begin(), placing.steps().end()), 16U);
}

TEST(ItemPlacing, takes_the_items_of_a_step_out_and_places_them_into_the_others) {
  const std::vector<Resources> items{{0}, {1}, {2}, {0, 1, 2}};
  ItemPlacing placing(items, 3, 3);
  std::size_t looks_left = 1000;
  ASSERT_TRUE(placing.place_all(looks_left));
  placing.dissolve_a_step();
  EXPECT_EQ(placing.step_count(), 2U);
  ASSERT_TRUE(placing.place_all(looks_left));
  EXPECT_FALSE(items_meet(items, placing.steps()));
  EXPECT_LT(*std::max_element(placing.steps().begin(), placing.steps().end()), 2U);
  placing.dissolve_a_step();
  EXPECT_FALSE(placing.place_all(looks_left));  // two items use each resource
}

TEST(PlaceInFewSteps, goes_down_to_the_least_number_of_steps) {
  const auto items = all_pairs();
  for (const std::size_t least : {16U, 20U, 24U}) {
    const auto placed = place_in_few_steps(items, 32, {24, least, 10'000'000});
    ASSERT_TRUE(placed);
    EXPECT_EQ(placed->step_count, least);
    EXPECT_FALSE(items_meet(items, placed->steps));
    EXPECT_LT(*std::max_element(placed->steps.begin(), placed->steps.end()), least);
  }
}

TEST(PlaceInFewSteps, gives_the_last_placement_that_it_found) {
  const auto items = all_pairs();
  const auto placed = place_in_few_steps(items, 32, {24, 15, 1'000'000});
  ASSERT_TRUE(placed);
  EXPECT_GE(placed->step_count, 16U);
  EXPECT_LT(placed->step_count, 24U);
  EXPECT_FALSE(items_meet(items, placed->steps));
}

TEST(PlaceInFewSteps, gives_nothing_if_the_first_placement_is_too_much_work) {
  EXPECT_FALSE(place_in_few_steps(all_pairs(), 32, {16, 16, 100}));
}

TEST(LooksToPlaceOnce, are_those_for_every_resource_of_every_item_in_every_step) {
  EXPECT_EQ(looks_to_place_once({{1, 2, 3}, {4}, {}}, 5), 20U);
  std::size_t looks_left = looks_to_place_once({{0}, {0}, {0}}, 3);
  EXPECT_TRUE(ItemPlacing({{0}, {0}, {0}}, 1, 3).place_all(looks_left));
}

}  // namespace
}  // namespace cubefold
