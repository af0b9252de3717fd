#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Square matrix over GF(2) with up to 64 rows. Acts on bit vectors held in a word, bit j = component x_j.
class CUBEFOLD_API BitMatrix {
 public:
  /// All zero. Throws std::invalid_argument unless 0 <= size <= 64.
  explicit BitMatrix(int size);

  static BitMatrix identity(int size);

  /// y_k = x_{order[k]}. Throws std::invalid_argument unless order is a permutation of 0 .. order.size() - 1.
  static BitMatrix permutation(std::span<const int> order);

  int size() const { return static_cast<int>(columns_.size()); }
  bool at(int row, int column) const {
    return ((columns_[static_cast<std::size_t>(column)] >> row) & 1) != 0;
  }
  void set(int row, int column) { columns_[static_cast<std::size_t>(column)] |= std::uint64_t{1} << row; }

  /// A x: one xor per set bit of x.
  std::uint64_t operator*(std::uint64_t x) const;

  /// (A B) x = A (B x). Requires equal sizes.
  BitMatrix operator*(const BitMatrix& other) const;

  /// Nothing if the matrix is singular. O(size^2) word operations.
  std::optional<BitMatrix> inverse() const;

  bool operator==(const BitMatrix&) const = default;

 private:
  std::vector<std::uint64_t> columns_;
};

/// A linear map on words of up to 32 bits as one xor per byte: O(1) for any matrix, in 4 KiB.
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
