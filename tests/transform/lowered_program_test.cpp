#include "transform/lowered_program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "lowered_run.hpp"
#include "support/sweep.hpp"
#include "transform/programs.hpp"

namespace cubefold::fft {
namespace {

/// Expects bitwise the same result in all lowered forms.
void expect_same_in_all_forms(const Program& program) {
  const Numbers input = random_numbers(program.input.point_count(), 6);
  const Numbers expected = lowered_result(program, lowered_forms[0], input);
  for (const LoweredForm& form : lowered_forms)
    EXPECT_TRUE(lowered_result(program, form, input) == expected)
        << (form.in_place ? "in place " : "") << (form.in_packets ? "in packets " : "")
        << (form.in_slabs ? "in slabs " : "");
}

TEST(LoweredProgram, gives_the_same_bits_in_all_forms_of_a_line) {
  constexpr std::array distributions{Distribution::block, Distribution::cyclic, Distribution::scrambled};
  using Case = std::tuple<std::size_t, std::size_t, Distribution, Distribution>;
  std::vector<Case> cases;
  for (const std::size_t process_count : {3U, 4U, 16U})
    for (const std::size_t length : {97U, 256U, 1155U, 3600U, 4096U})
      for (const Distribution input : distributions)
        for (const Distribution output : distributions)
          cases.emplace_back(length, process_count, input, output);
  const auto is_small = [](const Case& each) { return std::get<0>(each) <= 256 && std::get<1>(each) <= 4; };
  for (const auto& [length, process_count, input, output] :
       small_and_some_of(std::move(cases), is_small, 4)) {
    SCOPED_TRACE(std::to_string(length) + " points on " + std::to_string(process_count) + ", " +
                 fmt::format("{} to {}", to_string(input), to_string(output)));
    expect_same_in_all_forms(complex_program(length, process_count, {.input = input, .output = output}));
  }
}

TEST(LoweredProgram, gives_the_same_bits_in_all_forms_of_an_array) {
  for (const std::vector<std::size_t>& members : {std::vector<std::size_t>{4}, {3, 2}, {4, 4}})
    for (const bool transposed : {false, true}) {
      SCOPED_TRACE(std::to_string(members.size()) + " process axes");
      expect_same_in_all_forms(array_program({16, 15, 14}, members, {.transposed_output = transposed}));
      for (const Transform transform : {Transform::forward, Transform::inverse}) {
        expect_same_in_all_forms(array_program({16, 15, 14}, members,
                                               {.transform = transform,
                                                .kind = Kind::real,
                                                .transposed_output = transposed,
                                                .padded_rows = true}));
      }
    }
}

/// Expects the result of the other forms through windows, up to rounding.
void expect_same_through_windows(const Program& program) {
  const Numbers input = random_numbers(program.input.point_count(), 6);
  const Numbers expected = lowered_result(program, lowered_forms[0], input);
  for (const LoweredForm& form : window_forms)
    EXPECT_LE(distance(lowered_result(program, form, input), expected), 1e-14L)
        << (form.in_place ? "in place, " : "") << form.tile_points << ", threads: " << form.threads;
}

std::size_t window_count(const Program& program, std::size_t tile_points) {
  LoweringOptions options;
  options.tile_points = tile_points;
  const auto found =
      exchanges_through_windows(program, Layout::Members(program.input.axis_members().size()), options);
  return static_cast<std::size_t>(std::ranges::count(found, true));
}

TEST(LoweredProgram, gives_the_same_through_windows_for_a_line) {
  constexpr std::array distributions{Distribution::block, Distribution::cyclic, Distribution::scrambled};
  for (const std::size_t process_count : {2U, 3U, 4U})
    for (const std::size_t length : {97U, 256U, 1155U, 3600U})
      for (const Distribution input : distributions)
        for (const Distribution output : distributions) {
          SCOPED_TRACE(std::to_string(length) + " points on " + std::to_string(process_count) + ", " +
                       fmt::format("{} to {}", to_string(input), to_string(output)));
          expect_same_through_windows(
              complex_program(length, process_count, {.input = input, .output = output}));
        }
}

TEST(LoweredProgram, gives_the_same_through_windows_for_arrays) {
  for (const std::vector<std::size_t>& members : {std::vector<std::size_t>{1}, {2}, {4}, {3, 2}, {1, 3}, {5}})
    for (const std::vector<std::size_t>& extents : std::vector<std::vector<std::size_t>>{
             {16, 15, 14}, {7, 11, 3}, {3, 2, 9, 5}, {64, 8, 8}, {12, 12, 5}, {15, 15, 2, 3}})
      for (const Kind kind : {Kind::complex, Kind::real})
        for (const Transform transform : {Transform::forward, Transform::inverse})
          for (const bool transposed : {false, true}) {
            SCOPED_TRACE(std::to_string(members[0]) + " processes");
            expect_same_through_windows(array_program(
                extents, members, {.transform = transform, .kind = kind, .transposed_output = transposed}));
          }
}

TEST(LoweredProgram, gives_the_same_through_windows_for_matrices) {
  for (const std::size_t member_count : {1U, 2U, 4U, 6U})
    for (const std::vector<std::size_t>& extents :
         std::vector<std::vector<std::size_t>>{{24, 24}, {15, 14}, {7, 30}})
      for (const Kind kind : {Kind::complex, Kind::real})
        for (const Transform transform : {Transform::forward, Transform::inverse}) {
          SCOPED_TRACE(std::to_string(member_count) + " processes");
          expect_same_through_windows(array_program(
              extents, {member_count}, {.transform = transform, .kind = kind, .transposed_output = true}));
        }
}

std::size_t square_count(const Program& program, bool in_place, std::size_t tile_points) {
  LoweringOptions options;
  options.in_place = in_place;
  options.tile_points = tile_points;
  options.takes_squares = true;
  const LoweredProgram lowered =
      lower(program, Layout::Members(program.input.axis_members().size()), options);
  const auto is_square = [](const Operation& operation) {
    return std::holds_alternative<SquareExchange>(operation.what);
  };
  return static_cast<std::size_t>(std::ranges::count_if(lowered.operations, is_square));
}

TEST(LoweredProgram, takes_a_square_where_two_dimensions_of_one_extent_change_places_in_equal_blocks) {
  for (const bool in_place : {false, true})
    for (const Transform transform : {Transform::forward, Transform::inverse}) {
      const PlanOptions options{.transform = transform, .transposed_output = true};
      EXPECT_EQ(square_count(array_program({24, 24}, {4}, options), in_place, 64), 1U);
      EXPECT_EQ(square_count(array_program({24, 24, 8}, {4}, options), in_place, 64), 1U);
      EXPECT_EQ(square_count(array_program({24, 24, 8}, {1}, options), in_place, 64), 1U);
      EXPECT_EQ(square_count(array_program({24, 24, 8}, {1}, options), in_place, 0), 1U);
      EXPECT_EQ(square_count(array_program({24, 24, 8}, {4, 2}, options), in_place, 64), 1U);
      EXPECT_EQ(square_count(array_program({24, 24, 8}, {5}, options), in_place, 64), 0U);
      EXPECT_EQ(square_count(array_program({24, 12, 8}, {4}, options), in_place, 64), 0U);
      EXPECT_EQ(square_count(array_program({24, 24, 8}, {4}, options), in_place, 0), 0U);
      EXPECT_EQ(square_count(array_program({24, 24, 8}, {4}, {.transform = transform}), in_place, 64), 0U);
    }
}

TEST(LoweredProgram, needs_no_work_buffer_for_a_square) {
  const Program program = array_program({24, 24, 8}, {4}, {.transposed_output = true});
  LoweringOptions options;
  options.in_place = true;
  options.joins_transforms = true;
  options.tile_points = 64;
  EXPECT_GT(lower(program, {0}, options).work_count, 0U);
  options.takes_squares = true;
  EXPECT_EQ(lower(program, {0}, options).work_count, 0U);
  EXPECT_EQ(passes_over_memory(lower(program, {0}, options), 16), 3U);
}

TEST(LoweredProgram, takes_a_window_where_rows_stay_whole_or_points_come_back) {
  EXPECT_EQ(window_count(array_program({16, 16, 16}, {4}, {}), 64), 2U);
  EXPECT_EQ(window_count(array_program({16, 16, 16}, {4}, {.transposed_output = true}), 64), 1U);
  EXPECT_EQ(window_count(array_program({16, 16, 16}, {2, 2}, {}), 64), 2U);
  EXPECT_EQ(window_count(array_program({16, 16}, {4}, {}), 64), 2U);
  EXPECT_EQ(window_count(array_program({16, 15}, {4}, {.transposed_output = true}), 64), 1U);
  EXPECT_EQ(
      window_count(array_program({16, 15}, {4}, {.transform = Transform::inverse, .transposed_output = true}),
                   64),
      0U);
  EXPECT_EQ(window_count(complex_program(4096, 4, {}), 64), 2U);
  EXPECT_EQ(window_count(array_program({16, 16, 16}, {4}, {}), 0), 0U);
}

TEST(LoweredProgram, transposes_a_matrix_of_real_numbers_on_its_way_through_a_window) {
  LoweringOptions options;
  options.joins_transforms = true;
  const auto passes = [&](std::size_t member_count) {
    const Program program =
        array_program({16, 15}, {member_count}, {.kind = Kind::real, .transposed_output = true});
    return passes_over_memory(lower(program, {0}, options), 16);
  };
  EXPECT_EQ(passes(4), 4U);
  options.tile_points = 64;
  EXPECT_EQ(passes(4), 2U);
  options.joins_transforms = false;
  EXPECT_EQ(passes(1), 2U);
}

TEST(LoweredProgram, passes_twice_over_memory_for_an_array_through_a_window) {
  const Program program = array_program({16, 16, 16}, {4}, {});
  LoweringOptions options;
  options.in_place = true;
  EXPECT_EQ(passes_over_memory(lower(program, {0}, options), 16), 8U);
  options.joins_transforms = true;
  options.tile_points = 64;
  EXPECT_EQ(passes_over_memory(lower(program, {0}, options), 16), 2U);
}

}  // namespace
}  // namespace cubefold::fft
