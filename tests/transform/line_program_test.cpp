#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <span>

#include "lowered_run.hpp"
#include "support/message_of.hpp"
#include "support/sanitizers.hpp"
#include "transform/layouts.hpp"
#include "transform/program.hpp"
#include "transform/programs.hpp"

namespace cubefold::fft {
namespace {

constexpr std::array<std::size_t, 6> all_process_counts{1, 2, 3, 4, 8, 16};
constexpr auto process_counts = std::span(all_process_counts).first(end_of_sweep(6, 4));

// The lengths include powers of two, squares, odd composites, primes, and lengths below the number of processes.
constexpr std::array<std::size_t, 22> lengths{1,  2,  3,  4,  6,  7,  12,  15,  16,  30,  31,
                                              32, 36, 45, 64, 81, 97, 100, 105, 128, 144, 256};

constexpr std::array<Distribution, 3> for_all_lengths{Distribution::block, Distribution::cyclic,
                                                      Distribution::scrambled};
constexpr std::array<Distribution, 4> distributions{Distribution::block, Distribution::cyclic,
                                                    Distribution::scrambled, Distribution::block_cyclic};
constexpr std::array<Transform, 2> transforms{Transform::forward, Transform::inverse};

constexpr long double limit = 2e-15L;  // the factors, and under valgrind all numbers, are of type double

std::string title(std::size_t length, std::size_t process_count, const PlanOptions& options) {
  return std::to_string(length) + " points on " + std::to_string(process_count) + ", " +
         fmt::format("{} to {}", to_string(options.input), to_string(options.output)) +
         (options.transform == Transform::forward ? ", forward" : ", inverse");
}

std::string fault_text(const Program& program) {
  const auto fault = fault_of(program);
  return fault ? "stage " + std::to_string(fault->stage) + ": " + fault->what : "none";
}

void expect_transform(const Program& program, const Numbers& input, const Numbers& expected) {
  ASSERT_EQ(fault_text(program), "none");
  ASSERT_EQ(program.input.point_count(), input.size());
  ASSERT_EQ(program.output.point_count(), expected.size());
  EXPECT_LT(distance(lowered_result(program, input), expected), limit);
}

template <typename Check>
void for_each_pair(Transform transform, Check check) {
  for (const Distribution input : for_all_lengths) {
    for (const Distribution output : for_all_lengths) {
      check(PlanOptions{.transform = transform, .input = input, .output = output});
    }
  }
}

class Lengths : public testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(ComplexProgram, Lengths, testing::ValuesIn(lengths));

TEST_P(Lengths, are_transformed_in_every_pair_of_distributions_on_all_process_counts) {
  const Numbers points = random_numbers(GetParam(), 1);
  for (const Transform transform : transforms) {
    const Numbers expected = dft(points, transform);
    for (const std::size_t process_count : process_counts) {
      for_each_pair(transform, [&](const PlanOptions& options) {
        SCOPED_TRACE(title(points.size(), process_count, options));
        expect_transform(complex_program(points.size(), process_count, options), points, expected);
      });
    }
  }
}

TEST_P(Lengths, are_split_for_threads_of_one_process_if_they_have_two_factors) {
  const Numbers points = random_numbers(GetParam(), 1);
  for (const Transform transform : transforms) {
    const auto program = split_line_program(points.size(), {.transform = transform}, 3);
    std::size_t smaller_factor = 1;
    for (std::size_t factor = 1; factor * factor <= points.size(); ++factor)
      if (points.size() % factor == 0) smaller_factor = factor;
    ASSERT_EQ(program.has_value(), smaller_factor >= 3);
    if (program) expect_transform(*program, points, dft(points, transform));
  }
}

TEST_P(Lengths, of_real_points_have_half_a_spectrum_and_come_back_from_it) {
  Numbers points = random_numbers(GetParam(), 2);
  for (Number& point : points) point = point.real();
  Numbers half = dft(points, Transform::forward);
  half.resize(points.size() / 2 + 1);
  for (const std::size_t process_count : process_counts) {
    for_each_pair(Transform::forward, [&](PlanOptions options) {
      SCOPED_TRACE(title(points.size(), process_count, options));
      expect_transform(real_program(points.size(), process_count, options), points, half);
      options.transform = Transform::inverse;
      expect_transform(real_program(points.size(), process_count, options), half, points);
    });
  }
}

TEST_P(Lengths, come_back_in_the_layouts_that_they_left) {
  for (const std::size_t process_count : process_counts) {
    for_each_pair(Transform::forward, [&](const PlanOptions& options) {
      SCOPED_TRACE(title(GetParam(), process_count, options));
      const PlanOptions back{
          .transform = Transform::inverse, .input = options.output, .output = options.input};
      for (const auto build : {complex_program, real_program}) {
        const Program there = build(GetParam(), process_count, options);
        const Program home = build(GetParam(), process_count, back);
        EXPECT_TRUE(same_places(there.output, home.input))
            << to_string(there.output) << to_string(home.input);
        EXPECT_TRUE(same_places(there.input, home.output))
            << to_string(there.input) << to_string(home.output);
      }
    });
  }
}

TEST(ComplexProgram, transforms_by_convolution_when_told_to) {
  for (const std::size_t process_count : process_counts) {
    for (const std::size_t length : {1U, 2U, 12U, 13U, 32U}) {
      const Numbers points = random_numbers(length, 3);
      for (const Transform transform : transforms) {
        for_each_pair(transform, [&](PlanOptions options) {
          options.algorithm = Algorithm::bluestein;
          SCOPED_TRACE(title(length, process_count, options));
          expect_transform(complex_program(length, process_count, options), points, dft(points, transform));
        });
      }
    }
  }
}

TEST(ComplexProgram, transforms_block_cyclic_lines_whatever_their_blocks) {
  for (const auto& [length, process_count] : {std::pair<std::size_t, std::size_t>{1, 1},
                                              {2, 2},
                                              {8, 2},
                                              {32, 2},
                                              {4, 4},
                                              {16, 4},
                                              {64, 4},
                                              {256, 4},
                                              {8, 8},
                                              {512, 8},
                                              {16, 16},
                                              {1024, 16}}) {
    const Numbers points = random_numbers(length, 4);
    for (const Transform transform : transforms) {
      const PlanOptions options{
          .transform = transform, .input = Distribution::block_cyclic, .output = Distribution::block_cyclic};
      SCOPED_TRACE(title(length, process_count, options));
      const Program program = complex_program(length, process_count, options);
      expect_transform(program, points, dft(points, transform));
      EXPECT_TRUE(same_places(program.input, block_cyclic_layout(length, process_count)));
      EXPECT_TRUE(same_places(program.output, block_cyclic_layout(length, process_count)));
    }
  }
}

TEST(ComplexProgram, mixes_block_cyclic_with_all_others_from_the_cube_of_the_processes_on) {
  for (const auto& [length, process_count] :
       {std::pair<std::size_t, std::size_t>{8, 2}, {32, 2}, {64, 4}, {256, 4}, {512, 8}}) {
    const Numbers points = random_numbers(length, 5);
    for (const Transform transform : transforms) {
      const Numbers expected = dft(points, transform);
      for (const Distribution other : for_all_lengths) {
        const PlanOptions in{.transform = transform, .input = Distribution::block_cyclic, .output = other};
        const PlanOptions out{.transform = transform, .input = other, .output = Distribution::block_cyclic};
        SCOPED_TRACE(title(length, process_count, in));
        const Program from = complex_program(length, process_count, in);
        const Program to = complex_program(length, process_count, out);
        expect_transform(from, points, expected);
        expect_transform(to, points, expected);
        EXPECT_TRUE(same_places(from.input, block_cyclic_layout(length, process_count)));
        EXPECT_TRUE(same_places(to.output, block_cyclic_layout(length, process_count)));
      }
    }
  }
}

TEST(RealProgram, takes_block_cyclic_points_and_spectra) {
  Numbers points = random_numbers(256, 6);
  for (Number& point : points) point = point.real();
  Numbers half = dft(points, Transform::forward);
  half.resize(129);
  for (const Distribution other : distributions) {
    PlanOptions options{.input = Distribution::block_cyclic, .output = other};
    expect_transform(real_program(256, 4, options), points, half);
    options = {.transform = Transform::inverse, .input = Distribution::block_cyclic, .output = other};
    expect_transform(real_program(256, 4, options), half, points);
  }
}

TEST(ComplexProgram, is_made_at_once_for_lengths_beyond_any_memory) {
  const std::size_t length = std::size_t{1} << 40;
  for (const Distribution distribution : distributions) {
    const Program program =
        complex_program(length, 1U << 10, {.input = distribution, .output = distribution});
    EXPECT_EQ(fault_text(program), "none");
    EXPECT_EQ(largest_complex_count(program), length >> 10);
  }
  EXPECT_EQ(fault_text(complex_program(length - 87, 1000)), "none");
}

TEST(ComplexProgram, says_what_it_cannot_do) {
  const auto complaint = [](std::size_t length, std::size_t p, const PlanOptions& options) {
    return message_of([&] { complex_program(length, p, options); });
  };
  EXPECT_EQ(complaint(0, 4, {}), "a transform of 0 points");
  EXPECT_EQ(complaint(4, 0, {}), "a transform by 0 processes");
  EXPECT_NE(complaint(63, 4, {.input = Distribution::block_cyclic}).find("63 points on 4 processes"),
            std::string::npos);
  EXPECT_EQ(complaint(16, 4, {.output = Distribution::block_cyclic}),
            "16 points on 4 processes: block_cyclic with block needs at least 64, the cube of the processes");
  EXPECT_EQ(complaint(64, 4, {.output = Distribution::block_cyclic, .algorithm = Algorithm::bluestein}),
            "Bluestein's algorithm is not for block_cyclic, whose lengths never need it");
  EXPECT_EQ(message_of([] { real_program(0, 2); }), "a transform of 0 points");
}

}  // namespace
}  // namespace cubefold::fft
