#include "gf2/column_echelon.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "support/random_lcc.hpp"

namespace cubefold {
namespace {

/// Returns A[S, S] x by its definition, where `bits` is the set S.
std::uint64_t block_times(const BitMatrix& a, std::uint64_t bits, std::uint64_t x) {
  return (a * (x & bits)) & bits;
}

/// Checks all results of an echelon by trying all x.
void expect_true(const ColumnEchelon& echelon, const BitMatrix& a, std::uint64_t bits) {
  std::vector<bool> is_image(std::size_t{1} << a.size());
  std::uint64_t in_null_space = 0;
  int null_count = 0;
  for (std::uint64_t x = 0; x < is_image.size(); ++x) {
    if ((x & ~bits) != 0) continue;
    const auto y = block_times(a, bits, x);
    is_image[y] = true;
    if (y == 0) {
      ++null_count;
      in_null_space |= x;
    }
  }
  EXPECT_EQ(1 << echelon.nullity(), null_count);
  EXPECT_EQ(echelon.dependent_columns(), in_null_space);
  for (const auto x : echelon.null_basis()) EXPECT_EQ(block_times(a, bits, x), 0U);
  for (std::uint64_t y = 0; y < is_image.size(); ++y) {
    const auto x = echelon.solve(y);
    EXPECT_EQ(x.has_value(), is_image[y]);
    if (x.has_value() && block_times(a, bits, *x) != y) ADD_FAILURE() << "A x is not " << y;
  }
}

TEST(ColumnEchelon, knows_null_space_dependent_columns_and_solutions_of_every_block) {
  std::mt19937_64 generator(5);
  for (int trial = 0; trial < 40; ++trial) {
    const auto a = random_matrix(5, generator) * random_matrix(5, generator);
    for (std::uint64_t bits = 0; bits < 32; ++bits) expect_true(ColumnEchelon(a, bits), a, bits);
  }
}

TEST(ColumnEchelon, is_the_same_when_bits_are_removed_as_when_they_were_never_there) {
  std::mt19937_64 generator(6);
  for (int trial = 0; trial < 300; ++trial) {
    const auto a = trial % 2 == 0 ? random_matrix(7, generator)
                                  : random_matrix(7, generator) * random_matrix(7, generator);
    std::uint64_t bits = 127;
    ColumnEchelon echelon(a, bits);
    while (bits != 0) {
      const int bit = static_cast<int>(generator() % 7);
      if (((bits >> bit) & 1) == 0) continue;
      bits ^= std::uint64_t{1} << bit;
      echelon.remove(bit);
      expect_true(echelon, a, bits);
    }
  }
}

TEST(ColumnEchelon, works_at_the_size_of_a_word) {
  std::mt19937_64 generator(7);
  const auto a = random_matrix(64, generator);
  ColumnEchelon echelon(a, low_bits(64));
  EXPECT_EQ(echelon.nullity(), 64 - a.rank());
  for (int bit = 63; bit >= 0; --bit) {
    echelon.remove(bit);
    const ColumnEchelon anew(a, low_bits(bit));
    EXPECT_EQ(echelon.nullity(), anew.nullity());
    EXPECT_EQ(echelon.dependent_columns(), anew.dependent_columns());
  }
}

}  // namespace
}  // namespace cubefold
