#pragma once

#include <complex>
#include <cstddef>
#include <optional>

#include "fft/options.hpp"
#include "npy/header.hpp"

namespace cubefold::fft_program {

/// Computes the built-in input as a function of the point, so that it is the same for every distribution.
class TestSignal {
 public:
  /// Makes a signal for the points of the shape. If `half_of` is given, the points are the half of the spectrum of real
  /// numbers whose last dimension has this length, and the spectrum has the symmetry of such a spectrum.
  TestSignal(Signal signal, npy::Shape shape, std::optional<std::size_t> half_of);

  /// Returns the value at a point. Random values have real and imaginary parts in [-0.5, 0.5). Tones are real: cosines
  /// of amplitude 1, 1/2 and 1/3 over all dimensions.
  std::complex<double> at(std::size_t point) const;

 private:
  std::complex<double> random_at(std::size_t point) const;
  std::complex<double> tones_at(std::size_t point) const;

  /// Returns the frequency whose value is the conjugate of the value at `point`. Both are indices into the whole
  /// spectrum.
  std::size_t mirrored(std::size_t point) const;
  std::size_t in_whole_spectrum(std::size_t point) const;

  Signal signal_;
  npy::Shape shape_;  ///< shape of the whole spectrum, also if the points are its half
  std::optional<std::size_t> half_of_;
};

}  // namespace cubefold::fft_program
