#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace cubefold::fft {

/// Spelled out because the standard operator checks for infinities and does not vectorise.
inline std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Powers of w = exp(sign 2 pi i / 2^bits) from two tables of about 2^(bits/2) entries, one for the upper and
/// one for the lower half of an exponent's bits. Entries are computed in long double from reduced arguments,
/// never by recurrence, so every power is good to two roundings.
class Twiddles {
 public:
  Twiddles(int bits, int sign);

  /// w^exponent. Requires exponent < 2^bits.
  std::complex<double> operator()(std::size_t exponent) const {
    return product(coarse_[exponent >> fine_bits_], fine_[exponent & (fine_.size() - 1)]);
  }

 private:
  int fine_bits_;
  std::vector<std::complex<double>> fine_;
  std::vector<std::complex<double>> coarse_;
};

/// exp(sign 2 pi i numerator / 2^bits), correctly rounded in nearly all cases: the angle is reduced to at
/// most pi/4 in integers first.
std::complex<double> root_of_unity(std::size_t numerator, int bits, int sign);

}  // namespace cubefold::fft
