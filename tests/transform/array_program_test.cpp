#include <gtest/gtest.h>

#include "lowered_run.hpp"
#include "support/message_of.hpp"
#include "support/sweep.hpp"
#include "transform/block_geometry.hpp"
#include "transform/layouts.hpp"
#include "transform/program.hpp"
#include "transform/programs.hpp"

namespace cubefold::fft {
namespace {

using Extents = std::vector<std::size_t>;

constexpr long double error_limit = 1e-15L;

std::size_t product(const Extents& extents) {
  std::size_t count = 1;
  for (const std::size_t extent : extents) count *= extent;
  return count;
}

/// Returns the transform of an array by the definition, line by line in each dimension.
Numbers dft_of_array(Numbers array, const Extents& extents, Transform transform) {
  std::size_t stride = 1;
  for (std::size_t d = extents.size(); d-- > 0; stride *= extents[d]) {
    for (std::size_t first = 0; first < array.size(); ++first) {
      if (first / stride % extents[d] != 0) continue;
      Numbers line(extents[d]);
      for (std::size_t i = 0; i < line.size(); ++i) line[i] = array[first + i * stride];
      line = dft(line, transform);
      for (std::size_t i = 0; i < line.size(); ++i) array[first + i * stride] = line[i];
    }
  }
  return array;
}

/// Returns the values 0 .. last/2 of the last dimension, which has the extent `last`.
Numbers half_of(const Numbers& array, std::size_t last) {
  Numbers half;
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (i % last <= last / 2) half.push_back(array[i]);
  }
  return half;
}

struct Shape {
  Extents extents;
  Extents axis_members;
};

/// Returns shapes over up to 4 processes and some over up to 16.
std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const std::size_t p : {1U, 2U, 3U, 4U, 8U, 16U}) {
    for (const Extents& extents : {Extents{4, 4},
                                   {16, 16},
                                   {5, 7},
                                   {1, 6},
                                   {6, 1},
                                   {17, 3},
                                   {4, 4, 4},
                                   {3, 5, 4},
                                   {7, 2, 9},
                                   {2, 3, 2, 4}}) {
      all.push_back({extents, {p}});
    }
  }
  for (const Extents& axes : {Extents{1, 1}, {2, 2}, {1, 4}, {3, 1}, {2, 3}, {4, 2}, {4, 4}}) {
    for (const Extents& extents :
         {Extents{4, 4, 4}, {8, 8, 8}, {3, 5, 4}, {7, 2, 9}, {1, 1, 5}, {2, 3, 2, 4}}) {
      all.push_back({extents, axes});
    }
  }
  const auto is_small = [](const Shape& shape) { return product(shape.axis_members) <= 4; };
  return small_and_some_of(std::move(all), is_small, 4);
}

std::string title(const Shape& shape, const PlanOptions& options) {
  std::string text;
  for (const std::size_t extent : shape.extents) text += std::to_string(extent) + " ";
  text += "over ";
  for (const std::size_t members : shape.axis_members) text += std::to_string(members) + " ";
  return text + (options.transform == Transform::forward ? "forward" : "inverse") +
         (options.transposed_output ? " transposed" : "") + (options.kind == Kind::real ? " real" : "");
}

void expect_transform(const Shape& shape, const PlanOptions& options, const Numbers& input,
                      const Numbers& expected) {
  SCOPED_TRACE(title(shape, options));
  const Program program = array_program(shape.extents, shape.axis_members, options);
  const auto fault = fault_of(program);
  ASSERT_FALSE(fault) << fault->stage << ": " << fault->what;
  EXPECT_LT(distance(lowered_result(program, input), expected), error_limit);
}

TEST(ArrayProgram, transforms_slabs_and_pencils_of_any_extents) {
  for (const Shape& shape : shapes()) {
    const Numbers array = random_numbers(product(shape.extents), 1);
    for (const Transform transform : {Transform::forward, Transform::inverse}) {
      const Numbers expected = dft_of_array(array, shape.extents, transform);
      for (const bool transposed : {false, true}) {
        expect_transform(shape, {.transform = transform, .transposed_output = transposed}, array, expected);
      }
    }
  }
}

