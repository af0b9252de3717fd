#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <random>
#include <vector>

namespace cubefold::fft {

using Long = long double;

template <typename Value>
using Array = std::vector<Value>;
using LongPoints = std::vector<std::complex<Long>>;

/// Returns exp(sign 2 pi i numerator / denominator).
inline std::complex<Long> long_root(std::size_t numerator, std::size_t denominator, int sign) {
  const Long turns = static_cast<Long>(numerator % denominator) / static_cast<Long>(denominator);
  return std::polar(Long{1}, static_cast<Long>(sign) * 2 * std::numbers::pi_v<Long> * turns);
}

/// Returns the transform of x. Point e of `roots` is the root of unity of e / roots.size() turns, and their number is
/// a multiple of that of points.
inline LongPoints long_dft(const LongPoints& x, const LongPoints& roots) {
  const std::size_t n = x.size();
  if (n <= 1) return x;
  std::size_t p = 2;
  while (p * p <= n && n % p != 0) ++p;
  if (p * p > n) p = n;
  const std::size_t m = n / p;
  std::vector<LongPoints> parts(p, LongPoints(m));
  for (std::size_t j = 0; j < n; ++j) parts[j % p][j / p] = x[j];
  for (auto& part : parts) part = long_dft(part, roots);
  const std::size_t turn = roots.size() / n;
  LongPoints result(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < p; ++j) result[k] += roots[j * k % n * turn] * parts[j][k % m];
  return result;
}

/// Returns the transform of one row of points in long double. It is computed by the definition for prime lengths. Tens
/// of thousands of points are fast unless their number has a large prime factor.
inline LongPoints long_dft(const LongPoints& x, int sign) {
  LongPoints roots(x.size());
  for (std::size_t e = 0; e < x.size(); ++e) roots[e] = long_root(e, x.size(), sign);
  return long_dft(x, roots);
}

/// Returns the transform of a row-major array of these lengths in long double.
inline LongPoints long_dft(LongPoints x, const std::vector<std::size_t>& lengths, int sign) {
  std::size_t stride = x.size();
  for (const std::size_t n : lengths) {
    stride /= n;
    for (std::size_t row = 0; row < x.size() / n; ++row) {
      const std::size_t first = row / stride * stride * n + row % stride;
      LongPoints points(n);
      for (std::size_t i = 0; i < n; ++i) points[i] = x[first + i * stride];
      points = long_dft(points, sign);
      for (std::size_t i = 0; i < n; ++i) x[first + i * stride] = points[i];
    }
  }
  return x;
}

/// Returns the points in long double.
template <typename Value>
LongPoints widened(const Array<Value>& points) {
  return LongPoints(points.begin(), points.end());
}

/// Returns numbers that are uniform in [-0.5, 0.5) and the same on every process.
template <typename Real>
std::vector<Real> random_reals(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<Real> uniform(Real(-0.5), Real(0.5));
  std::vector<Real> numbers(count);
  for (auto& number : numbers) number = uniform(generator);
  return numbers;
}

/// Returns complex numbers whose parts are the numbers of random_reals().
template <typename Real>
Array<std::complex<Real>> random_complex(std::size_t count, unsigned seed) {
  const auto numbers = random_reals<Real>(2 * count, seed);
  Array<std::complex<Real>> points(count);
  for (std::size_t i = 0; i < count; ++i) points[i] = {numbers[2 * i], numbers[2 * i + 1]};
  return points;
}

/// Returns ||a - b|| / ||b|| in the L2 norm.
template <typename Value>
double error_of(const Array<Value>& a, const LongPoints& b) {
  Long difference = 0;
  Long size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::norm(std::complex<Long>(a[i]) - b[i]);
    size += std::norm(b[i]);
  }
  return static_cast<double>(std::sqrt(difference / size));
}

/// Returns whether a part of a result is b up to rounding. Few points may have larger relative errors than all.
template <typename Value>
bool is_nearly(const Array<Value>& a, const Array<Value>& b) {
  return b.empty() || a == b || error_of(a, widened(b)) <= 1e-13;
}

/// Returns the relative error that a transform of n points may have: 4 eps sqrt(log2 n).
template <typename Real>
double error_limit(std::size_t n) {
  return 4 * static_cast<double>(std::numeric_limits<Real>::epsilon()) *
         std::sqrt(std::max(1.0, std::log2(static_cast<double>(n))));
}

}  // namespace cubefold::fft
