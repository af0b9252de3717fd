#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "fftw_rows.hpp"
#include "roots.hpp"
#include "view.hpp"

namespace cubefold::fft {

/// A digit as a pass goes over it: where its values lie in the array that is read and in the one that is written.
struct PassDigit {
  Offsets from;
  Offsets to;
};

/// What a pass over all points of a process does: it brings them from the places of one view to those of another, and on the
/// way transforms one digit, if any, in rows that stay in the cache while they are twiddled and scaled.
struct PassShape {
  std::size_t from_base = 0;
  std::size_t to_base = 0;
  std::vector<PassDigit> digits;  ///< slowest first; without the transformed one
  std::optional<PassDigit> row;   ///< the transformed digit
  RowKind kind = RowKind::complex;
  std::size_t length = 0;  ///< points of a transform
  Transform transform = Transform::forward;
  std::optional<std::size_t> twiddled_with;  ///< one of `digits`
  std::vector<std::size_t> twiddle_values;   ///< of its places
  std::size_t twiddle_order = 0;
  double factor = 1;
};

/// Whether every column of points that is read together lies where it is written.
bool can_be_in_place(const PassShape& shape);

/// An estimate of how much a pass takes of the memory, in reads and writes of its points; pieces in a row that are short
/// cost more.
double memory_cost(const PassShape& shape);

/// Which values of one digit a pass goes over.
struct PassPart {
  std::size_t digit;
  std::size_t begin;
  std::size_t end;
};

/// The digit that counts parts of a block, one behind the other, on the side of a pass that is read or written. Nothing
/// where no digit does.
struct BlockParts {
  std::size_t digit;
  std::size_t part_count;  ///< places of a part in a block
};
std::optional<BlockParts> block_parts(const PassShape& shape, std::size_t block_count, bool is_read);

/// The digit that is outermost on the side of a pass that is read or written: between two of its values nothing else lies.
struct Slabs {
  std::size_t digit;
  std::size_t base;   ///< place of the first
  std::size_t count;  ///< of values
  std::size_t point_count;
  bool operator==(const Slabs&) const = default;
};
std::optional<Slabs> slabs_of(const PassShape& shape, bool is_read);

template <typename Real>
class Pass {
 public:
  using Complex = std::complex<Real>;

  Pass(PassShape shape, Rigor rigor);

  const PassShape& shape() const { return shape_; }

  /// Parts that begin with multiples of it, of the digit's values, are made as fast as all at once.
  std::size_t granule(std::size_t digit) const { return digit == column_ ? chunk_ : 1; }

  /// `from` and `to` may be the same if can_be_in_place().
  void run(const Complex* from, Complex* to) const;
  void run(const Complex* from, Complex* to, const PassPart& part) const;

 private:
  /// Where one round over the innermost digits begins.
  struct Place {
    std::size_t from;
    std::size_t to;
    std::size_t twiddle;  ///< value, unless the columns' digit has it
  };

  void choose_columns();
  void plan_rows(Rigor rigor);
  void go_over(std::size_t depth, Place place, const Complex* from, Complex* to, const PassPart& part) const;
  void columns(Place place, const Complex* from, Complex* to, std::size_t begin, std::size_t end) const;
  void copy_columns(Place place, const Complex* from, Complex* to, std::size_t begin, std::size_t end) const;
  void transform_columns(Place place, const Complex* from, Complex* to, std::size_t begin,
                         std::size_t end) const;
  void transform_rows(Complex* rows, std::size_t count) const;
  bool transform_in_place(Place place, const Complex* from, Complex* to, std::size_t begin,
                          std::size_t end) const;
  void gather(const Complex* from, Complex* rows, std::size_t begin, std::size_t end) const;
  void scatter(const Complex* rows, Complex* to, std::size_t begin, std::size_t end) const;
  void twiddle(Complex* rows, std::size_t distance, Place place, std::size_t begin, std::size_t end) const;

  PassShape shape_;
  std::vector<std::size_t> order_;  ///< digits, outermost first; the columns last
  std::size_t column_ = 0;
  std::size_t chunk_ = 1;     ///< columns together
  bool in_rows_ = false;      ///< no scratch is needed in place
  std::size_t group_ = 1;     ///< columns of one transform
  std::size_t distance_ = 0;  ///< between rows in scratch
  std::shared_ptr<const Roots<Real>> roots_;
  std::shared_ptr<const RowTransforms<Real>> rows_;
  mutable AlignedArray<Complex> scratch_;
};

extern template class Pass<float>;
extern template class Pass<double>;

}  // namespace cubefold::fft
