#include "cubefold/gf2/bit_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>
#include <set>

#include "support/message_of.hpp"
#include "support/random_lcc.hpp"

namespace cubefold {
namespace {

TEST(BitMatrix, times_a_vector_is_the_sum_of_products_bit_by_bit) {
  std::mt19937_64 generator(1);
  const BitMatrix matrix = random_matrix(64, generator);
  for (int trial = 0; trial < 100; ++trial) {
    const std::uint64_t x = generator();
    const std::uint64_t y = matrix * x;
    for (int row = 0; row < 64; ++row) {
      unsigned sum = 0;
      for (int column = 0; column < 64; ++column)
        sum += matrix.at(row, column) && ((x >> column) & 1) != 0 ? 1U : 0U;
      EXPECT_EQ((y >> row) & 1, sum % 2);
    }
  }
}

TEST(BitMatrix, product_is_composition) {
  std::mt19937_64 generator(2);
  const BitMatrix a = random_matrix(17, generator);
  const BitMatrix b = random_matrix(17, generator);
  for (std::uint64_t x = 0; x < (1U << 17); x += 37) EXPECT_EQ((a * b) * x, a * (b * x));
}

TEST(BitMatrix, inverse_undoes_every_matrix_that_has_one_and_the_others_are_not_injective) {
  int invertible = 0;
  for (unsigned entries = 0; entries < 512; ++entries) {
    BitMatrix matrix(3);
    for (int i = 0; i < 9; ++i) {
      if (((entries >> i) & 1) != 0) matrix.set(i / 3, i % 3);
    }
    unsigned images = 0;
    for (std::uint64_t x = 0; x < 8; ++x) images |= 1U << (matrix * x);
    const auto inverse = matrix.inverse();
    EXPECT_EQ(inverse.has_value(), images == 255);
    if (!inverse) continue;
    ++invertible;
    EXPECT_EQ(*inverse * matrix, BitMatrix::identity(3));
    EXPECT_EQ(matrix * *inverse, BitMatrix::identity(3));
  }
  EXPECT_EQ(invertible, 168);  // the order of GL(3, 2): (8 - 1)(8 - 2)(8 - 4)
}

TEST(BitMatrix, inverts_at_the_size_of_a_word) {
  std::mt19937_64 generator(3);
  int inverted = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const BitMatrix matrix = random_matrix(64, generator);
    const auto inverse = matrix.inverse();
    if (!inverse) continue;
    ++inverted;
    EXPECT_EQ(*inverse * matrix, BitMatrix::identity(64));
  }
  EXPECT_GT(inverted, 0);
}

TEST(BitMatrix, permutation_takes_new_bit_k_from_old_bit_order_k) {
  const std::vector<int> order{2, 0, 1};
  const BitMatrix matrix = BitMatrix::permutation(order);
  EXPECT_EQ(matrix * 0b001U, 0b010U);
  EXPECT_EQ(matrix * 0b010U, 0b100U);
  EXPECT_EQ(matrix * 0b100U, 0b001U);
}

TEST(BitMatrix, of_columns_has_these_columns_and_refuses_bits_beyond_the_last_row) {
  const auto matrix = BitMatrix::of_columns({0b10, 0b11});
  EXPECT_EQ(matrix.column(0), 0b10U);
  EXPECT_EQ(matrix.column(1), 0b11U);
  EXPECT_FALSE(matrix.at(0, 0));
  EXPECT_TRUE(matrix.at(1, 0));
  EXPECT_EQ(message_of([] {
              BitMatrix::of_columns({1, 4});
            }),
            "BitMatrix::of_columns: column 1 has bits beyond row 1");
  EXPECT_EQ(message_of([] { BitMatrix::of_columns(std::vector<std::uint64_t>(70)); }),
            "BitMatrix: size 65 is not in 0 .. 64");
}

/// Returns log2 of the number of different sums of the first `columns` columns, seen in the first `rows` rows.
int rank_by_counting(const BitMatrix& matrix, int rows, int columns) {
  std::set<std::uint64_t> sums;
  for (std::uint64_t x = 0; x < (std::uint64_t{1} << columns); ++x)
    sums.insert((matrix * x) & low_bits(rows));
  return std::countr_zero(sums.size());
}

TEST(BitMatrix, leading_pivots_give_the_rank_of_every_leading_block) {
  std::mt19937_64 generator(8);
  for (int trial = 0; trial < 60; ++trial) {
    const auto matrix = trial % 2 == 0 ? random_matrix(6, generator)
                                       : random_matrix(6, generator) * random_matrix(6, generator);
    const auto pivots = matrix.leading_pivots();
    for (int p = 0; p <= 6; ++p) {
      for (int q = 0; q <= 6; ++q) {
        const auto independent =
            std::count_if(pivots.begin(), pivots.begin() + q, [&](int row) { return row < p; });
        EXPECT_EQ(independent, rank_by_counting(matrix, p, q));
      }
    }
    EXPECT_EQ(matrix.rank(), rank_by_counting(matrix, 6, 6));
  }
}

TEST(BitMatrix, refuses_what_is_no_permutation) {
  for (const std::vector<int>& order : {std::vector<int>{0, 0}, {0, 2}, {-1, 0}}) {
    EXPECT_NE(message_of([&] { BitMatrix::permutation(order); }), "nothing thrown");
  }
}

TEST(BitMatrix, refuses_sizes_beyond_a_word) {
  EXPECT_EQ(message_of([] { BitMatrix(65); }), "BitMatrix: size 65 is not in 0 .. 64");
  EXPECT_EQ(message_of([] { BitMatrix(-1); }), "BitMatrix: size -1 is not in 0 .. 64");
}

TEST(SlicedMap, gives_what_the_matrix_gives) {
  std::mt19937_64 generator(4);
  for (const int size : {0, 1, 7, 8, 9, 31, 32}) {
    const BitMatrix matrix = random_matrix(size, generator);
    const SlicedMap map(matrix);
    const std::uint64_t mask = (std::uint64_t{1} << size) - 1;
    for (int trial = 0; trial < 1000; ++trial) {
      const std::uint64_t x = generator() & mask;
      EXPECT_EQ(map(static_cast<std::uint32_t>(x)), matrix * x);
    }
  }
}

}  // namespace
}  // namespace cubefold
