#include "transform/layouts.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

TEST(BlockCyclic, deals_blocks_of_2_to_the_s_points_round_the_ranks) {
  const BlockCyclic points(64, 4);  // n = 2, s = 2
  EXPECT_EQ(points.local_count(), 16U);
  for (std::size_t point = 0; point < 64; ++point) EXPECT_EQ(points.owner(point), Rank((point / 4) % 4));
}

TEST(BlockCyclic, gives_every_point_one_place) {
  for (const auto& [point_count, rank_count] : {std::pair<std::size_t, std::size_t>{64, 4},
                                                {1, 1},
                                                {16, 16},
                                                {16, 1},
                                                {2, 2},
                                                {128, 8},
                                                {8, 2},
                                                {4096, 16}}) {
    const BlockCyclic points(point_count, rank_count);
    EXPECT_EQ(points.point_count(), point_count);
    EXPECT_EQ(points.local_count() * rank_count, point_count);
    for (std::size_t point = 0; point < point_count; ++point) {
      EXPECT_LT(label(points.owner(point)), rank_count);
      EXPECT_LT(points.local_index(point), points.local_count());
      EXPECT_EQ(points.point_at(points.owner(point), points.local_index(point)), point);
    }
  }
}

TEST(BlockCyclic, makes_a_bit_reversal_of_points_one_of_ranks) {  // [Lcc] section 6.2
  const BlockCyclic points(256, 16);                              // n = 4, s = 2
  const auto reversed = [](std::size_t value, int bits) {
    std::size_t result = 0;
    for (int bit = 0; bit < bits; ++bit) result |= ((value >> bit) & 1U) << (bits - 1 - bit);
    return result;
  };
  for (std::size_t point = 0; point < 256; ++point) {
    EXPECT_EQ(label(points.owner(reversed(point, 8))), reversed(label(points.owner(point)), 4));
  }
}

TEST(BlockCyclic, has_blocks_a_stride_apart) {
  const BlockCyclic points(256, 4);
  for (std::size_t i = 0; i < points.local_count(); ++i) {
    EXPECT_EQ(points.point_at(Rank{3}, i), i / points.block_point_count() * points.block_stride() +
                                               3 * points.block_point_count() +
                                               i % points.block_point_count());
  }
}

TEST(BlockCyclic, names_the_nearest_lengths_that_fit) {
  const auto complaint = [](std::size_t point_count, std::size_t rank_count) {
    return message_of([&] { BlockCyclic(point_count, rank_count); });
  };
  const std::string rule = ": the block-cyclic distribution needs processes times a power of four; ";
  EXPECT_EQ(complaint(1000, 16), "1000 points on 16 processes" + rule + "the nearest are 256 and 1024");
  EXPECT_EQ(complaint(2048, 16), "2048 points on 16 processes" + rule + "the nearest are 1024 and 4096");
  EXPECT_EQ(complaint(8, 16), "8 points on 16 processes" + rule + "the smallest is 16");
  EXPECT_EQ(complaint(0, 4), "0 points on 4 processes" + rule + "the smallest is 4");
  EXPECT_EQ(complaint(48, 3), "3 processes: the block-cyclic distribution needs a power of two");
}

}  // namespace
}  // namespace cubefold::fft
