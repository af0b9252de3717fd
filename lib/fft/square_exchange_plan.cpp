#include "square_exchange_plan.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cubefold::fft {

namespace {

/// A matrix of `rows` by `columns` runs of `inner` points, whose rows are `pitch` points apart.
template <typename Point>
struct Matrix {
  Point* first;
  std::size_t pitch;
};

/// Returns the part of a matrix that begins at a row or at a column.
template <typename Point>
Matrix<Point> from_row(Matrix<Point> matrix, std::size_t row) {
  return {matrix.first + row * matrix.pitch, matrix.pitch};
}
template <typename Point>
Matrix<Point> from_column(Matrix<Point> matrix, std::size_t column, std::size_t inner) {
  return {matrix.first + column * inner, matrix.pitch};
}

template <typename Complex>
void copy_points(const Complex* from, std::size_t count, Complex* to) {
  if (count > 0) std::memcpy(static_cast<void*>(to), from, count * sizeof(Complex));
}

constexpr std::size_t side = 4;

/// Calls work(row, column) in squares of four by four, so that whole cache lines of both orders are used.
template <typename Work>
void by_squares(std::size_t rows, std::size_t columns, Work work) {
  for (std::size_t r = 0; r < rows; r += side) {
    for (std::size_t c = 0; c < columns; c += side) {
      for (std::size_t i = r; i < std::min(r + side, rows); ++i)
        for (std::size_t j = c; j < std::min(c + side, columns); ++j) work(i, j);
    }
  }
}

/// Copies run (c, r) of one matrix to run (r, c) of the other, for r < rows and c < columns.
template <typename Complex>
void copy_transposed(Matrix<const Complex> from, Matrix<Complex> to, std::size_t rows, std::size_t columns,
                     std::size_t inner) {
  if (inner == 1) {
    by_squares(rows, columns, [&](std::size_t r, std::size_t c) {
      to.first[r * to.pitch + c] = from.first[c * from.pitch + r];
    });
    return;
  }
  by_squares(rows, columns, [&](std::size_t r, std::size_t c) {
    copy_points(from.first + c * from.pitch + r * inner, inner, to.first + r * to.pitch + c * inner);
  });
}

/// Exchanges run (r, c) of one matrix with run (c, r) of the other.
template <typename Complex>
void swap_transposed(Matrix<Complex> one, Matrix<Complex> other, std::size_t rows, std::size_t columns,
                     std::size_t inner) {
  by_squares(rows, columns, [&](std::size_t r, std::size_t c) {
    Complex* const run = one.first + r * one.pitch + c * inner;
    std::swap_ranges(run, run + inner, other.first + c * other.pitch + r * inner);
  });
}

/// Calls transpose(from, to, rows, columns) for parts of a matrix and of its transpose, one for each thread.
template <typename From, typename To, typename Transpose>
void share_transpose(const std::shared_ptr<Workers>& workers, Matrix<From> from, Matrix<To> to,
                     std::size_t rows, std::size_t columns, std::size_t inner, Transpose transpose) {
  const bool by_rows = rows >= columns;
  share(workers, by_rows ? rows : columns, side, [&](std::size_t begin, std::size_t end) {
    if (by_rows) {
      transpose(from_column(from, begin, inner), from_row(to, begin), end - begin, columns);
    } else {
      transpose(from_row(from, begin), from_column(to, begin, inner), rows, end - begin);
    }
  });
}

/// Shares copy_transposed() among threads.
template <typename Complex>
void share_copy(const std::shared_ptr<Workers>& workers, Matrix<const Complex> from, Matrix<Complex> to,
                std::size_t rows, std::size_t columns, std::size_t inner) {
  share_transpose(workers, from, to, rows, columns, inner,
                  [&](auto read, auto written, std::size_t part_rows, std::size_t part_columns) {
                    copy_transposed(read, written, part_rows, part_columns, inner);
                  });
}

}  // namespace

template <typename Real>
SquareExchangePlan<Real>::SquareExchangePlan(SquareExchange exchange, bool in_place, Rigor rigor,
                                             std::shared_ptr<Workers> workers)
    : exchange_(std::move(exchange)),
      in_place_(in_place),
      row_(exchange_.side * exchange_.member_count * exchange_.inner),
      workers_(std::move(workers)),
      transform_(exchange_.transform, {exchange_.cut, values_of_thread()},
                 in_place || !exchange_.transforms_first, false, rigor, workers_) {}

/// Returns the values of a tile that a thread transforms: equal parts, or else all of them.
template <typename Real>
std::size_t SquareExchangePlan<Real>::values_of_thread() const {
  const std::size_t threads = thread_count(workers_);
  return exchange_.tile_values / (exchange_.tile_values % threads == 0 ? threads : 1);
}

