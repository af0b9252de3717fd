#pragma once

#include <algorithm>
#include <cstddef>

namespace cubefold::fft {

/// to[column * row_count + row] = from[row * column_count + column], in squares that the cache holds. The arrays do not
/// overlap.
template <typename Value>
void transpose(const Value* from, std::size_t row_count, std::size_t column_count, Value* to) {
  constexpr std::size_t side = 16;
  for (std::size_t first_row = 0; first_row < row_count; first_row += side) {
    const std::size_t rows_end = std::min(first_row + side, row_count);
    for (std::size_t first_column = 0; first_column < column_count; first_column += side) {
      const std::size_t columns_end = std::min(first_column + side, column_count);
      for (std::size_t column = first_column; column < columns_end; ++column) {
        for (std::size_t row = first_row; row < rows_end; ++row)
          to[column * row_count + row] = from[row * column_count + column];
      }
    }
  }
}

}  // namespace cubefold::fft
