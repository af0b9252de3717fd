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
#include "cubefold/transform/plan_options.hpp"
#include "roots.hpp"

namespace cubefold::fft {

/// The computations of one rank in a binary exchange, between its local transforms. They work on an array of rows and
/// columns. Each call takes a range of columns, so packets that are ranges of columns may be in different stages at the
/// same time. Every value is computed separately, so results are the same bit by bit however columns are divided into
/// packets.
template <typename Real>
class Butterflies {
 public:
  using Complex = std::complex<Real>;

  /// Multiplies all results by `scale`.
  Butterflies(const BinaryExchange& exchange, Rank rank, Transform transform, long double scale);

  /// Returns the number of values in a message of column_count columns.
  std::size_t sent_count(std::size_t column_count) const { return sent_rows_ * column_count; }

  /// Multiplies the results of the transforms of H points, which are at j_L * H + k_H, by the first twiddle, and writes
  /// them to the places that the stages expect.
  void begin(const Complex* results, Complex* array, ItemRange columns) const;

  /// send() writes the values that the rank sends in a stage. receive() computes the butterflies of the rank's own
  /// values and the values that have arrived.
  void send(std::size_t stage, const Complex* array, ItemRange columns, std::span<Complex> message) const;
  void receive(std::size_t stage, std::span<const Complex> arrived, Complex* array, ItemRange columns) const;

  /// Multiplies the results of the stages by the second twiddle, and writes them to the same places of another array.
  void end(const Complex* array, Complex* points, ItemRange columns) const;

 private:
  /// One stage on this rank.
  struct Stage {
    std::size_t row_bit;  ///< for half exchanges: two rows that differ only in this bit form butterflies
    bool upper;           ///< bit of the rank's label in the dimension of the stage
    Complex twiddle;      ///< factor of the differences
  };

  void receive_whole(const Stage& stage, std::span<const Complex> arrived, Complex* own) const;
  void receive_half(const Stage& stage, std::span<const Complex> arrived, Complex* array,
                    ItemRange columns) const;

  BinaryExchange exchange_;
  std::size_t column_count_;
  std::size_t sent_rows_;
  std::size_t input_label_;
  ValueRun heads_;
  Roots<Real> of_first_;   ///< roots of unity of order H P, for the first twiddle
  Roots<Real> of_second_;  ///< roots of unity of order m, for the second twiddle
  std::vector<Stage> stages_;
};

extern template class Butterflies<float>;
extern template class Butterflies<double>;

/// Returns a function for mpi::CcCubeOptions::step_of. It orders the messages of each iteration of a binary exchange in
/// packets by the TaskSchedule of the iteration's task.
std::function<std::size_t(std::size_t iteration, Rank rank, int dimension)> steps_of_iterations(
    const BinaryExchange& exchange, std::size_t packet_count, const Placement& placement,
    const NetworkRules& rules);

/// Transposes a matrix: to[column * row_count + row] = from[row * column_count + column]. Works in squares that fit
/// into the cache. The arrays must not overlap.
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
