#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "cubefold/export.h"
#include "cubefold/gf2/bit_matrix.hpp"

namespace cubefold {

/// Holds the block A[S, S] of a matrix, where S is a set of bits, with its columns brought into echelon form, and
/// remembers every sum of columns. Bits can be removed from S one at a time without starting again.
class CUBEFOLD_API ColumnEchelon {
 public:
  /// Sets S to the bits set in `bits`, which must lie below a.size(). Costs O(|S|^2) word operations.
  ColumnEchelon(const BitMatrix& a, std::uint64_t bits);

  /// Returns |S| - rank A[S, S].
  int nullity() const { return null_count_; }

  /// Returns the columns of A[S, S] that are sums of others. The rank does not change if one of them is left out.
  std::uint64_t dependent_columns() const;

  /// Returns a basis of all x with A[S, S] x = 0.
  std::span<const std::uint64_t> null_basis() const;

  /// Returns some x with A[S, S] x = y, or nothing if there is none. Costs O(|S|).
  std::optional<std::uint64_t> solve(std::uint64_t y) const;

  /// Removes row and column `bit` from the block. Requires that S has the bit. Costs O(|S|).
  void remove(int bit);

 private:
  /// Holds a sum of columns and its image, with image = A[S, S] sum. The lowest set bits of all images differ.
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