TEST(ArrayProgram, transforms_real_arrays_to_half_a_spectrum_and_back) {
  for (const Shape& shape : shapes()) {
    Numbers array = random_numbers(product(shape.extents), 2);
    for (Number& number : array) number = number.real();
    const Numbers half =
        half_of(dft_of_array(array, shape.extents, Transform::forward), shape.extents.back());
    for (const auto& [transposed, padded] :
         {std::pair(false, false), std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
      PlanOptions options{.kind = Kind::real, .transposed_output = transposed, .padded_rows = padded};
      expect_transform(shape, options, array, half);
      options.transform = Transform::inverse;
      expect_transform(shape, options, half, array);
    }
  }
}

TEST(ArrayProgram, comes_back_in_the_layout_that_it_left) {
  for (const Shape& shape : shapes()) {
    for (const Kind kind : {Kind::complex, Kind::real}) {
      for (const bool transposed : {false, true}) {
        const Program there =
            array_program(shape.extents, shape.axis_members, {.kind = kind, .transposed_output = transposed});
        const Program back =
            array_program(shape.extents, shape.axis_members,
                          {.transform = Transform::inverse, .kind = kind, .transposed_output = transposed});
        EXPECT_TRUE(same_places(there.output, back.input));
        EXPECT_TRUE(same_places(there.input, back.output));
        if (!transposed && kind == Kind::complex) {
          EXPECT_TRUE(same_places(there.input, there.output));
        }
      }
    }
  }
}

std::vector<int> axes_of_exchanges(const Program& program) {
  std::vector<int> axes;
  for (const Stage& stage : program.stages) {
    if (const auto* exchange = std::get_if<ExchangeStage>(&stage)) axes.push_back(exchange->axis);
  }
  return axes;
}

TEST(ArrayProgram, exchanges_once_an_axis_or_twice_to_transpose_back) {
  EXPECT_EQ(axes_of_exchanges(array_program({8, 8}, {4}, {.transposed_output = true})),
            (std::vector<int>{0}));
  EXPECT_EQ(axes_of_exchanges(array_program({8, 8, 8}, {4})), (std::vector<int>{0, 0}));
  EXPECT_EQ(axes_of_exchanges(array_program({8, 8, 8}, {4, 2}, {.transposed_output = true})),
            (std::vector<int>{1, 0}));
  EXPECT_EQ(axes_of_exchanges(array_program({8, 8, 8}, {4, 2})), (std::vector<int>{1, 0, 0, 1}));
  EXPECT_EQ(axes_of_exchanges(array_program({8, 8, 8}, {1, 2})), (std::vector<int>{1, 1}));
}

TEST(ArrayProgram, sends_all_points_but_its_own_in_each_exchange) {
  const Program program = array_program({128, 128, 128}, {4, 4}, {.transposed_output = true});
  for (const Stage& stage : program.stages) {
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (exchange != nullptr) {
      EXPECT_EQ(sent_count(*exchange), 128U * 128 * 128 / 16 * 3 / 4);
    }
  }
}

TEST(ArrayProgram, leaves_dimension_1_spread_and_slowest_where_it_does_not_transpose_back) {
  const IndexDimension first{4, 48};
  const IndexDimension second{6, 8, Spread::block, 0};
  EXPECT_EQ(array_program({4, 6, 8}, {2}, {.transposed_output = true}).output,
            Layout({second, first, {8, 1}}, {2}));
  EXPECT_EQ(array_program({4, 6, 8}, {2, 3}, {.transposed_output = true}).output,
            Layout({second, first, {8, 1, Spread::block, 1}}, {2, 3}));
}

TEST(ArrayProgram, pads_rows_of_real_numbers_as_fftw_does) {
  const Program program = array_program({4, 6, 7}, {2}, {.kind = Kind::real, .padded_rows = true});
  EXPECT_EQ(program.input.local_count({0}), 2U * 6 * 8);
  EXPECT_EQ(program.input.point_at({1}, 8), 2U * 42 + 7);
  EXPECT_EQ(program.input.point_at({1}, 7), program.input.index_count());
  EXPECT_EQ(program.input.place_of(2 * 42 + 7), 8U);
  EXPECT_EQ(program.output.local_count({0}), 2U * 6 * 4);
}

TEST(ArrayProgram, says_what_it_cannot_do) {
  EXPECT_EQ(message_of([] { array_program({4, 0}, {2}); }), "a transform of an array with an extent of 0");
  EXPECT_EQ(message_of([] {
              array_program({4, 4}, {2, 2});
            }),
            "2 dimensions over 2 process axes: one more than axes is needed");
  EXPECT_EQ(message_of([] {
              array_program({4, 4, 4, 4}, {2, 2, 2});
            }),
            "3 process axes: arrays are cut into slabs over one or pencils over two");
}

}  // namespace
}  // namespace cubefold::fft
