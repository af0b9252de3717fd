#pragma once

#include <complex>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

#include "fftw_rows.hpp"
#include "transform/array_transform.hpp"
#include "workers.hpp"

namespace cubefold::fft {

/// An ArrayTransform that is ready to run. One dimension that is not transformed is cut into ranges of `step` values,
/// and FFTW has a plan for such a range and one for a last, shorter one. Threads take whole ranges.
template <typename Real>
class ArrayTransformPlan {
 public:
  using Complex = std::complex<Real>;

  /// The values of a dimension that is not transformed, `step` at a time.
  struct Cut {
    std::size_t dimension;
    std::size_t step;
  };

  /// Plans with FFTW on scratch memory. `keeps_input` says whether FFTW has to take care that what is read stays as it
  /// is, which only inverse transforms of real numbers need. Runs with the threads of `workers`, or with the calling
  /// thread alone if it is null. Does not communicate. Throws std::bad_alloc.
  ArrayTransformPlan(ArrayTransform transform, Cut cut, bool in_place, bool keeps_input, Rigor rigor,
                     std::shared_ptr<Workers> workers = nullptr);

  /// Cuts the transform where this saves scratch memory, and into a range for each thread at least.
  ArrayTransformPlan(const ArrayTransform& transform, bool in_place, bool keeps_input, Rigor rigor,
                     std::shared_ptr<Workers> workers = nullptr);

  ArrayTransformPlan(const ArrayTransformPlan&) = delete;
  ArrayTransformPlan& operator=(const ArrayTransformPlan&) = delete;
  ~ArrayTransformPlan();

  /// Returns whether this is the plan that the second constructor would make.
  bool is(const ArrayTransform& transform, bool in_place, bool keeps_input) const {
    return transform == transform_ && in_place == in_place_ && keeps_input == keeps_input_;
  }

  /// Runs the whole transform. The arrays are the same if it is in place.
  void run(const Complex* from, Complex* to) const;

  /// Runs the transform for the values begin .. end - 1 of the dimension of the cut. `begin` is a multiple of the step.
  void run(const Complex* from, Complex* to, std::size_t begin, std::size_t end) const;

 private:
  /// The first numbers of what a run of FFTW reads and writes.
  struct Ends {
    Real* from;
    Real* to;
  };

  void* planned(std::size_t width, bool unaligned) const;
  Ends ends_of(const Complex* from, Complex* to, std::size_t begin) const;
  void run_range(const Complex* from, Complex* to, std::size_t begin, std::size_t width,
                 bool unaligned) const;
  void scale(Complex* to, std::size_t begin, std::size_t width) const;

  ArrayTransform transform_;
  Cut cut_;
  bool in_place_;
  bool keeps_input_;
  Rigor rigor_;
  std::vector<std::size_t> order_;  ///< dimensions of the output, the largest distances first
  bool is_unaligned_ = false;       ///< whether the plans take any alignment

  /// If this is true, ranges are copied to the output and transformed there, in a cache. FFTW's plans between two
  /// arrays take longer.
  bool copies_first_ = false;

  std::shared_ptr<Workers> workers_;                ///< null if the calling thread computes alone
  std::map<std::size_t, void*> plans_;              ///< by the number of values
  mutable std::map<std::size_t, void*> unaligned_;  ///< for arrays that have not the alignment of the plans
};

extern template class ArrayTransformPlan<float>;
extern template class ArrayTransformPlan<double>;

}  // namespace cubefold::fft
