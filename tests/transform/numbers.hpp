#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

using Number = std::complex<long double>;
using Numbers = std::vector<Number>;

/// Returns a * b. Unlike the standard operator it does not treat infinities separately.
inline Number times(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Returns exp(-2 pi i numerator / denominator), or its conjugate for the inverse transform.
Number root(std::size_t numerator, std::size_t denominator, Transform transform);

/// Returns root(k, count, transform) for k = 0 .. count - 1.
std::vector<Number> roots_of(std::size_t count, Transform transform);

/// Returns the transform of a line by the definition. The inverse is divided by the number of points.
Numbers dft(const Numbers& points, Transform transform);

/// Returns ||a - b|| / sqrt(||b||^2 + 1e-300). Returns infinity if a difference is NaN or the sizes differ.
long double distance(const Numbers& a, const Numbers& b);

Numbers random_numbers(std::size_t count, unsigned seed);

}  // namespace cubefold::fft
