#include "fftw.hpp"

#include <new>

namespace cubefold::fft {

FftwArray fftw_array(std::size_t count) {
  void* memory = fftw_malloc(count * sizeof(std::complex<double>));
  if (memory == nullptr) throw std::bad_alloc();
  return FftwArray(static_cast<std::complex<double>*>(memory));
}

namespace {

fftw_complex* in_fftw_terms(std::complex<double>* array) {
  return reinterpret_cast<fftw_complex*>(array);  // NOLINT: the layouts agree by the C++ standard
}

}  // namespace

SquareOfTransforms::SquareOfTransforms(std::size_t length, int sign, std::complex<double>* input,
                                       Strides input_strides, std::complex<double>* output,
                                       Strides output_strides, unsigned flags) {
  const int n = static_cast<int>(length);
  plan_.reset(fftw_plan_many_dft(
      1, &n, n, in_fftw_terms(input), nullptr, static_cast<int>(input_strides.stride),
      static_cast<int>(input_strides.distance), in_fftw_terms(output), nullptr,
      static_cast<int>(output_strides.stride), static_cast<int>(output_strides.distance), sign, flags));
  if (plan_ == nullptr) throw std::bad_alloc();
}

void SquareOfTransforms::execute(std::complex<double>* input, std::complex<double>* output) const {
  fftw_execute_dft(plan_.get(), in_fftw_terms(input), in_fftw_terms(output));
}

}  // namespace cubefold::fft
