#pragma once

#include <algorithm>
#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "binary_exchange.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/schedule/stage_packet.hpp"
#include "cubefold/transform/transform.hpp"
#include "roots.hpp"

namespace cubefold::fft {

/// The computations of one rank in a binary exchange between its local transforms, on an array of rows and columns, for
/// any range of columns alone. So packets that are ranges of columns may be under way in as many stages as there are.
/// Every value is computed alone, and the same bit by bit however columns are cut.
template <typename Real>
class Butterflies {
 public:
  using Complex = std::complex<Real>;

  /// Results are multiplied by `scale`.
  Butterflies(const BinaryExchange& exchange, Rank rank, Transform transform, long double scale);

  /// Returns how many values a message of so many columns has.
  std::size_t sent_count(std::size_t column_count) const { return sent_rows_ * column_count; }

  /// Multiplies the results of the transforms of H points, at j_L * H + k_H, by the first twiddle and puts them where
  /// the stages have them.
  void begin(const Complex* results, Complex* array, ItemRange columns) const;

  /// send() writes what the rank sends in a stage; receive() makes butterflies of its points and of those that have
  /// come.
  void send(std::size_t stage, const Complex* array, ItemRange columns, std::span<Complex> message) const;
  void receive(std::size_t stage, std::span<const Complex> arrived, Complex* array, ItemRange columns) const;

  /// Multiplies the result of the stages by the second twiddle, to the same places of another array.
  void end(const Complex* array, Complex* points, ItemRange columns) const;

 private:
  /// One stage as this rank does it.
  struct Stage {
    std::size_t row_bit;  ///< half: rows that differ in it are the two halves of butterflies
    bool upper;           ///< the rank's own bit in the dimension
    Complex twiddle;      ///< of results with bit 1
  };

  void receive_whole(const Stage& stage, std::span<const Complex> arrived, Complex* own) const;
  void receive_half(const Stage& stage, std::span<const Complex> arrived, Complex* array,
                    ItemRange columns) const;

  BinaryExchange exchange_;
  std::size_t column_count_;
  std::size_t sent_rows_;
  std::size_t input_label_;
  BinaryExchange::Heads heads_;
  Roots<Real> of_first_;   ///< of H P
  Roots<Real> of_second_;  ///< of m
  std::vector<Stage> stages_;
};

extern template class Butterflies<float>;
extern template class Butterflies<double>;

/// Returns the function that mpi::CcCubeOptions::step_of asks for: the steps of the iterations of a binary exchange in
/// packets, each by the TaskSchedule of its dimensions.
std::function<std::size_t(std::size_t iteration, Rank rank, int dimension)> steps_of_iterations(
    const BinaryExchange& exchange, std::size_t packet_count, const Placement& placement,
    const NetworkRules& rules);

/// Transposes: to[column * row_count + row] = from[row * column_count + column], in squares that the cache holds. The
/// arrays do not overlap.
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
