#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "fftw_rows.hpp"
#include "shared_scratch.hpp"
#include "transform/fused_stage.hpp"
#include "transform/roots.hpp"
#include "transform/strided_view.hpp"
#include "workers.hpp"

namespace cubefold::fft {

/// A fused stage that is ready to run, with its FFTW plan and its twiddles.
template <typename Real>
class FusedStagePlan {
 public:
  using Complex = std::complex<Real>;

  /// Plans with FFTW. Runs with the threads of `workers`, or with the calling thread alone if it is null, in scratch
  /// memory that it makes large enough. Does not communicate. Throws std::bad_alloc.
  FusedStagePlan(FusedStage stage, Rigor rigor, std::shared_ptr<Workers> workers = nullptr,
                 std::shared_ptr<SharedScratch> scratch = std::make_shared<SharedScratch>());

  const FusedStage& stage() const { return stage_; }

  /// Returns the number of values of a dimension that are processed together. Ranges that begin at a multiple of it are
  /// as fast as the whole.
  std::size_t granule(std::size_t dimension) const { return dimension == column_ ? chunk_ : 1; }

  /// Runs the whole stage. `from` and `to` may be the same if can_be_in_place().
  void run(const Complex* from, Complex* to) const;

  /// The values begin .. end - 1 of one dimension other than the row.
  struct ValueRange {
    std::size_t dimension;
    std::size_t begin;
    std::size_t end;
  };
  void run(const Complex* from, Complex* to, const ValueRange& range) const;

 private:
  /// The part of one thread in a run of the stage.
  struct Part {
    const Complex* from;
    Complex* to;
    ValueRange range;  ///< of the run
    ValueRange share;  ///< of the thread
    Complex* scratch;  ///< of the thread
  };

  /// The places where one loop over the columns begins.
  struct LoopStart {
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
  ValueRange shared_range(const ValueRange& range) const;
  std::size_t share_granule(std::size_t dimension) const { return dimension == column_ ? group_ : 1; }
  void go_over(std::size_t depth, LoopStart start, const Part& part) const;
  void columns(LoopStart start, const Part& part, std::size_t begin, std::size_t end) const;
  void transform_columns(LoopStart start, const Part& part, std::size_t begin, std::size_t end) const;
  bool transform_in_place(LoopStart start, const Part& part, std::size_t begin, std::size_t end) const;
  void transform_rows(Complex* rows, std::size_t count) const;
  void gather(const Complex* from, std::size_t start, Complex* rows, std::size_t begin,
              std::size_t end) const;
  void scatter(const Complex* rows, Complex* to, std::size_t start, std::size_t begin, std::size_t end) const;
  void multiply(Complex* rows, std::size_t distance, LoopStart start, std::size_t begin,
                std::size_t end) const;

  FusedStage stage_;
  std::vector<std::size_t> order_;  ///< dimensions except the row, outermost first, columns last
  std::size_t column_ = 0;          ///< dimension whose values are processed together
  std::size_t chunk_ = 1;           ///< number of columns that are processed together
  bool in_rows_ = false;            ///< whether rows can be transformed in the array itself
  std::size_t group_ = 1;           ///< number of rows of one FFTW plan
  std::size_t distance_ = 0;        ///< distance between rows in scratch
  std::unique_ptr<const Roots<Real>> roots_;
  std::unique_ptr<const RowTransforms<Real>> rows_;
  std::shared_ptr<Workers> workers_;
  std::shared_ptr<SharedScratch> scratch_;  ///< for chunk_ rows for each thread
};

extern template class FusedStagePlan<float>;
extern template class FusedStagePlan<double>;

}  // namespace cubefold::fft
