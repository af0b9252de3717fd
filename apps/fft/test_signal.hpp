#pragma once

#include <complex>
#include <cstddef>
#include <optional>

#include "fft/options.hpp"
#include "npy/header.hpp"

namespace cubefold::fft_program {

/// The built-in input as a function of the point, so that it is the same however points are spread.
class TestSignal {
 public:
  /// Points of the shape. `half_of`: they are the half of a spectrum of real numbers, whose last dimension has this
  /// length; the spectrum then has the symmetry that such a one has.
  TestSignal(Signal signal, npy::Shape shape, std::optional<std::size_t> half_of);

  /// Random: both parts in [-0.5, 0.5). Tones: cosines of amplitude 1, 1/2 and 1/3 over all dimensions, real.
  std::complex<double> at(std::size_t point) const;

 private:
  std::complex<double> random_at(std::size_t point) const;
  std::complex<double> tones_at(std::size_t point) const;

  /// The frequency whose value is the conjugate of that of `point`, both counted in the whole spectrum.
  std::size_t mirrored(std::size_t point) const;
  std::size_t in_whole_spectrum(std::size_t point) const;

  Signal signal_;
  npy::Shape shape_;  ///< of the whole spectrum, where points are half of one
  std::optional<std::size_t> half_of_;
};

}  // namespace cubefold::fft_program
