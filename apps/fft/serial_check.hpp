#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/fft/transform.hpp"
#include "fft/problem.hpp"
#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// The transform that process 0 does alone with FFTW, in double precision, and for which it needs the memory. All calls
/// are collective; failures are std::runtime_error or std::bad_alloc's on all processes.
class SerialCheck {
 public:
  /// Takes the whole input to process 0, before the transform can write over it.
  SerialCheck(const Problem& problem, fft::Transform transform, const npy::NaturalOrder& order,
              const void* part);

  /// Relative L2 error of the distributed result.
  double error_of(const npy::NaturalOrder& order, const void* part) const;

 private:
  Problem problem_;
  std::vector<double> result_;  ///< on process 0: real numbers, or complex ones as pairs
};

/// The error that a correct transform of so many points may have: 4 eps sqrt(log2 n), eps that of the precision.
double error_limit(const Problem& problem);

}  // namespace cubefold::fft_program
