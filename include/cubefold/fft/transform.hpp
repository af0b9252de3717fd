#pragma once

#include <cstdint>

namespace cubefold::fft {

enum class Transform : std::uint8_t {
  forward,  ///< X(k) = sum_j x(j) exp(-2 pi i j k / m)
  inverse,  ///< x(j) = 1/m sum_k X(k) exp(+2 pi i j k / m)
};

enum class Kind : std::uint8_t {
  complex,
  real,  ///< real numbers to half a spectrum, 0 to m/2, and back
};

}  // namespace cubefold::fft
