#pragma once

#include <fftw3-mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace cubefold::fft_program {

/// Declares the functions of FFTW MPI for each precision.
template <typename Real>
struct Fftw;

template <>
struct Fftw<double> {
  using Complex = fftw_complex;
  using Plan = fftw_plan;
  static constexpr auto* init = fftw_mpi_init;
  static constexpr auto* allocate = fftw_alloc_complex;
  static constexpr auto* release = fftw_free;
  static constexpr auto* local_size_1d = fftw_mpi_local_size_1d;
  static constexpr auto* local_size = fftw_mpi_local_size_transposed;
  static constexpr auto* plan_1d = fftw_mpi_plan_dft_1d;
  static constexpr auto* plan = fftw_mpi_plan_dft;
  static constexpr auto* plan_r2c = fftw_mpi_plan_dft_r2c;
  static constexpr auto* plan_c2r = fftw_mpi_plan_dft_c2r;
  static constexpr auto* execute = fftw_execute;
  static constexpr auto* destroy = fftw_destroy_plan;
};

template <>
struct Fftw<float> {
  using Complex = fftwf_complex;
  using Plan = fftwf_plan;
  static constexpr auto* init = fftwf_mpi_init;
  static constexpr auto* allocate = fftwf_alloc_complex;
  static constexpr auto* release = fftwf_free;
  static constexpr auto* local_size_1d = fftwf_mpi_local_size_1d;
  static constexpr auto* local_size = fftwf_mpi_local_size_transposed;
  static constexpr auto* plan_1d = fftwf_mpi_plan_dft_1d;
  static constexpr auto* plan = fftwf_mpi_plan_dft;
  static constexpr auto* plan_r2c = fftwf_mpi_plan_dft_r2c;
  static constexpr auto* plan_c2r = fftwf_mpi_plan_dft_c2r;
  static constexpr auto* execute = fftwf_execute;
  static constexpr auto* destroy = fftwf_destroy_plan;
};

/// Holds one array of a process, aligned as FFTW requires it. Rows of real numbers may be padded.
template <typename Real>
class FftwArray {
 public:
  FftwArray() = default;
  FftwArray(std::size_t complex_count, std::size_t row, std::size_t padded_row)
      : memory_(Fftw<Real>::allocate(std::max<std::size_t>(complex_count, 1))),
        row_(row),
        padded_row_(padded_row) {
    if (memory_ == nullptr) throw std::bad_alloc();
  }

  typename Fftw<Real>::Complex* complex() { return memory_.get(); }
  Real* real() { return &(*memory_.get())[0]; }

  /// Returns real number i, counted without padding.
  Real& real_at(std::size_t i) { return real()[i / row_ * padded_row_ + i % row_]; }

 private:
  struct Release {
    void operator()(typename Fftw<Real>::Complex* memory) const { Fftw<Real>::release(memory); }
  };

  std::unique_ptr<typename Fftw<Real>::Complex, Release> memory_;
  std::size_t row_ = 1;
  std::size_t padded_row_ = 1;
};

}  // namespace cubefold::fft_program
