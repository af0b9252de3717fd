#pragma once

#include <cstdint>

namespace cubefold::fft {

enum class Transform : std::uint8_t {
  forward,  ///< X(k) = sum_j x(j) exp(-2 pi i j k / n)
  inverse,  ///< x(j) = 1/n sum_k X(k) exp(+2 pi i j k / n)
};

}  // namespace cubefold::fft