template <typename Real>
auto SquareExchangePlan<Real>::block(Complex* array, std::size_t member) const -> Complex* {
  return array + member * exchange_.side * exchange_.inner;
}

template <typename Real>
auto SquareExchangePlan<Real>::block(const Complex* array, std::size_t member) const -> const Complex* {
  return array + member * exchange_.side * exchange_.inner;
}

template <typename Real>
void SquareExchangePlan<Real>::write(std::size_t number, const Complex* from, Complex* to,
                                     Complex* window) const {
  const Tile tile = exchange_.tile(number);
  if (exchange_.inner == 0) return;
  if (exchange_.transforms_first) {
    transform_.run(from, to, tile.first, tile.end);
    from = to;
  }
  for (std::size_t i = 1; i < exchange_.member_count; ++i) {
    const std::size_t other = (exchange_.member + i) % exchange_.member_count;
    write_block(tile, block(from, other), window + exchange_.block_place(exchange_.member, other));
  }
}

template <typename Real>
void SquareExchangePlan<Real>::take(std::size_t number, const Complex* from, Complex* to,
                                    const Complex* window) const {
  const Tile tile = exchange_.tile(number);
  if (exchange_.inner == 0) return;
  if (exchange_.transforms_first) from = to;
  transpose_own(tile, block(from, exchange_.member), block(to, exchange_.member));
  for (std::size_t i = 1; i < exchange_.member_count; ++i) {
    const std::size_t other = (exchange_.member + i) % exchange_.member_count;
    take_block(tile, window + exchange_.block_place(other, exchange_.member), block(to, other));
  }
  if (!exchange_.transforms_first) transform_.run(to, to, tile.first, tile.end);
}

/// Writes the runs (a, b) with a in the tile and b from its first value on, and then those with a behind the tile and b
/// in it.
template <typename Real>
void SquareExchangePlan<Real>::write_block(Tile tile, const Complex* block, Complex* window) const {
  const std::size_t inner = exchange_.inner;
  const std::size_t width = tile.end - tile.first;
  const std::size_t left = exchange_.side - tile.first;
  share(workers_, left, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      const bool is_behind = a >= width;
      const std::size_t place = is_behind ? width * left + (a - width) * width : a * left;
      copy_points(block + (tile.first + a) * row_ + tile.first * inner, (is_behind ? width : left) * inner,
                  window + place * inner);
    }
  });
}

/// The window has the points of the sender, whose run (b, a) becomes run (a, b).
template <typename Real>
void SquareExchangePlan<Real>::take_block(Tile tile, const Complex* window, Complex* block) const {
  const std::size_t inner = exchange_.inner;
  const std::size_t width = tile.end - tile.first;
  const std::size_t left = exchange_.side - tile.first;
  const std::size_t behind = exchange_.side - tile.end;
  Complex* const corner = block + tile.first * row_ + tile.first * inner;
  share_copy<Complex>(workers_, {window, left * inner}, {corner, row_}, left, width, inner);
  share_copy<Complex>(workers_, {window + width * left * inner, width * inner},
                      {corner + width * inner, row_}, width, behind, inner);
}

template <typename Real>
void SquareExchangePlan<Real>::transpose_own(Tile tile, const Complex* from, Complex* to) const {
  const std::size_t inner = exchange_.inner;
  const std::size_t width = tile.end - tile.first;
  const std::size_t behind = exchange_.side - tile.end;
  const std::size_t corner = tile.first * row_ + tile.first * inner;
  const std::size_t right = corner + width * inner;
  const std::size_t below = corner + width * row_;
  if (from != to) {
    share_copy<Complex>(workers_, {from + corner, row_}, {to + corner, row_}, width + behind, width, inner);
    share_copy<Complex>(workers_, {from + below, row_}, {to + right, row_}, width, behind, inner);
    return;
  }
  share(workers_, width, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t a = begin; a < end; ++a) {
      Complex* const diagonal = to + corner + a * row_ + a * inner;
      swap_transposed(Matrix<Complex>{diagonal + inner, row_}, Matrix<Complex>{diagonal + row_, row_}, 1,
                      width - a - 1, inner);
    }
  });
  share_transpose(workers_, Matrix<Complex>{to + below, row_}, Matrix<Complex>{to + right, row_}, width,
                  behind, inner, [&](auto lower, auto upper, std::size_t rows, std::size_t columns) {
                    swap_transposed(upper, lower, rows, columns, inner);
                  });
}

template class SquareExchangePlan<float>;
template class SquareExchangePlan<double>;

}  // namespace cubefold::fft
