#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/transform/plan_options.hpp"
#include "fft/problem.hpp"
#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// Checks a result by a transform that process 0 computes alone with FFTW in double precision. Process 0 needs the
/// memory for all points. All processes must call each function. Throws std::runtime_error or std::bad_alloc on all
/// processes if it fails.
class SerialCheck {
 public:
  /// Copies the whole input to process 0, before the transform can overwrite it.
  SerialCheck(const Problem& problem, const fft::PlanOptions& options, const npy::NaturalOrder& order,
              const void* part);

  /// Returns the relative L2 error of the distributed result.
  double error_of(const npy::NaturalOrder& order, const void* part) const;

 private:
  Problem problem_;
  std::vector<double> result_;  ///< on process 0: real numbers, or complex numbers as pairs
};

/// Returns the relative error that a correct transform may have: 4 eps sqrt(log2 n) for n points, where eps is that of
/// the precision.
double error_limit(const Problem& problem);

}  // namespace cubefold::fft_program
