#pragma once

#include <complex>
#include <vector>

namespace cubefold::fft {

using Points = std::vector<std::complex<double>>;

/// sum_j x(j) exp(sign 2 pi i j k / m) by the definition, in long double: the slow and obvious oracle.
/// O(m^2).
Points dft_by_definition(const Points& points, int sign);

/// ||a - b|| / ||b||.
double relative_error(const Points& a, const Points& b);

/// Uniform in [-0.5, 0.5) in both parts, the same on every process.
Points random_points(std::size_t count, unsigned seed);

}  // namespace cubefold::fft
