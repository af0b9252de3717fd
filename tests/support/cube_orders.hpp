#pragma once

#include <bit>
#include <vector>

namespace cubefold {

/// The functions return the dimensions of the stages of CC-cube algorithms on 2^d ranks. A fast Fourier transform and a
/// complete exchange have 0 .. d - 1.
inline std::vector<int> fft_order(int d) {
  std::vector<int> order;
  for (int i = 0; i < d; ++i) order.push_back(i);
  return order;
}

/// A bitonic sort has 0; 1, 0; 2, 1, 0; ...
inline std::vector<int> bitonic_order(int d) {
  std::vector<int> order;
  for (int merge = 0; merge < d; ++merge) {
    for (int i = merge; i >= 0; --i) order.push_back(i);
  }
  return order;
}

/// A one-sided Jacobi method has 0102010..., the ruler sequence of 2^d - 1 stages.
inline std::vector<int> jacobi_order(int d) {
  std::vector<int> order;
  for (unsigned k = 1; k < 1U << static_cast<unsigned>(d); ++k) order.push_back(std::countr_zero(k));
  return order;
}

}  // namespace cubefold
