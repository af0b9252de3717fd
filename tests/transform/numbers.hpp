#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

using Number = std::complex<long double>;
using Numbers = std::vector<Number>;

/// Without the standard operator's care for infinities.
inline Number times(Number a, Number b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// exp(-2 pi i numerator / denominator), conjugate for the inverse.
Number root(std::size_t numerator, std::size_t denominator, Transform transform);

/// All powers, from 0 on.
std::vector<Number> roots_of(std::size_t count, Transform transform);

/// By the definition, of the whole line; inverse: divided by the points.
Numbers dft(const Numbers& points, Transform transform);

/// ||a - b|| / max(||b||, 1e-300); infinite for NaN anywhere.
long double distance(const Numbers& a, const Numbers& b);

Numbers random_numbers(std::size_t count, unsigned seed);

}  // namespace cubefold::fft
