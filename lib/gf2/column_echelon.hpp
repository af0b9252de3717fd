#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "cubefold/export.h"
#include "cubefold/gf2/bit_matrix.hpp"

namespace cubefold {

/// The block A[S, S] of a matrix, S a set of bits, with its columns brought into echelon form and every sum of columns
/// remembered. S can lose bits one at a time without starting again.
class CUBEFOLD_API ColumnEchelon {
 public:
  /// S = the bits set in `bits`, which must lie below a.size(). O(|S|^2) word operations.
  ColumnEchelon(const BitMatrix& a, std::uint64_t bits);

  /// |S| - rank A[S, S].
  int nullity() const { return null_count_; }

  /// The columns of A[S, S] that are sums of others; the rank stays if one of them is left out.
  std::uint64_t dependent_columns() const;

  /// A basis of all x with A[S, S] x = 0.
  std::span<const std::uint64_t> null_basis() const;

  /// Some x with A[S, S] x = y, or nothing. O(|S|).
  std::optional<std::uint64_t> solve(std::uint64_t y) const;

  /// Takes row and column `bit` out of the block. Requires that S has the bit. O(|S|).
  void remove(int bit);

 private:
  /// image = A[S, S] sum. The lowest bits of all images differ.
  struct Column {
    std::uint64_t image;
    std::uint64_t sum;
  };

  void insert(Column column);
  void remove_column(std::uint64_t unit);
  void remove_row(std::uint64_t unit);

  std::array<Column, 64> pivots_{};  ///< by lowest bit of the image; image 0 where there is none
  std::array<std::uint64_t, 64> null_;
  int null_count_ = 0;
};

}  // namespace cubefold
