#pragma once

#include <bit>
#include <vector>

namespace cubefold {

/// Returns the dimensions of the stages of a fast Fourier transform or a complete exchange on 2^d ranks: 0 .. d - 1.
inline std::vector<int> fft_order(int d) {
  std::vector<int> order;
  for (int i = 0; i < d; ++i) order.push_back(i);
  return order;
}

/// Returns the dimensions of the stages of a bitonic sort on 2^d ranks: 0; 1, 0; 2, 1, 0; ...
inline std::vector<int> bitonic_order(int d) {
  std::vector<int> order;
  for (int merge = 0; merge < d; ++merge) {
    for (int i = merge; i >= 0; --i) order.push_back(i);
  }
  return order;
}

/// Returns the dimensions of the 2^d - 1 stages of a one-sided Jacobi method on 2^d ranks: the ruler sequence
/// 0102010...
inline std::vector<int> jacobi_order(int d) {
  std::vector<int> order;
  for (unsigned k = 1; k < 1U << static_cast<unsigned>(d); ++k) order.push_back(std::countr_zero(k));
  return order;
}

}  // namespace cubefold
