#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/transform/layout.hpp"
#include "cubefold/transform/transform.hpp"

namespace cubefold::fft {

/// The part of its points that a rank sends to its neighbour in a stage.
enum class Exchanged : std::uint8_t {
  whole,  ///< all: both compute, each one result of a butterfly
  half,   ///< half of them: a rank bit and a local one change places, and butterflies are local
};

/// The distribution, if any, in which labels of ranks are read backwards, bit 0 as bit n-1.
enum class RankLabels : std::uint8_t {
  natural,  ///< nowhere; the whole exchange begins with a message for it, the bit reversal of [Lcc] 6.2
  input_reversed,   ///< in the input's distribution
  output_reversed,  ///< in the output's
};

/// A point's index is j = (j_H P + j_P) L + j_L with j_H < high, j_P < P = rank_count, j_L < low; j_P says which rank
/// has it.
struct BinaryExchangeShape {
  std::size_t rank_count = 1;
  std::size_t high = 1;
  std::size_t low = 1;
  Exchanged exchanged = Exchanged::whole;
  RankLabels labels = RankLabels::natural;

  bool operator==(const BinaryExchangeShape&) const = default;
};

/// A transform of m = H P L points over P = 2^n ranks as a CC-cube algorithm of n stages: what each of them exchanges
/// and computes, as a value. With k = k_H + H (k_P + P k_L) and w = exp(-+ 2 pi i / m), w^(jk) is the product of
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
/// where labels are natural or else the same with them reversed. A half exchange puts what is a bit of k already in the
/// place of a bit of j on the ranks, so bits of k_H have to be there: P divides H for natural labels, which is P^2 | m
/// from cyclic to cyclic; with labels reversed on one side H = 2, 4, 8, ... will do too. Sources: [Lcc] section 6.2
/// (whole, block-cyclic); the half exchange is the complete exchange of [Calmant] 5.1 with a butterfly between its
/// stages.
///
/// A rank's points are rows of columns, index row * column_count() + column; column = rest * L + j_L.
class CUBEFOLD_API BinaryExchange {
 public:
  /// Throws std::invalid_argument unless P = 2^n, H and L are positive, and a half exchange has its bits.
  explicit BinaryExchange(const BinaryExchangeShape& shape);

  const BinaryExchangeShape& shape() const { return shape_; }
  std::size_t point_count() const { return local_count() * shape_.rank_count; }  ///< m
  std::size_t local_count() const { return shape_.high * shape_.low; }           ///< m / P, of every rank
  int stage_count() const { return stage_count_; }                               ///< n

  /// These return the layouts of points, in which rows j_H of the input and k_L of the output are slowest. With natural
  /// labels there is one process axis of P members; else there are n of 2, and rank bit i is the coordinate on axis i.
  Layout input() const;
  Layout output() const;
  Layout::Members members_of(Rank rank) const;  ///< the rank's coordinates, in both

  /// Says whether a message of all local points goes to the rank whose label is the reversed one, ahead of all stages.
  bool has_bit_reversal() const;
  Rank bit_reversed(Rank rank) const;

  int dimension_of(int stage) const;  ///< of the cube, in which the stage exchanges

  /// Returns the exponent of w_{2^(n-stage)}, by which the stage multiplies results with bit 1 of k_P after x_0 + x_1
  /// and x_0 - x_1: those bits of j_P that are left, which are on the rank. It is below 2^(n-1-stage).
  std::size_t twiddle_exponent(int stage, Rank rank) const;

  /// 1 for a whole exchange, else P, or H if that is less.
  std::size_t row_count() const { return row_count_; }
  std::size_t column_count() const { return local_count() / row_count_; }

  /// Half: the rank sends in the stage the rows whose label has this bit unlike its own bit dimension_of(stage), and
  /// what comes takes their place.
  int row_bit_of(int stage) const;

  /// Before the stages: j_H-frequency k_H of column (rest, j_L) of a row is high_of_row(row) + row_count() rest.
  std::size_t high_of_row(std::size_t row) const;

  /// j_P of the rank before the stages, and k_P (whole) or k mod P (half) after them.
  std::size_t input_label(Rank rank) const;
  std::size_t output_label(Rank rank) const;

  /// After the stages: k mod HP of the points at index .. index + L - 1, index a multiple of L, is
  /// first + (index / L) step.
  struct Heads {
    std::size_t first;
    std::size_t step;
  };
  Heads heads(Rank rank) const;

 private:
  std::size_t reversed(std::size_t label) const;
  bool stages_ascend() const;

  BinaryExchangeShape shape_;
  int stage_count_;
  std::size_t row_count_;
};

/// Returns the binary exchange of m = point_count points that takes one distribution and gives another, as the table
/// above has them; H and L of the kind do not matter. Returns nothing where there is none, or the number of points or
/// of ranks does not fit.
CUBEFOLD_API std::optional<BinaryExchange> binary_exchange_between(Distribution input, Distribution output,
                                                                   std::size_t point_count,
                                                                   const BinaryExchangeShape& kind);

/// Says in a line, for people, what is exchanged, which way labels are read, H, P and L.
CUBEFOLD_API std::string describe(const BinaryExchange& exchange);

}  // namespace cubefold::fft
