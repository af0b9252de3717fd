#include "numbers.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace cubefold::fft {

Number root(std::size_t numerator, std::size_t denominator, Transform transform) {
  const long double angle = 2 * std::numbers::pi_v<long double> *
                            static_cast<long double>(numerator % denominator) /
                            static_cast<long double>(denominator);
  return {std::cos(angle), transform == Transform::forward ? -std::sin(angle) : std::sin(angle)};
}

std::vector<Number> roots_of(std::size_t count, Transform transform) {
  std::vector<Number> roots(count);
  for (std::size_t i = 0; i < count; ++i) roots[i] = root(i, count, transform);
  return roots;
}

Numbers dft(const Numbers& points, Transform transform) {
  const std::size_t n = points.size();
  const auto roots = roots_of(n, transform);
  const long double scale = transform == Transform::inverse ? 1 / static_cast<long double>(n) : 1;
  Numbers result(n);
  for (std::size_t k = 0; k < n; ++k) {
    Number sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += times(points[j], roots[j * k % n]);
    result[k] = sum * scale;
  }
  return result;
}

long double distance(const Numbers& a, const Numbers& b) {
  if (a.size() != b.size()) return std::numeric_limits<long double>::infinity();
  long double difference = 0;
  long double size = 1e-300L;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    size += std::norm(b[i]);
  }
  return std::isnan(difference) ? std::numeric_limits<long double>::infinity() : std::sqrt(difference / size);
}

Numbers random_numbers(std::size_t count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<long double> uniform(-0.5L, 0.5L);
  Numbers numbers(count);
  for (auto& number : numbers) number = {uniform(generator), uniform(generator)};
  return numbers;
}

}  // namespace cubefold::fft
