#include "exchange/axis_permutations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "exchange/walked_moves.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Permutations = std::vector<AxisPermutation>;

constexpr std::uint32_t longest = 40;

/// Calls visit(axis, digit, tie) for every digit of every axis of up to 40 nodes, with both tie rules.
template <typename Visit>
void for_each_digit(Visit visit) {
  for (std::uint32_t extent = 1; extent <= longest; ++extent) {
    for (std::uint32_t period = 1; period <= extent; ++period) {
      if (extent % period != 0) continue;
      for (std::uint32_t radix = 1; radix <= period; ++radix) {
        if (period % radix != 0) continue;
        for (const Ends ends : {Ends::open, Ends::wrapped}) {
          for (const Tie tie : {Tie::positive, Tie::balanced})
            visit(Axis{extent, ends}, Digit{period, radix}, tie);
        }
      }
    }
  }
}

std::string name_of(const Axis& axis, const Digit& digit, Tie tie) {
  return to_string(Grid({axis})) + ", period " + std::to_string(digit.period) + ", radix " +
         std::to_string(digit.radix) + (tie == Tie::balanced ? ", balanced" : ", up");
}

using LineLink = std::pair<std::uint32_t, bool>;  // coordinate at which the link begins, whether it goes up

/// Returns the links of a message along an axis, found node by node.
std::vector<LineLink> links_between(const Axis& axis, std::uint32_t from, std::uint32_t to, Tie tie) {
  const std::uint32_t n = axis.extent;
  const bool up = goes_up(axis, from, to, tie);
  std::vector<LineLink> links;
  for (std::uint32_t at = from; at != to; at = (at + (up ? 1 : n - 1)) % n) links.emplace_back(at, up);
  return links;
}

bool classes_are_free_of_conflicts(const Axis& axis, const AxisPermutation& permutation, Tie tie) {
  std::set<std::pair<std::uint32_t, LineLink>> taken;
  for (std::uint32_t x = 0; x < axis.extent; ++x) {
    for (const auto& link : links_between(axis, x, permutation.to[x], tie)) {
      if (!taken.emplace(permutation.class_of[x], link).second) return false;
    }
  }
  return true;
}

TEST(AxisPermutations, change_the_digit_alone_and_take_every_coordinate_to_each_of_its_values_once) {
  for_each_digit([](const Axis& axis, const Digit& digit, Tie tie) {
    const Permutations permutations = axis_permutations(axis, digit, tie);
    ASSERT_EQ(permutations.size(), digit.radix);
    for (std::uint32_t x = 0; x < axis.extent; ++x) {
      std::set<std::uint32_t> reached;
      for (const auto& permutation : permutations) {
        const std::uint32_t to = permutation.to.at(x);
        ASSERT_EQ(permutation.from.at(to), x) << name_of(axis, digit, tie);
        ASSERT_EQ(to - digit.of(to) * digit.stride(), x - digit.of(x) * digit.stride())
            << name_of(axis, digit, tie);
        reached.insert(to);
      }
      ASSERT_EQ(reached.size(), digit.radix) << name_of(axis, digit, tie);
    }
  });
}

TEST(AxisPermutations, have_classes_whose_messages_share_no_link) {
  for_each_digit([](const Axis& axis, const Digit& digit, Tie tie) {
    for (const auto& permutation : axis_permutations(axis, digit, tie)) {
      ASSERT_TRUE(classes_are_free_of_conflicts(axis, permutation, tie)) << name_of(axis, digit, tie);
    }
  });
}

TEST(AxisPermutations, number_their_classes_without_gaps) {
  for_each_digit([](const Axis& axis, const Digit& digit, Tie tie) {
    for (const auto& permutation : axis_permutations(axis, digit, tie)) {
      const std::set<std::uint32_t> used(permutation.class_of.begin(), permutation.class_of.end());
      ASSERT_EQ(used.size(), permutation.class_count) << name_of(axis, digit, tie);
      ASSERT_EQ(*used.rbegin() + 1, permutation.class_count) << name_of(axis, digit, tie);
    }
  });
}

TEST(AxisPermutations, say_whether_classes_send_from_where_they_send_to) {
  for_each_digit([](const Axis& axis, const Digit& digit, Tie tie) {
    for (const auto& permutation : axis_permutations(axis, digit, tie)) {
      bool closed = true;
      for (std::uint32_t x = 0; x < axis.extent; ++x)
        closed = closed && permutation.class_of[x] == permutation.class_of[permutation.to[x]];
      ASSERT_EQ(permutation.closed, closed) << name_of(axis, digit, tie);
      const bool promised = std::has_single_bit(axis.extent) ||
                            (digit.radix == axis.extent && axis.extent % 4 == 0 && axis.ends == Ends::open);
      if (promised && tie == Tie::balanced) {
        ASSERT_TRUE(closed) << name_of(axis, digit, tie);
      }
    }
  });
}

void expect_shapes(const Axis& axis, const Digit& digit, Tie tie) {
  const Permutations permutations = axis_permutations(axis, digit, tie);
  const auto shapes = permutation_shapes(axis, digit, tie);
  ASSERT_EQ(shapes.size(), permutations.size());
  for (std::uint32_t k = 0; k < digit.radix; ++k) {
    const AxisPermutation& one = permutations[k];
    EXPECT_EQ(shapes[k], (PermutationShape{one.class_count, is_identity(one), one.closed}))
        << name_of(axis, digit, tie) << ", number " << k;
  }
}

