#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace cubefold::fft_program {

template <typename T>
inline constexpr bool is_complex_type = !std::is_floating_point_v<T>;

/// Holds the points of a process, which are complex or real numbers. The memory serves both sides of a transform in
/// place.
template <typename Real>
class Part {
 public:
  using Complex = std::complex<Real>;

  Part() = default;

  /// Allocates at least `bytes`. The memory is never empty, because MPI takes no null pointer for an empty part.
  explicit Part(std::size_t bytes) : memory_(bytes / sizeof(Complex) + 1) {}

  void* data() { return memory_.data(); }
  Complex* complex() { return memory_.data(); }

  // NOLINTNEXTLINE: complex numbers are pairs of reals by the C++ standard
  Real* real() { return reinterpret_cast<Real*>(memory_.data()); }

  template <typename T>
  T* as() {
    if constexpr (is_complex_type<T>) {
      return complex();
    } else {
      return real();
    }
  }

 private:
  std::vector<Complex> memory_;
};

}  // namespace cubefold::fft_program
