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

template <typename Complex>
void copy_points(const Complex* from, std::size_t count, Complex* to) {
  if (count > 0) std::memcpy(static_cast<void*>(to), from, count * sizeof(Complex));
}

/// Calls work(row, column) in squares of four by four, so that whole cache lines of both orders are used.
template <typename Work>
void by_squares(std::size_t rows, std::size_t columns, Work work) {
  constexpr std::size_t side = 4;
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

}  // namespace

template <typename Real>
SquareExchangePlan<Real>::SquareExchangePlan(SquareExchange exchange, bool in_place, Rigor rigor)
    : exchange_(std::move(exchange)),
      in_place_(in_place),
      row_(exchange_.side * exchange_.member_count * exchange_.inner),
      transform_(exchange_.transform, {exchange_.cut, exchange_.tile_values},
                 in_place || !exchange_.transforms_first, false, rigor) {}

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
  for (std::size_t a = tile.first; a < exchange_.side; ++a) {
    const std::size_t count = ((a < tile.end ? exchange_.side : tile.end) - tile.first) * inner;
    copy_points(block + a * row_ + tile.first * inner, count, window);
    window += count;
  }
}

/// The window has the points of the sender, whose run (b, a) becomes run (a, b).
template <typename Real>
void SquareExchangePlan<Real>::take_block(Tile tile, const Complex* window, Complex* block) const {
  const std::size_t inner = exchange_.inner;
  const std::size_t width = tile.end - tile.first;
  const std::size_t left = exchange_.side - tile.first;
  const std::size_t behind = exchange_.side - tile.end;
  const Matrix<const Complex> rows{window, left * inner};
  const Matrix<const Complex> columns{window + width * left * inner, width * inner};
  Complex* const corner = block + tile.first * row_ + tile.first * inner;
  copy_transposed(rows, Matrix<Complex>{corner, row_}, left, width, inner);
  copy_transposed(columns, Matrix<Complex>{corner + width * inner, row_}, width, behind, inner);
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
    copy_transposed(Matrix<const Complex>{from + corner, row_}, Matrix<Complex>{to + corner, row_},
                    width + behind, width, inner);
    copy_transposed(Matrix<const Complex>{from + below, row_}, Matrix<Complex>{to + right, row_}, width,
                    behind, inner);
    return;
  }
  for (std::size_t a = 0; a < width; ++a) {
    Complex* const diagonal = to + corner + a * row_ + a * inner;
    swap_transposed(Matrix<Complex>{diagonal + inner, row_}, Matrix<Complex>{diagonal + row_, row_}, 1,
                    width - a - 1, inner);
  }
  swap_transposed(Matrix<Complex>{to + right, row_}, Matrix<Complex>{to + below, row_}, width, behind, inner);
}

template class SquareExchangePlan<float>;
template class SquareExchangePlan<double>;

}  // namespace cubefold::fft
