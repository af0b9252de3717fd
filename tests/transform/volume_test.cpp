#include "transform/block_geometry.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include "transform/programs.hpp"

namespace cubefold::fft {
namespace {

TEST(VolumeOf, a_line_is_that_of_the_six_step_and_cyclic_transforms) {
  const std::size_t expected[4][4] = {{3, 2, 2, 2}, {2, 1, 1, 1}, {2, 1, 1, 1}, {2, 1, 1, 2}};
  const std::array<Distribution, 4> order{Distribution::block, Distribution::scrambled, Distribution::cyclic,
                                          Distribution::block_cyclic};
  for (const Transform transform : {Transform::forward, Transform::inverse}) {
    for (const auto& [length, p] :
         {std::pair<std::size_t, std::size_t>{4096, 16}, {1U << 20, 16}, {512, 8}}) {
      for (std::size_t in = 0; in < 4; ++in) {
        for (std::size_t out = 0; out < 4; ++out) {
          const Volume volume = volume_of(
              complex_program(length, p, {.transform = transform, .input = order[in], .output = order[out]}));
          EXPECT_EQ(volume.exchange_count, expected[in][out]);
          EXPECT_EQ(volume.message_count, expected[in][out] * (p - 1));
          EXPECT_EQ(volume.sent_count, expected[in][out] * (length / p) * (p - 1) / p);
          EXPECT_EQ(volume.padded_count, volume.sent_count);
        }
      }
    }
  }
}

TEST(VolumeOf, real_points_is_half_that_of_complex_ones_and_a_row) {
  const std::size_t p = 16;
  const Volume block = volume_of(real_program(1U << 20, p));
  EXPECT_EQ(block.exchange_count, 3U);
  const std::size_t half_of_three = 3 * (1U << 19) / p * (p - 1) / p;
  EXPECT_GE(block.sent_count, half_of_three);
  EXPECT_LE(block.sent_count, half_of_three + half_of_three / 32);
  EXPECT_EQ(volume_of(real_program(1U << 20, p, {.output = Distribution::scrambled})).exchange_count, 2U);
}

TEST(VolumeOf, lengths_that_the_square_of_the_processes_divides_have_no_padding) {
  for (const std::size_t p : {2U, 3U, 4U, 6U, 16U}) {
    for (const std::size_t rest : {1U, 2U, 7U, 12U, 97U, 1000U, 1024U, 3600U}) {
      const std::size_t length = p * p * rest;
      for (const Distribution output : {Distribution::block, Distribution::cyclic}) {
        const Program program = complex_program(length, p, {.output = output});
        EXPECT_EQ(largest_complex_count(program) * p, length);
        EXPECT_EQ(volume_of(program).padded_count, volume_of(program).sent_count);
      }
    }
  }
}

TEST(VolumeOf, a_prime_is_that_of_a_convolution_spread_over_all_processes) {
  for (const std::size_t prime : {97U, 1009U, 65537U}) {
    for (const std::size_t process_count : {3U, 4U, 8U, 16U}) {
      const Program program = complex_program(prime, process_count);
      EXPECT_LT(largest_complex_count(program), prime * 9 / process_count + 16 * process_count);
      EXPECT_EQ(volume_of(program).exchange_count, 4U);
    }
  }
}

TEST(VolumeOf, a_length_that_processes_do_not_divide_has_little_padding) {
  for (const std::size_t length : {1000U, 6000U, 46656U, 59049U, 100000U, 1000000U}) {
    for (const std::size_t process_count : {3U, 4U, 8U, 16U}) {
      if (length < 50 * process_count * process_count) continue;
      SCOPED_TRACE(std::to_string(length) + " points on " + std::to_string(process_count));
      const Program program = complex_program(length, process_count);
      EXPECT_LE(largest_complex_count(program) * process_count, length + length / 8);
      const Volume volume = volume_of(program);
      EXPECT_EQ(volume.exchange_count, 3U);
      EXPECT_LE(volume.padded_count, volume.sent_count + volume.sent_count / 8);
    }
  }
}

}  // namespace
}  // namespace cubefold::fft
