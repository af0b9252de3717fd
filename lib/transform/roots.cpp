#include "roots.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace cubefold::fft {

// The angle is split into that of the nearest axis and a rest of at most pi/4 in magnitude.
std::complex<long double> root_of_unity(std::size_t numerator, std::size_t denominator, Transform transform) {
  const std::size_t quarters = 4 * (numerator % denominator);  // angle in units of 2 pi / (4 * denominator)
  const std::size_t axis = quarters / denominator + (quarters % denominator > denominator / 2 ? 1 : 0);
  const auto rest = static_cast<std::ptrdiff_t>(quarters - axis * denominator);
  const long double angle = std::numbers::pi_v<long double> / 2 * static_cast<long double>(rest) /
                            static_cast<long double>(denominator);
  const long double cosine = std::cos(angle);
  const long double sine = std::sin(angle);
  std::complex<long double> root;
  switch (axis % 4) {
    case 0:
      root = {cosine, sine};
      break;
    case 1:
      root = {-sine, cosine};
      break;
    case 2:
      root = {-cosine, -sine};
      break;
    default:
      root = {sine, -cosine};
  }
  return transform == Transform::forward ? std::conj(root) : root;
}

template <typename Real>
Roots<Real>::Roots(std::size_t n, Transform transform, long double scale)
    : fine_bits_((static_cast<int>(std::bit_width(n - 1)) + 1) / 2),
      mask_((std::size_t{1} << fine_bits_) - 1) {
  for (std::size_t i = 0; i <= mask_; ++i) fine_.emplace_back(root_of_unity(i, n, transform));
  for (std::size_t i = 0; i <= (n - 1) >> fine_bits_; ++i)
    coarse_.emplace_back(scale * root_of_unity(i << fine_bits_, n, transform));
}

template <typename Real>
void Roots<Real>::multiply(Complex* values, std::size_t count, std::size_t step) const {
  const Complex* fine = fine_.data();
  const Complex* coarse = coarse_.data();
  const int bits = fine_bits_;
  const std::size_t mask = mask_;
  for (std::size_t i = 0, exponent = 0; i < count; ++i, exponent += step) {
    values[i] = product_of(values[i], product_of(coarse[exponent >> bits], fine[exponent & mask]));
  }
}

template class Roots<float>;
template class Roots<double>;

}  // namespace cubefold::fft
