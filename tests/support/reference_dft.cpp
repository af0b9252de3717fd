#include "support/reference_dft.hpp"

#include <cmath>
#include <numbers>
#include <random>

namespace cubefold::fft {

Points dft_by_definition(const Points& points, int sign) {
  using Long = long double;
  const std::size_t m = points.size();
  std::vector<std::complex<Long>> roots(m);
  for (std::size_t e = 0; e < m; ++e) {
    const Long angle = sign * 2 * std::numbers::pi_v<Long> * static_cast<Long>(e) / static_cast<Long>(m);
    roots[e] = {std::cos(angle), std::sin(angle)};
  }
  Points result(m);
  for (std::size_t k = 0; k < m; ++k) {
    std::complex<Long> sum = 0;
    for (std::size_t j = 0; j < m; ++j) sum += std::complex<Long>(points[j]) * roots[j * k % m];
    result[k] = std::complex<double>(sum);
  }
  return result;
}

double relative_error(const Points& a, const Points& b) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    size += std::norm(b[i]);
  }
  return std::sqrt(difference / size);
}

Points random_points(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  Points points(count);
  for (auto& point : points) point = {uniform(generator), uniform(generator)};
  return points;
}

}  // namespace cubefold::fft
