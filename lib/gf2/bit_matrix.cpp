#include "cubefold/gf2/bit_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

std::uint64_t unit(std::size_t bit) {
  return std::uint64_t{1} << bit;
}

}  // namespace

BitMatrix::BitMatrix(int size) {
  if (size < 0 || size > 64) {
    throw std::invalid_argument(fmt::format("BitMatrix: size {} is not in 0 .. 64", size));
  }
  columns_.resize(static_cast<std::size_t>(size));
}

BitMatrix BitMatrix::identity(int size) {
  BitMatrix result(size);
  for (int i = 0; i < size; ++i) result.set(i, i);
  return result;
}

BitMatrix BitMatrix::permutation(std::span<const int> order) {
  const int size = static_cast<int>(order.size());
  BitMatrix result(size);
  for (int row = 0; row < size; ++row) {
    const int column = order[static_cast<std::size_t>(row)];
    if (column < 0 || column >= size || result.columns_[static_cast<std::size_t>(column)] != 0) {
      throw std::invalid_argument(fmt::format(
          "BitMatrix::permutation: entry {} at position {} is out of range or a repetition", column, row));
    }
    result.set(row, column);
  }
  return result;
}

BitMatrix BitMatrix::of_columns(std::vector<std::uint64_t> columns) {
  BitMatrix result(static_cast<int>(std::min<std::size_t>(columns.size(), 65)));
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if ((columns[j] & ~low_bits(result.size())) == 0) continue;
    throw std::invalid_argument(
        fmt::format("BitMatrix::of_columns: column {} has bits beyond row {}", j, result.size() - 1));
  }
  result.columns_ = std::move(columns);
  return result;
}

std::uint64_t BitMatrix::operator*(std::uint64_t x) const {
  std::uint64_t y = 0;
  for (; x != 0; x &= x - 1) y ^= columns_[static_cast<std::size_t>(std::countr_zero(x))];
  return y;
}

BitMatrix BitMatrix::operator*(const BitMatrix& other) const {
  BitMatrix result(size());
  for (std::size_t j = 0; j < columns_.size(); ++j) result.columns_[j] = *this * other.columns_[j];
  return result;
}

// This is Gauss-Jordan elimination on columns. The operations that turn the matrix into the identity turn the identity
// into the inverse.
std::optional<BitMatrix> BitMatrix::inverse() const {
  auto left = columns_;
  auto right = identity(size()).columns_;
  for (std::size_t row = 0; row < left.size(); ++row) {
    std::size_t pivot = row;
    while (pivot < left.size() && (left[pivot] & unit(row)) == 0) ++pivot;
    if (pivot == left.size()) return std::nullopt;
    std::swap(left[row], left[pivot]);
    std::swap(right[row], right[pivot]);
    for (std::size_t j = 0; j < left.size(); ++j) {
      if (j == row || (left[j] & unit(row)) == 0) continue;
      left[j] ^= left[row];
      right[j] ^= right[row];
    }
  }
  BitMatrix result(size());
  result.columns_ = std::move(right);
  return result;
}

// Only columns further left are added to a column, which leaves the rank of every leading block as it is.
std::vector<int> BitMatrix::leading_pivots() const {
  std::array<std::uint64_t, 64> with_pivot{};
  std::vector<int> pivots(columns_.size(), size());
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    for (auto column = columns_[j]; column != 0;) {
      const int row = std::countr_zero(column);
      auto& earlier = with_pivot[static_cast<std::size_t>(row)];
      if (earlier == 0) {
        earlier = column;
        pivots[j] = row;
        break;
      }
      column ^= earlier;
    }
  }
  return pivots;
}

int BitMatrix::rank() const {
  const auto pivots = leading_pivots();
  return size() - static_cast<int>(std::count(pivots.begin(), pivots.end(), size()));
}

SlicedMap::SlicedMap(const BitMatrix& matrix) {
  for (std::size_t slice = 0; slice < slices_.size(); ++slice) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const auto x = (std::uint64_t{byte} << (8 * slice)) & ((std::uint64_t{1} << matrix.size()) - 1);
      slices_[slice][byte] = static_cast<std::uint32_t>(matrix * x);
    }
  }
}

}  // namespace cubefold
