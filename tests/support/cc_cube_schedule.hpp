#pragma once

#include <cstdint>

#include "cubefold/exchange/method.hpp"

namespace cubefold {

/// Returns the CC-cube exchange of 2^d ranks, which is the same on every network.
inline Schedule cc_cube_exchange(int dimension_count) {
  const Grid line({{std::uint32_t{1} << dimension_count, Ends::open}});
  return exchange_schedule({ExchangeAlgorithm::cc_cube, {}}, Placement(line, parse_placement("standard")),
                           {});
}

}  // namespace cubefold
