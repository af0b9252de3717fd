#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

/// Returns exp(-2 pi i numerator / denominator), or its conjugate for inverse transforms. The angle is first reduced to
/// at most pi/4 in integers, so that the result is accurate to the last bits of a long double. Requires denominator <
/// 2^62.
std::complex<long double> root_of_unity(std::size_t numerator, std::size_t denominator, Transform transform);

/// Returns a * b. The standard operator checks for infinities and does not vectorise.
template <typename Real>
inline std::complex<Real> product_of(std::complex<Real> a, std::complex<Real> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// The powers of w_n = exp(-2 pi i / n), or of its conjugate, from two tables of about sqrt(n) entries. One table is
/// for the upper half of the exponent's bits, the other for the lower half. Every entry is computed from a reduced
/// angle and not by recurrence, so every power is accurate to two roundings.
template <typename Real>
class Roots {
 public:
  using Complex = std::complex<Real>;

  /// Builds the tables. All powers are multiplied by `scale` before they are rounded.
  Roots(std::size_t n, Transform transform, long double scale = 1);

  /// Returns the power with this exponent. Requires exponent < n.
  Complex operator()(std::size_t exponent) const {
    return product_of(coarse_[exponent >> fine_bits_], fine_[exponent & mask_]);
  }

  /// Multiplies value i by the power with exponent i * step. Requires (count - 1) * step < n.
  void multiply(Complex* values, std::size_t count, std::size_t step) const;

 private:
  int fine_bits_;
  std::size_t mask_;
  std::vector<Complex> fine_;
  std::vector<Complex> coarse_;
};

extern template class Roots<float>;
extern template class Roots<double>;

}  // namespace cubefold::fft
