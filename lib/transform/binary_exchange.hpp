#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/transform/layout.hpp"
#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

/// Says which of its points a rank sends to its neighbour in a stage.
enum class Exchanged : std::uint8_t {
  whole,  ///< all; each of the two ranks computes one result of each butterfly
  half,   ///< half; a rank bit and a local bit change places, and butterflies are local
};

/// Says in which distribution the labels of ranks are read with their bits reversed: bit 0 as bit n-1.
enum class RankLabels : std::uint8_t {
  /// In neither. Therefore a whole exchange begins with a message to the rank with the reversed label, the bit reversal
  /// of [Lcc] 6.2.
  natural,
  input_reversed,   ///< in the distribution of the input
  output_reversed,  ///< in the distribution of the output
};

/// Describes a binary exchange. The index of a point is j = (j_H P + j_P) L + j_L with j_H < high, j_P < P = rank_count
/// and j_L < low. In natural order the rank j_P has the point.
struct BinaryExchangeShape {
  std::size_t rank_count = 1;
  std::size_t high = 1;
  std::size_t low = 1;
  Exchanged exchanged = Exchanged::whole;
  RankLabels labels = RankLabels::natural;

  bool operator==(const BinaryExchangeShape&) const = default;
};

/// A transform of m = H P L points over P = 2^n ranks as a CC-cube algorithm of n stages. This value says what each
/// stage exchanges and computes. With k = k_H + H (k_P + P k_L) and w = exp(-+ 2 pi i / m), w^(jk) is the product of
///
///     w_H^(j_H k_H)               transforms of H points, local
///     w_HP^(j_P k_H)              a twiddle
///     w_P^(j_P k_P)               n stages: stage t makes bit t of k_P out of bit n-1-t of j_P
///     w_m^(j_L (k_H + H k_P))     a twiddle
///     w_L^(j_L k_L)               transforms of L points, local
///
/// |       | stages send     | input: rank is | output: rank is | from and to                                     |
/// |-------|-----------------|----------------|-----------------|-------------------------------------------------|
/// | whole | n m/P points    | j / L mod P    | k / H mod P     | H = 1: block to cyclic; L = 1: cyclic to block; |
/// |       |                 |                |                 | H = L: block-cyclic to the same                 |
/// | half  | n m/(2P) points | j / L mod P    | k mod P         | L = 1: cyclic to cyclic; block-cyclic to cyclic |
///
/// The table holds for natural labels; otherwise the labels of the input or of the output are reversed in it. A half
/// exchange replaces a bit of j on the ranks by a bit of k that is already computed, so the ranks need bits of k_H.
/// Therefore P has to divide H if labels are natural; from cyclic to cyclic this means P^2 | m. If labels are reversed
/// on one side, H = 2, 4, 8, ... are also possible. Sources: [Lcc] section 6.2 (whole, block-cyclic). The half exchange
/// is the complete exchange of [Calmant] 5.1 with a butterfly between its stages.
///
/// The points of a rank are a matrix with the index row * column_count() + column, where column = rest * L + j_L.
class CUBEFOLD_API BinaryExchange {
 public:
  /// Throws std::invalid_argument unless P = 2^n, H and L are positive, and a half exchange fits as described above.
  explicit BinaryExchange(const BinaryExchangeShape& shape);

  const BinaryExchangeShape& shape() const { return shape_; }
  std::size_t point_count() const { return local_count() * shape_.rank_count; }  ///< m
  std::size_t local_count() const { return shape_.high * shape_.low; }           ///< m / P, of every rank
  int stage_count() const { return stage_count_; }                               ///< n

  /// These return the layouts of points. Rows j_H of the input and k_L of the output are slowest in memory. With
  /// natural labels there is one process axis of P members. Otherwise there are n process axes of 2 members, and bit i
  /// of the rank is the coordinate on axis i.
  Layout input() const;
  Layout output() const;
  Layout::Members members_of(Rank rank) const;  ///< coordinates of the rank in both layouts

  /// Returns whether every rank sends all its points to the rank with the reversed label before the first stage.
  bool has_bit_reversal() const;
  Rank bit_reversed(Rank rank) const;

  int dimension_of(int stage) const;  ///< dimension of the cube in which the stage exchanges

  /// Returns the exponent of the twiddle of a stage: the low n-1-stage bits of j_P, which the stages have not replaced
  /// yet and which the rank's label holds. The stage computes x_0 + x_1 and x_0 - x_1, and multiplies the latter, the
  /// results with bit 1 of k_P, by this power of w_{2^(n-stage)}. The exponent is below 2^(n-1-stage).
  std::size_t twiddle_exponent(int stage, Rank rank) const;

  /// Returns 1 for a whole exchange, and min(P, H) for a half exchange.
  std::size_t row_count() const { return row_count_; }
  std::size_t column_count() const { return local_count() / row_count_; }

  /// Returns a bit of row numbers, for a half exchange. In the stage, the rank sends the rows in which this bit differs
  /// from bit dimension_of(stage) of its own label; the rows that arrive take their places.
  int row_bit_of(int stage) const;

  /// Returns the part of the frequency k_H that the row gives. Before the stages, column (rest, j_L) of the row has k_H
  /// = high_of_row(row) + row_count() * rest.
  std::size_t high_of_row(std::size_t row) const;

  /// These return labels of the rank: j_P before the stages, and after them k_P (whole) or k mod P (half).
  std::size_t input_label(Rank rank) const;
  std::size_t output_label(Rank rank) const;

  /// Returns the values k mod HP of the rank's points after the stages: value i belongs to the points i L .. i L + L -
  /// 1.
  ValueRun heads(Rank rank) const;

 private:
  std::size_t reversed(std::size_t label) const;
  bool stages_ascend() const;

  BinaryExchangeShape shape_;
  int stage_count_;
  std::size_t row_count_;
};

/// Returns the binary exchange of m = point_count points from one distribution to another, as the table of
/// BinaryExchange has them. The members high and low of `kind` have no effect. Returns nothing if there is none between
/// these distributions, or if it does not fit the number of points or of ranks.
CUBEFOLD_API std::optional<BinaryExchange> binary_exchange_between(Distribution input, Distribution output,
                                                                   std::size_t point_count,
                                                                   const BinaryExchangeShape& kind);

/// Returns a line for people with the kind of exchange, the labels, H, P and L.
CUBEFOLD_API std::string describe(const BinaryExchange& exchange);

}  // namespace cubefold::fft