TEST(AxisPermutations, have_the_shapes_that_are_known_without_making_them) {
  for_each_digit(expect_shapes);
  for (std::uint32_t n = 64; n <= 256; n *= 2) {
    for (std::uint32_t radix = 1; radix <= n; radix *= 2) {
      for (const Ends ends : {Ends::open, Ends::wrapped}) {
        for (const Tie tie : {Tie::positive, Tie::balanced}) {
          expect_shapes({n, ends}, {n, radix}, tie);
          expect_shapes({n, ends}, {radix, radix}, tie);
        }
      }
    }
  }
}

TEST(AxisPermutations, have_somebody_who_moves_in_every_class_unless_nobody_does) {
  for_each_digit([](const Axis& axis, const Digit& digit, Tie tie) {
    for (const auto& permutation : axis_permutations(axis, digit, tie)) {
      if (is_identity(permutation)) continue;
      std::set<std::uint32_t> moving;
      for (std::uint32_t x = 0; x < axis.extent; ++x) {
        if (permutation.to[x] != x) moving.insert(permutation.class_of[x]);
      }
      ASSERT_EQ(moving.size(), permutation.class_count) << name_of(axis, digit, tie);
    }
  });
}

/// Returns the number of classes of each permutation of the digit.
std::vector<std::uint32_t> class_counts(const Axis& axis, const Digit& digit) {
  std::vector<std::uint32_t> counts;
  for (const auto& permutation : axis_permutations(axis, digit, Tie::balanced))
    counts.push_back(permutation.class_count);
  return counts;
}

std::vector<std::uint32_t> class_counts(const Axis& axis) {
  return class_counts(axis, {axis.extent, axis.extent});
}

TEST(AxisPermutations, of_lines_of_4_k_have_k_classes_each) {
  for (std::uint32_t n = 4; n <= 256; n += 4) {
    EXPECT_EQ(class_counts({n, Ends::open}), std::vector<std::uint32_t>(n, n / 4)) << n;
  }
}

TEST(AxisPermutations, of_rings_of_a_power_of_two_have_an_eighth_of_it_in_classes) {
  for (std::uint32_t n = 8; n <= 256; n *= 2) {
    EXPECT_EQ(class_counts({n, Ends::wrapped}), std::vector<std::uint32_t>(n, n / 8)) << n;
  }
}

TEST(AxisPermutations, of_rings_of_2_and_4_have_one_class) {
  EXPECT_EQ(class_counts({2, Ends::wrapped}), (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(class_counts({4, Ends::wrapped}), (std::vector<std::uint32_t>{1, 1, 1, 1}));
}

std::size_t classes_in_all(const Axis& axis) {
  const auto counts = class_counts(axis);
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

TEST(AxisPermutations,
     of_other_lines_have_as_many_classes_in_all_as_cross_the_middle_besides_the_one_that_moves_nobody) {
  for (std::uint32_t n = 3; n <= 64; ++n) {
    EXPECT_EQ(classes_in_all({n, Ends::open}), n * n / 4 + (n % 4 == 0 ? 0 : 1)) << n;
  }
}

TEST(AxisPermutations, of_rings_of_8_k_have_little_more_than_an_eighth_of_the_square_in_classes) {
  for (std::uint32_t n = 8; n <= 160; n += 8) {
    const double ratio = static_cast<double>(classes_in_all({n, Ends::wrapped})) / (n * n / 8.0);
    EXPECT_GE(ratio, 1) << n;
    EXPECT_LE(ratio, 1.11) << n;
  }
}

TEST(AxisPermutations, of_other_rings_have_less_than_twice_the_bound_in_classes_or_3_times_if_odd) {
  for (std::uint32_t n = 5; n <= 64; ++n) {
    const double bound = n * n / 4 / 2.0;
    EXPECT_LE(static_cast<double>(classes_in_all({n, Ends::wrapped}) - 1), (n % 2 == 0 ? 1.8 : 3) * bound)
        << n;
  }
}

TEST(AxisPermutations, of_strided_digits_have_as_many_times_more_classes_as_groups_lie_inside_one_another) {
  for (std::uint32_t n = 4; n <= 64; n *= 2) {
    for (const Axis& axis : {Axis{n, Ends::open}, Axis{n, Ends::wrapped}}) {
      for (std::uint32_t period = 2; period <= n; period *= 2) {
        for (std::uint32_t radix = 2; radix <= period; radix *= 2) {
          const bool is_ring = axis.ends == Ends::wrapped && period == n;
          std::uint32_t expected =
              class_counts({radix, is_ring ? Ends::wrapped : Ends::open}).back() * (period / radix);
          if (is_ring && radix == 2) expected /= 2;  // messages go halfway round, half of them up
          auto counts = class_counts(axis, {period, radix});
          if (is_identity(axis_permutations(axis, {period, radix}, Tie::balanced)[0])) counts[0] = expected;
          EXPECT_EQ(counts, std::vector<std::uint32_t>(radix, expected))
              << name_of(axis, {period, radix}, Tie::balanced);
        }
      }
    }
  }
}

TEST(AxisPermutations, refuse_digits_that_do_not_divide_the_axis) {
  const auto complaint = [](std::uint32_t extent, const Digit& digit) {
    return message_of([&] { axis_permutations({extent, Ends::open}, digit, Tie::balanced); });
  };
  EXPECT_EQ(complaint(12, {8, 2}),
            "axis_permutations: a digit of radix 2 and period 8 does not divide an axis of extent 12");
  EXPECT_NE(complaint(12, {6, 4}), "nothing thrown");
  EXPECT_NE(complaint(12, {0, 1}), "nothing thrown");
  EXPECT_NE(complaint(12, {6, 0}), "nothing thrown");
}

}  // namespace
}  // namespace cubefold
