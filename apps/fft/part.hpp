#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace cubefold::fft_program {

template <typename T>
inline constexpr bool is_complex_type = !std::is_floating_point_v<T>;

/// A process's points, in memory that a transform in place can use for both sides: complex numbers or real ones.
template <typename Real>
class Part {
 public:
  using Complex = std::complex<Real>;

  Part() = default;

  /// Room for at least so many bytes; never none, for MPI takes no null pointer for an empty part.
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
