#include "transform/program.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "transform/programs.hpp"

namespace cubefold::fft {
namespace {

std::vector<std::string> described(const Program& program) {
  std::vector<std::string> stages;
  for (const Stage& stage : program.stages) stages.push_back(describe(stage));
  return stages;
}

TEST(Describe, names_the_stages_of_a_line_in_blocks) {
  EXPECT_EQ(
      described(complex_program(64, 4)),
      (std::vector<std::string>{"exchange over process axis 0", "forward transforms of 8 points, twiddles",
                                "exchange over process axis 0", "forward transforms of 8 points",
                                "exchange over process axis 0"}));
}

TEST(Describe, names_the_stages_of_a_convolution) {
  const PlanOptions cyclic{.input = Distribution::cyclic, .output = Distribution::cyclic};
  EXPECT_EQ(
      described(complex_program(13, 4, cyclic)),
      (std::vector<std::string>{"chirp of 13 points, 13 to 32 indices",
                                "forward transforms of 4 points, twiddles", "exchange over process axis 0",
                                "forward transforms of 8 points", "kernel of the chirp of 13 points",
                                "inverse transforms of 4 points, twiddles", "exchange over process axis 0",
                                "inverse transforms of 8 points", "chirp of 13 points, 32 to 13 indices"}));
}

TEST(Describe, names_the_stages_of_real_points) {
  EXPECT_EQ(
      described(real_program(128, 4, {.output = Distribution::scrambled})),
      (std::vector<std::string>{"pairs of real points as complex ones", "exchange over process axis 0",
                                "forward transforms of 8 points, twiddles", "exchange over process axis 0",
                                "forward transforms of 8 points", "real-transform post-processing"}));
  EXPECT_EQ(described(array_program({4, 6}, {2}, {.kind = Kind::real, .transposed_output = true})),
            (std::vector<std::string>{"forward transforms of 6 points, real to complex",
                                      "exchange over process axis 0", "forward transforms of 4 points"}));
}

TEST(ChirpExponent, is_exact_where_the_square_of_the_point_passes_64_bits) {
  EXPECT_EQ(chirp_exponent(5, 7), 25U % 14);
  const std::size_t length = (std::size_t{1} << 40) - 87;
  EXPECT_EQ(chirp_exponent(length, length), length);          // n^2 mod 2n = n for odd n
  EXPECT_EQ(chirp_exponent(length - 1, length), length + 1);  // (n - 1)^2 = n^2 - 2n + 1
}

TEST(LargestComplexCount, counts_two_real_points_as_one) {
  EXPECT_EQ(largest_complex_count(complex_program(64, 4)), 16U);
  EXPECT_EQ(largest_complex_count(array_program({4, 6}, {2}, {.kind = Kind::real})), 8U);  // 2 x 4 values
}

}  // namespace
}  // namespace cubefold::fft
