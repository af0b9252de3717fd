#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

namespace cubefold::fft {

using Long = long double;
using LongPoints = std::vector<std::complex<Long>>;

/// Returns exp(sign 2 pi i numerator / denominator).
inline std::complex<Long> long_root(std::size_t numerator, std::size_t denominator, int sign) {
  const Long turns = static_cast<Long>(numerator % denominator) / static_cast<Long>(denominator);
  return std::polar(Long{1}, static_cast<Long>(sign) * 2 * std::numbers::pi_v<Long> * turns);
}

/// Returns sum_j x(j) exp(sign 2 pi i j k / m) for every k. Splits the sum into halves as long as m is even, and
/// computes odd lengths by the definition.
inline LongPoints long_dft(const LongPoints& x, int sign) {
  const std::size_t m = x.size();
  LongPoints result(m);
  if (m % 2 == 1) {
    for (std::size_t k = 0; k < m; ++k) {
      for (std::size_t j = 0; j < m; ++j) result[k] += x[j] * long_root(j * k, m, sign);
    }
    return result;
  }
  LongPoints even(m / 2);
  LongPoints odd(m / 2);
  for (std::size_t j = 0; j < m / 2; ++j) {
    even[j] = x[2 * j];
    odd[j] = x[2 * j + 1];
  }
  even = long_dft(even, sign);
  odd = long_dft(odd, sign);
  for (std::size_t k = 0; k < m / 2; ++k) {
    const auto turned = odd[k] * long_root(k, m, sign);
    result[k] = even[k] + turned;
    result[k + m / 2] = even[k] - turned;
  }
  return result;
}

/// Returns numbers that are uniform in [-0.5, 0.5) in both parts, exact in Real, and the same on every process.
template <typename Real>
LongPoints random_long_points(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<Real> uniform(Real(-0.5), Real(0.5));
  LongPoints points;
  for (std::size_t i = 0; i < count; ++i) {
    const Real real = uniform(generator);
    points.emplace_back(real, uniform(generator));
  }
  return points;
}

/// Returns ||a - b|| / ||b||.
template <typename A>
Long long_relative_error(const std::vector<std::complex<A>>& a, const LongPoints& b) {
  Long difference = 0;
  Long size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::norm(std::complex<Long>(a[i]) - b[i]);
    size += std::norm(b[i]);
  }
  return std::sqrt(difference / size);
}

}  // namespace cubefold::fft
