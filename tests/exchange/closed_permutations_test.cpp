#include "exchange/closed_permutations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "exchange/walked_moves.hpp"

namespace cubefold {
namespace {

using Permutations = std::vector<AxisPermutation>;

/// Returns the first class that has two messages on a link of the axis, or another rule of closed permutations that is
/// broken, or an empty text.
std::string fault_of(const Axis& axis, const Permutations& permutations, Tie tie) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const AxisPermutation& permutation : permutations) {
    std::set<std::tuple<std::uint32_t, std::uint32_t, bool>> links;  // class, begin, direction
    for (std::uint32_t from = 0; from < axis.extent; ++from) {
      const std::uint32_t to = permutation.to.at(from);
      const std::uint32_t own = permutation.class_of.at(from);
      if (permutation.from.at(to) != from) return "the inverse is wrong";
      if (own >= permutation.class_count) return "there is no such class";
      if (permutation.class_of.at(to) != own) return "a class is not closed";
      if (from != to && !pairs.insert({from, to}).second) return "a message is sent twice";
      const bool up = goes_up(axis, from, to, tie);
      for (std::uint32_t x = from; x != to; x = (x + (up ? 1 : axis.extent - 1)) % axis.extent)
        if (!links.insert({own, x, up}).second) return "two messages of a class share a link";
    }
  }
  const bool is_complete = pairs.size() == std::size_t{axis.extent} * (axis.extent - 1);
  return is_complete ? "" : "a message is missing";
}

template <typename Visit>
void for_each_axis(std::uint32_t longest, Visit visit) {
  for (std::uint32_t extent = 2; extent <= longest; ++extent) {
    for (const Ends ends : {Ends::open, Ends::wrapped})
      for (const Tie tie : {Tie::balanced, Tie::positive}) visit(Axis{extent, ends}, tie);
  }
}

TEST(ClosedPermutations, have_closed_classes_without_conflicts_on_all_axes_of_up_to_40_nodes) {
  std::size_t count = 0;
  for_each_axis(40, [&](const Axis& axis, Tie tie) {
    for (const Tables tables : {Tables::no, Tables::yes}) {
      const auto permutations = closed_permutations(axis, tie, tables);
      if (!permutations) continue;
      ++count;
      EXPECT_EQ(fault_of(axis, *permutations, tie), "") << to_string(Grid({axis})) << ' ' << to_string(tie);
    }
  });
  EXPECT_GT(count, 100U);
}

TEST(ClosedPermutations, are_counted_without_being_built) {
  for_each_axis(40, [&](const Axis& axis, Tie tie) {
    for (const Tables tables : {Tables::no, Tables::yes}) {
      const auto permutations = closed_permutations(axis, tie, tables);
      const auto counts = closed_class_counts(axis, tie, tables);
      ASSERT_EQ(permutations.has_value(), counts.has_value()) << to_string(Grid({axis}));
      if (!permutations) continue;
      std::vector<std::uint32_t> built;
      for (const auto& permutation : *permutations) built.push_back(permutation.class_count);
      EXPECT_EQ(built, *counts) << to_string(Grid({axis}));
      EXPECT_TRUE(std::is_sorted(built.begin(), built.end(), std::greater<>()));
    }
  });
}

TEST(ClosedPermutations, exist_for_all_axes_of_up_to_15_nodes_and_send_no_message_to_its_own_coordinate) {
  for_each_axis(15, [&](const Axis& axis, Tie tie) {
    const auto permutations = closed_permutations(axis, tie);
    ASSERT_TRUE(permutations) << to_string(Grid({axis}));
    EXPECT_EQ(permutations->size(), axis.extent - 1) << to_string(Grid({axis}));
  });
}

TEST(ClosedPermutations, of_other_axes_follow_from_formulas_if_at_all) {
  EXPECT_FALSE(closed_permutations({7, Ends::open}, Tie::balanced, Tables::no));
  EXPECT_FALSE(closed_permutations({17, Ends::open}, Tie::balanced));
  EXPECT_EQ(closed_class_counts({16, Ends::open}, Tie::balanced), std::vector<std::uint32_t>(16, 4));
}

// These permutations are broken on purpose, to see that the checks above can fail.
TEST(ClosedPermutations, that_are_broken_are_noticed) {
  const Axis axis{8, Ends::open};
  const auto fault = [&](auto break_it) {
    Permutations broken = closed_permutations(axis, Tie::balanced).value();
    break_it(broken);
    return fault_of(axis, broken, Tie::balanced);
  };
  EXPECT_EQ(fault([](Permutations&) {}), "");
  EXPECT_EQ(fault([](Permutations& it) { std::swap(it[0].to[0], it[0].to[1]); }), "the inverse is wrong");
  EXPECT_EQ(fault([](Permutations& it) { it[0].class_of[0] = 3; }), "there is no such class");
  EXPECT_EQ(fault([](Permutations& it) { it[0].class_of[0] = (it[0].class_of[0] + 1) % 3; }),
            "a class is not closed");
  EXPECT_EQ(fault([](Permutations& it) { it[1] = it[0]; }), "a message is sent twice");
  EXPECT_EQ(fault([](Permutations& it) { it.pop_back(); }), "a message is missing");
  EXPECT_EQ(fault([](Permutations& it) { it[0].class_of.assign(8, 0); }),
            "two messages of a class share a link");
}

}  // namespace
}  // namespace cubefold
