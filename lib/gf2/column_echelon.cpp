#include "column_echelon.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <utility>

namespace cubefold {

ColumnEchelon::ColumnEchelon(const BitMatrix& a, std::uint64_t bits) {
  for (auto rest = bits; rest != 0; rest &= rest - 1) {
    const int j = std::countr_zero(rest);
    insert({a.column(j) & bits, std::uint64_t{1} << j});
  }
}

std::uint64_t ColumnEchelon::dependent_columns() const {
  const auto basis = null_basis();
  return std::accumulate(basis.begin(), basis.end(), std::uint64_t{0}, std::bit_or<>());
}

std::span<const std::uint64_t> ColumnEchelon::null_basis() const {
  return {null_.data(), static_cast<std::size_t>(null_count_)};
}

std::optional<std::uint64_t> ColumnEchelon::solve(std::uint64_t y) const {
  std::uint64_t x = 0;
  while (y != 0) {
    const Column& pivot = pivots_[static_cast<std::size_t>(std::countr_zero(y))];
    if (pivot.image == 0) return std::nullopt;
    y ^= pivot.image;
    x ^= pivot.sum;
  }
  return x;
}

void ColumnEchelon::remove(int bit) {
  remove_column(std::uint64_t{1} << bit);
  remove_row(std::uint64_t{1} << bit);
}

void ColumnEchelon::insert(Column column) {
  while (column.image != 0) {
    Column& pivot = pivots_[static_cast<std::size_t>(std::countr_zero(column.image))];
    if (pivot.image == 0) {
      pivot = column;
      return;
    }
    column.image ^= pivot.image;
    column.sum ^= pivot.sum;
  }
  null_[static_cast<std::size_t>(null_count_++)] = column.sum;
}

// One sum that contains the column is removed, after it has cleared the column from all other sums. A sum of the null
// basis is taken if there is one, because it changes no image. Otherwise the sum whose image has the largest pivot row
// is taken, because it does not change the lowest bit of any other image.
void ColumnEchelon::remove_column(std::uint64_t unit) {
  Column leaving{0, 0};
  const std::span null(null_.data(), static_cast<std::size_t>(null_count_));
  const auto spare = std::find_if(null.begin(), null.end(), [&](auto sum) { return (sum & unit) != 0; });
  if (spare != null.end()) {
    leaving.sum = std::exchange(*spare, null.back());
    --null_count_;
  } else {
    const auto last = std::find_if(pivots_.rbegin(), pivots_.rend(),
                                   [&](const Column& column) { return (column.sum & unit) != 0; });
    leaving = std::exchange(*last, {0, 0});
  }
  for (auto& sum : null) sum ^= (sum & unit) != 0 ? leaving.sum : 0;
  for (Column& column : pivots_) {
    if ((column.sum & unit) == 0) continue;
    column.image ^= leaving.image;
    column.sum ^= leaving.sum;
  }
}

void ColumnEchelon::remove_row(std::uint64_t unit) {
  Column uprooted = std::exchange(pivots_[static_cast<std::size_t>(std::countr_zero(unit))], {0, 0});
  for (Column& column : pivots_) column.image &= ~unit;
  if (uprooted.image == 0) return;
  uprooted.image &= ~unit;
  insert(uprooted);
}

}  // namespace cubefold
