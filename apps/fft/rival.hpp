#pragma once

#include <memory>
#include <string>

#include "fft/problem.hpp"
#include "npy/natural_order.hpp"

namespace cubefold::fft_program {

/// Another library that does the same transform of the same data, on processes in the same order.
class Rival {
 public:
  virtual ~Rival() = default;

  /// Collective: makes the input ready, where the last run has spoilt it.
  virtual void prepare() = 0;

  /// Collective: the transform, which is timed.
  virtual void run() = 0;

  /// What it does otherwise than we do; empty if nothing.
  virtual std::string departures() const = 0;

  /// Collective: relative L2 difference of our result from that of a run in natural order.
  virtual double difference_of(const npy::NaturalOrder& order, const void* part) = 0;
};

/// Collective: FFTW MPI, planned, with the same input; it keeps nothing of `part`. Where ours is scrambled or
/// transposed, so is what is timed. Throws std::invalid_argument on all processes alike where the program was built
/// without it or it has no such transform.
std::unique_ptr<Rival> fftw_rival(const Problem& problem, const Options& options,
                                  const npy::NaturalOrder& order, const void* part);

}  // namespace cubefold::fft_program
