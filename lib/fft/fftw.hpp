#pragma once

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <memory>

namespace cubefold::fft {

struct FreeFftw {
  void operator()(std::complex<double>* array) const { fftw_free(array); }
  void operator()(fftw_plan plan) const { fftw_destroy_plan(plan); }
};

/// Memory with the alignment that FFTW likes best.
using FftwArray = std::unique_ptr<std::complex<double>[], FreeFftw>;  // NOLINT(modernize-avoid-c-arrays)

/// Throws std::bad_alloc.
FftwArray fftw_array(std::size_t count);

/// Where the points of equally long transforms lie: point i of transform j at i * stride + j * distance.
struct Strides {
  std::size_t stride;
  std::size_t distance;
};

/// As many one-dimensional transforms as each has points, which FFTW runs as one.
class SquareOfTransforms {
 public:
  /// sign: FFTW_FORWARD or FFTW_BACKWARD. `input` and `output` tell only how the arrays of execute() will be
  /// aligned and whether they are the same; they are left as they are.
  SquareOfTransforms(std::size_t length, int sign, std::complex<double>* input, Strides input_strides,
                     std::complex<double>* output, Strides output_strides, unsigned flags);

  void execute(std::complex<double>* input, std::complex<double>* output) const;

 private:
  std::unique_ptr<fftw_plan_s, FreeFftw> plan_;
};

}  // namespace cubefold::fft
