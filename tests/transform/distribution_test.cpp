#include "cubefold/transform/plan_options.hpp"

#include <gtest/gtest.h>

#include <array>

#include "lowered_run.hpp"
#include "support/message_of.hpp"
#include "transform/layouts.hpp"
#include "transform/programs.hpp"

namespace cubefold::fft {
namespace {

constexpr std::array<Distribution, 4> all_distributions{Distribution::block, Distribution::cyclic,
                                                        Distribution::block_cyclic, Distribution::scrambled};

/// Returns the points of all processes, process by process, each in the order of its memory.
std::vector<std::size_t> points_in_order(const Layout& layout) {
  std::vector<std::size_t> points;
  for (const auto& members : all_members(layout.axis_members())) {
    for (std::size_t place = 0; place < layout.local_count(members); ++place) {
      const std::size_t point = layout.point_at(members, place);
      if (point < layout.point_count()) points.push_back(point);
    }
  }
  return points;
}

bool is_natural(const Layout& layout) {
  const auto points = points_in_order(layout);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i] != i) return false;
  }
  return points.size() == layout.point_count();
}

bool is_dealt_round(const Layout& layout) {
  for (std::size_t point = 0; point < layout.point_count(); ++point) {
    const std::size_t p = layout.axis_members()[0];
    if (layout.owner(point)[0] != point % p || layout.place_of(point) != point / p) return false;
  }
  return true;
}

/// Returns whether the layout is that of scrambled_layout() for some low extent, in blocks or in conjugate pairs.
/// Cyclic order counts as scrambled too, because lengths without suitable factors have it, and so does natural order.
bool is_scrambled(const Layout& layout) {
  const auto& dimensions = layout.dimensions();
  return is_dealt_round(layout) || is_natural(layout) ||
         (dimensions.size() == 2 && dimensions[0].weight == 1 && dimensions[1].spread == Spread::local);
}

bool is_as_named(const Layout& layout, Distribution distribution) {
  switch (distribution) {
    case Distribution::block:
      return is_natural(layout);
    case Distribution::cyclic:
      return is_dealt_round(layout);
    case Distribution::block_cyclic:
      return same_places(layout, block_cyclic_layout(layout.index_count(), layout.axis_members()[0]));
    case Distribution::scrambled:
      return is_scrambled(layout);
  }
  return false;
}

template <typename Build>
void expect_as_named(Build build, std::size_t length, std::size_t process_count, const PlanOptions& options) {
  const Program program = build(length, process_count, options);
  EXPECT_TRUE(is_as_named(program.input, options.input))
      << length << " on " << process_count << ": " << to_string(program.input) << " as "
      << to_string(options.input);
  EXPECT_TRUE(is_as_named(program.output, options.output))
      << length << " on " << process_count << ": " << to_string(program.output) << " as "
      << to_string(options.output);
}

TEST(Distribution, is_what_programs_take_and_give) {
  for (const std::size_t length : {1U, 2U, 5U, 12U, 30U, 36U, 48U, 60U, 64U, 97U, 144U, 240U, 256U, 1000U}) {
    for (const std::size_t process_count : {1U, 2U, 3U, 4U, 6U, 8U, 16U}) {
      for (const Transform transform : {Transform::forward, Transform::inverse}) {
        for (const Distribution input : all_distributions) {
          for (const Distribution output : all_distributions) {
            if (input == Distribution::block_cyclic || output == Distribution::block_cyclic) continue;
            expect_as_named(complex_program, length, process_count,
                            {.transform = transform, .input = input, .output = output});
            expect_as_named(real_program, length, process_count,
                            {.transform = transform, .input = input, .output = output});
          }
        }
      }
    }
  }
}

TEST(Distribution, is_what_block_cyclic_programs_take_and_give) {
  for (const auto& [length, process_count] :
       {std::pair<std::size_t, std::size_t>{32, 2}, {64, 4}, {1024, 4}, {2048, 8}}) {
    for (const Transform transform : {Transform::forward, Transform::inverse}) {
      for (const Distribution other : all_distributions) {
        const Distribution block_cyclic = Distribution::block_cyclic;
        expect_as_named(complex_program, length, process_count,
                        {.transform = transform, .input = block_cyclic, .output = other});
        expect_as_named(complex_program, length, process_count,
                        {.transform = transform, .input = other, .output = block_cyclic});
      }
    }
  }
}

TEST(Distribution, in_scrambled_order_is_stated_by_the_layout) {
  // 64 points are 8 x 8. Each of 4 processes has two values of k mod 8, and k / 8 is fastest in its memory.
  EXPECT_EQ(complex_program(64, 4, {.output = Distribution::scrambled}).output, scrambled_layout(8, 8, 4));
}

TEST(Distribution, has_names_that_are_read_back) {
  for (const Distribution distribution : all_distributions) {
    EXPECT_EQ(parse_distribution(to_string(distribution)), distribution);
  }
  EXPECT_EQ(
      message_of([] { parse_distribution("blocks"); }),
      "unknown distribution 'blocks'; did you mean 'block'? known: block, cyclic, block_cyclic, scrambled");
}

}  // namespace
}  // namespace cubefold::fft
