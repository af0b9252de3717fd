#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "fftw_rows.hpp"
#include "roots.hpp"
#include "strided_view.hpp"

namespace cubefold::fft {

/// A pass of one process over all of its points. It moves the points from the places of one view to those of another.
/// On the way it can transform one dimension in rows, which stay in the cache while they are multiplied by twiddles and
/// by a factor.
struct FusedStage {
  StridedView from;
  StridedView to;                  ///< has the same dimensions in the same order
  std::optional<std::size_t> row;  ///< dimension that is gathered into rows; without it points are only moved
  Kind kind = Kind::complex;
  Transform transform = Transform::forward;
  std::size_t length = 0;  ///< points of a transform; 0 if rows are not transformed

  /// The twiddle exponent is the frequency times the value of this dimension.
  std::optional<std::size_t> twiddled_with;
  std::vector<std::size_t> twiddle_values;  ///< values of that dimension, by place
  std::size_t twiddle_order = 0;
  double factor = 1;

  bool operator==(const FusedStage&) const = default;

  bool has_real_input() const { return kind == Kind::real && transform == Transform::forward; }
  bool has_real_output() const { return kind == Kind::real && transform == Transform::inverse; }
};

/// Returns whether the stage may run in place, because it writes the points that it reads at once back to the places
/// that they come from.
bool can_be_in_place(const FusedStage& stage);

/// Returns an estimate of the time that a stage takes of the memory, in reads and writes of its points. Costs are
/// higher if few points are neighbours in memory.
double memory_cost(const FusedStage& stage);

/// One side of a fused stage, cut into slices along a dimension: each value has the next `point_count` places.
struct Slices {
  std::size_t dimension;
  std::size_t count;        ///< number of values of the dimension
  std::size_t point_count;  ///< number of places of a value

  bool operator==(const Slices&) const = default;
};

/// Returns slices of every block of block_count places on the side that is read or written. Returns nothing if no
/// dimension has such slices.
std::optional<Slices> block_slices(const FusedStage& stage, std::size_t block_count, bool is_read);

/// Returns slices of the whole array that is read or written. Returns nothing if no dimension has such slices.
std::optional<Slices> array_slices(const FusedStage& stage, bool is_read);

/// A fused stage that is ready to run, with its FFTW plan, its twiddles and its scratch memory.
template <typename Real>
class FusedStagePlan {
 public:
  using Complex = std::complex<Real>;

  /// Plans with FFTW. Does not communicate. Throws std::bad_alloc.
  FusedStagePlan(FusedStage stage, Rigor rigor);

  const FusedStage& stage() const { return stage_; }

  /// Returns the number of values of a dimension that are processed together. Ranges that begin at a multiple of it are
  /// as fast as the whole.
  std::size_t granule(std::size_t dimension) const { return dimension == column_ ? chunk_ : 1; }

  /// Runs the whole stage. `from` and `to` may be the same if can_be_in_place().
  void run(const Complex* from, Complex* to) const;

  /// The values begin .. end - 1 of one dimension other than the row.
  struct Part {
    std::size_t dimension;
    std::size_t begin;
    std::size_t end;
  };
  void run(const Complex* from, Complex* to, const Part& part) const;

 private:
  /// The places where one loop over the columns begins.
  struct Place {
    std::size_t from;
    std::size_t to;
    std::size_t twiddle;  ///< value of dimension twiddled_with, unless that is the dimension of the columns
  };

  const Offsets& columns_from() const { return stage_.from.dimensions[column_]; }
  const Offsets& columns_to() const { return stage_.to.dimensions[column_]; }
  const Offsets& row_from() const { return stage_.from.dimensions[*stage_.row]; }
  const Offsets& row_to() const { return stage_.to.dimensions[*stage_.row]; }

  void choose_columns();
  void plan_rows(Rigor rigor);
  void go_over(std::size_t depth, Place place, const Complex* from, Complex* to, const Part& part) const;
  void columns(Place place, const Complex* from, Complex* to, std::size_t begin, std::size_t end) const;
  void transform_columns(Place place, const Complex* from, Complex* to, std::size_t begin,
                         std::size_t end) const;
  bool transform_in_place(Place place, const Complex* from, Complex* to, std::size_t begin,
                          std::size_t end) const;
  void transform_rows(Complex* rows, std::size_t count) const;
  void gather(const Complex* from, std::size_t place, Complex* rows, std::size_t begin,
              std::size_t end) const;
  void scatter(const Complex* rows, Complex* to, std::size_t place, std::size_t begin, std::size_t end) const;
  void multiply(Complex* rows, std::size_t distance, Place place, std::size_t begin, std::size_t end) const;

  FusedStage stage_;
  std::vector<std::size_t> order_;  ///< dimensions except the row, outermost first, columns last
  std::size_t column_ = 0;          ///< dimension whose values are processed together
  std::size_t chunk_ = 1;           ///< number of columns that are processed together
  bool in_rows_ = false;            ///< whether rows can be transformed in the array itself
  std::size_t group_ = 1;           ///< number of rows of one FFTW plan
  std::size_t distance_ = 0;        ///< distance between rows in scratch
  std::unique_ptr<const Roots<Real>> roots_;
  std::unique_ptr<const RowTransforms<Real>> rows_;
  AlignedArray<Complex> scratch_;
};

extern template class FusedStagePlan<float>;
extern template class FusedStagePlan<double>;

}  // namespace cubefold::fft
