#pragma once

#include <fftw3-mpi.h>

#include <cstdint>
#include <unordered_map>

#include "arrays.hpp"
#include "transform.hpp"

namespace cubefold::bench {

enum class FftwOrder : std::uint8_t {
  natural,
  loose,  ///< FFTW_MPI_SCRAMBLED_OUT in one dimension, FFTW_MPI_TRANSPOSED_OUT in more
};

/// Runs FFTW's own MPI transform on blocks of consecutive points: of complex points in place, and of real numbers to
/// another array.
class FftwTransform final : public PeerTransform {
 public:
  /// Plans the transform. `rigor` is a flag of FFTW's planner. All processes must call this.
  FftwTransform(const Lengths& lengths, MPI_Comm comm, FftwOrder order, unsigned rigor, fft::Kind kind,
                const Arrays& arrays);
  ~FftwTransform() override;

  /// Returns whether FFTW has a plan. It has none for lengths that it cannot distribute in the requested order.
  /// Requires a plan for all other functions.
  bool is_possible() const { return plan_ != nullptr; }

  void fill() override;
  void run() override { fftw_execute(plan_); }

  /// Finds the places of `points` in the scrambled order, which FFTW does not document. An impulse at point 1 becomes
  /// exp(-2 pi i k / n), so every value shows its frequency k.
  void learn_order(const std::vector<std::size_t>& points) override;
  std::optional<Complex> value_of(std::size_t point) const override;
  std::size_t data_bytes() const override { return static_cast<std::size_t>(count_) * sizeof(Complex); }
  std::size_t array_bytes() const override { return (numbers_ == nullptr ? 1 : 2) * data_bytes(); }
  bool arrays_come_first() const override { return true; }
  fft::PhaseTimes times() const override { return {}; }
  std::string explain() const override { return {}; }

 private:
  void plan_line(MPI_Comm comm, unsigned flags, const Arrays& arrays);
  void plan_box(MPI_Comm comm, unsigned flags, const Arrays& arrays);
  void fill_with_numbers();
  Complex at(std::ptrdiff_t place) const { return {result()[place][0], result()[place][1]}; }
  std::optional<std::ptrdiff_t> place_of(std::size_t point) const;

  const fftw_complex* result() const { return numbers_ == nullptr ? data_ : spectrum_; }

  Lengths lengths_;   ///< of the spectrum
  std::size_t last_;  ///< last length of the input
  FftwOrder order_;
  fft::Kind kind_;
  std::ptrdiff_t row_ = 1;                        ///< points for each index of the distributed dimension
  std::ptrdiff_t count_in_ = 0, first_in_ = 0;    ///< indices of the distributed dimension
  std::ptrdiff_t count_out_ = 0, first_out_ = 0;  ///< indices of the distributed dimension of the output
  std::ptrdiff_t count_ = 0;                      ///< number of points that the array holds
  fftw_complex* data_ = nullptr;
  double* numbers_ = nullptr;         ///< data_ if its points are real, in padded rows
  fftw_complex* spectrum_ = nullptr;  ///< of real numbers
  fftw_plan plan_ = nullptr;
  std::unordered_map<std::size_t, std::ptrdiff_t> scrambled_places_;  ///< place of each sampled frequency
};

}  // namespace cubefold::bench
