#pragma once

#include <memory>
#include <string>

#include "fft/problem.hpp"
#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// Does the same transform of the same data by another library, on processes in the same order.
class Baseline {
 public:
  virtual ~Baseline() = default;

  /// Prepares the input again if the last run has overwritten it. All processes must call this.
  virtual void prepare() = 0;

  /// Runs the transform, which is timed. All processes must call this.
  virtual void run() = 0;

  /// Returns how this baseline differs from our transform. The text is empty if it does the same.
  virtual std::string departures() const = 0;

  /// Returns the relative L2 difference of our result from the result of a run in natural order. All processes must
  /// call this.
  virtual double difference_of(const npy::NaturalOrder& order, const void* part) = 0;
};

/// Returns FFTW MPI as a baseline that is planned and has the same input. It keeps no reference to `part`. If our
/// output is scrambled or transposed, the timed output of FFTW is too. Throws std::invalid_argument on all processes if
/// the program was built without FFTW MPI, or if FFTW MPI has no such transform. All processes must call this.
std::unique_ptr<Baseline> fftw_baseline(const Problem& problem, const Options& options,
                                        const npy::NaturalOrder& order, const void* part);

}  // namespace cubefold::fft_program
