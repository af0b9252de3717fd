#include "twiddles.hpp"

#include <cmath>
#include <numbers>

namespace cubefold::fft {

// The circle has 8 octants; in each, the angle is that of the nearest axis plus or minus at most pi/4.
std::complex<double> root_of_unity(std::size_t numerator, int bits, int sign) {
  const std::size_t whole = std::size_t{1} << (bits + 3);
  const std::size_t eighths = (numerator << 3) & (whole - 1);  // angle in units of 2 pi / (8 * 2^bits)
  const std::size_t quarter = whole / 4;
  const std::size_t axis = (eighths + quarter / 2) / quarter;  // nearest multiple of pi/2
  const auto rest = static_cast<long double>(eighths) - static_cast<long double>(axis * quarter);
  const long double angle = 2 * std::numbers::pi_v<long double> * rest / static_cast<long double>(whole);
  const auto cosine = static_cast<double>(std::cos(angle));
  const auto sine = static_cast<double>(std::sin(angle));

  std::complex<double> root;
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
  return sign < 0 ? std::conj(root) : root;
}

Twiddles::Twiddles(int bits, int sign)
    : fine_bits_(bits / 2),
      fine_(std::size_t{1} << fine_bits_),
      coarse_(std::size_t{1} << (bits - fine_bits_)) {
  for (std::size_t i = 0; i < fine_.size(); ++i) fine_[i] = root_of_unity(i, bits, sign);
  for (std::size_t i = 0; i < coarse_.size(); ++i) coarse_[i] = root_of_unity(i, bits - fine_bits_, sign);
}

}  // namespace cubefold::fft
