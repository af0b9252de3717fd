#pragma once

#include <fftw3.h>

#include <complex>

#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

/// Returns the flag of FFTW's planner.
inline unsigned flags_of(Rigor rigor) {
  switch (rigor) {
    case Rigor::estimate:
      return FFTW_ESTIMATE;
    case Rigor::measure:
      return FFTW_MEASURE;
    case Rigor::patient:
      return FFTW_PATIENT;
    case Rigor::exhaustive:
      break;
  }
  return FFTW_EXHAUSTIVE;
}

/// The names of FFTW's functions for a precision.
template <typename Real>
struct Fftw;

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Dim = fftw_iodim64;
  static fftw_complex* terms(std::complex<double>* x) { return reinterpret_cast<fftw_complex*>(x); }
  static constexpr auto dft = fftw_plan_guru64_dft;
  static constexpr auto r2c = fftw_plan_guru64_dft_r2c;
  static constexpr auto c2r = fftw_plan_guru64_dft_c2r;
  static constexpr auto r2r = fftw_plan_guru64_r2r;
  static constexpr auto run_r2r = fftw_execute_r2r;
  static constexpr auto run = fftw_execute_dft;
  static constexpr auto run_r2c = fftw_execute_dft_r2c;
  static constexpr auto run_c2r = fftw_execute_dft_c2r;
  static constexpr auto alignment = fftw_alignment_of;
  static constexpr auto destroy = fftw_destroy_plan;
};

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Dim = fftwf_iodim64;
  static fftwf_complex* terms(std::complex<float>* x) { return reinterpret_cast<fftwf_complex*>(x); }
  static constexpr auto dft = fftwf_plan_guru64_dft;
  static constexpr auto r2c = fftwf_plan_guru64_dft_r2c;
  static constexpr auto c2r = fftwf_plan_guru64_dft_c2r;
  static constexpr auto r2r = fftwf_plan_guru64_r2r;
  static constexpr auto run_r2r = fftwf_execute_r2r;
  static constexpr auto run = fftwf_execute_dft;
  static constexpr auto run_r2c = fftwf_execute_dft_r2c;
  static constexpr auto run_c2r = fftwf_execute_dft_c2r;
  static constexpr auto alignment = fftwf_alignment_of;
  static constexpr auto destroy = fftwf_destroy_plan;
};

}  // namespace cubefold::fft
