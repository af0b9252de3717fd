#include "transform/layouts.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <tuple>

#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

std::size_t owner_of_point(const Layout& layout, std::size_t point) {
  return layout.owner(point)[0];
}

TEST(BlockCyclic, deals_blocks_of_2_to_the_s_points_round_the_ranks) {
  const Layout layout = block_cyclic_layout(64, 4);  // n = 2, s = 2
  EXPECT_EQ(layout.local_count({0}), 16U);
  for (std::size_t point = 0; point < 64; ++point) EXPECT_EQ(owner_of_point(layout, point), (point / 4) % 4);
}

TEST(BlockCyclic, has_block_rank_and_place_in_the_bits_of_the_index) {
  for (const auto& [point_count, rank_count, s] : {std::tuple<std::size_t, std::size_t, int>{64, 4, 2},
                                                   {1, 1, 0},
                                                   {16, 16, 0},
                                                   {16, 1, 2},
                                                   {2, 2, 0},
                                                   {128, 8, 2},
                                                   {8, 2, 1},
                                                   {4096, 16, 4}}) {
    const int n = std::countr_zero(rank_count);
    const Layout layout = block_cyclic_layout(point_count, rank_count);
    EXPECT_EQ(block_cyclic_block(point_count, rank_count), std::size_t{1} << s);
    EXPECT_EQ(layout.local_count({0}) * rank_count, point_count);
    for (std::size_t point = 0; point < point_count; ++point) {
      const std::size_t block = point >> (n + s);
      const std::size_t within = point & ((std::size_t{1} << s) - 1);
      EXPECT_EQ(owner_of_point(layout, point), (point >> s) & (rank_count - 1));
      EXPECT_EQ(layout.place_of(point), (block << s) | within);
    }
  }
}

TEST(BlockCyclic, makes_a_bit_reversal_of_points_one_of_ranks) {  // [Lcc] section 6.2
  const Layout layout = block_cyclic_layout(256, 16);             // n = 4, s = 2
  const auto reversed = [](std::size_t value, int bits) {
    std::size_t result = 0;
    for (int bit = 0; bit < bits; ++bit) result |= ((value >> bit) & 1U) << (bits - 1 - bit);
    return result;
  };
  for (std::size_t point = 0; point < 256; ++point)
    EXPECT_EQ(owner_of_point(layout, reversed(point, 8)), reversed(owner_of_point(layout, point), 4));
}

TEST(BlockCyclic, names_the_nearest_lengths_that_fit) {
  const auto complaint = [](std::size_t point_count, std::size_t rank_count) {
    return message_of([&] { block_cyclic_block(point_count, rank_count); });
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
