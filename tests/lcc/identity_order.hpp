#pragma once

#include <numeric>
#include <vector>

namespace cubefold {

inline std::vector<int> identity_order(int bits) {
  std::vector<int> order(static_cast<std::size_t>(bits));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

}  // namespace cubefold
