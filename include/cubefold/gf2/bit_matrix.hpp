#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Returns a word with the lowest `count` bits set. Requires 0 <= count <= 64.
constexpr std::uint64_t low_bits(int count) {
  return count == 0 ? 0 : ~std::uint64_t{0} >> (64 - count);
}

/// Holds a square matrix over GF(2) with up to 64 rows. It acts on bit vectors held in a word: bit j is component x_j.
class CUBEFOLD_API BitMatrix {
 public:
  /// Makes a matrix of zeros. Throws std::invalid_argument unless 0 <= size <= 64.
  explicit BitMatrix(int size);

  static BitMatrix identity(int size);

  /// Returns the matrix of y_k = x_{order[k]}. Throws std::invalid_argument unless order is a permutation of 0 ..
  /// order.size() - 1.
  static BitMatrix permutation(std::span<const int> order);

  /// Returns the matrix whose column j is columns[j]. Throws std::invalid_argument for more than 64 columns and for
  /// bits beyond the last row.
  static BitMatrix of_columns(std::vector<std::uint64_t> columns);

  int size() const { return static_cast<int>(columns_.size()); }
  bool at(int row, int column) const {
    return ((columns_[static_cast<std::size_t>(column)] >> row) & 1) != 0;
  }
  std::uint64_t column(int j) const { return columns_[static_cast<std::size_t>(j)]; }
  void set(int row, int column) { columns_[static_cast<std::size_t>(column)] |= std::uint64_t{1} << row; }

  /// Returns A x. Costs one xor per set bit of x.
  std::uint64_t operator*(std::uint64_t x) const;

  /// Returns A B, for which (A B) x = A (B x). Requires equal sizes.
  BitMatrix operator*(const BitMatrix& other) const;

  /// Returns the inverse, or nothing if the matrix is singular. Costs O(size^2) word operations.
  std::optional<BitMatrix> inverse() const;

  /// Returns for each column the first row r such that rows 0 .. r of the column are not a sum of the same rows of the
  /// columns before it, or size() if the whole column is such a sum. The result gives the rank of every leading block:
  /// the block of the first p rows and q columns has as many independent columns as there are entries below p among the
  /// first q. Costs O(size^2) word operations.
  std::vector<int> leading_pivots() const;

  /// Returns the rank. Costs O(size^2) word operations.
  int rank() const;

  bool operator==(const BitMatrix&) const = default;

 private:
  std::vector<std::uint64_t> columns_;
};

/// Applies a linear map to words of up to 32 bits, with one table look-up and one xor per byte. Costs O(1) for any
/// matrix, and takes 4 KiB.
class CUBEFOLD_API SlicedMap {
 public:
  /// Requires matrix.size() <= 32.
  explicit SlicedMap(const BitMatrix& matrix);

  std::uint32_t operator()(std::uint32_t x) const {
    return slices_[0][x & 255] ^ slices_[1][(x >> 8) & 255] ^ slices_[2][(x >> 16) & 255] ^
           slices_[3][x >> 24];
  }

 private:
  std::array<std::array<std::uint32_t, 256>, 4> slices_{};
};

}  // namespace cubefold
