#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "simulation/wormhole_traffic.hpp"

/// This namespace has the three patterns of [Lcc] section 6.1 on 256 ranks, and orders of bits for them.
namespace cubefold::lcc_patterns {

inline std::uint32_t transpose(std::uint32_t x) {
  return (x >> 4 | x << 4) & 255;
}

inline std::uint32_t bit_reversal(std::uint32_t x) {
  std::uint32_t y = 0;
  for (unsigned bit = 0; bit < 8; ++bit) y |= (x >> bit & 1) << (7 - bit);
  return y;
}

inline std::uint32_t reverse_flip(std::uint32_t x) {
  return bit_reversal(x) ^ 255;
}

using Order = std::vector<int>;
inline const Order as_it_is{0, 1, 2, 3, 4, 5, 6, 7};
inline const Order best_for_transpose{0, 4, 2, 6, 1, 5, 3, 7};
inline const Order best_for_reversals{0, 7, 1, 6, 2, 5, 3, 4};  ///< for bit reversal and reverse-flip
inline const Order best_for_all{3, 4, 0, 7, 2, 5, 1, 6};  ///< contention 2 for transpose, 1 for the others

/// Returns the destination of the message of every node of the 8-cube if the bits have this order.
template <typename Pattern>
std::vector<GridNode> destinations(Pattern pattern, const Order& order) {
  std::vector<Rank> to;
  for (std::uint32_t rank = 0; rank < 256; ++rank) to.push_back(Rank{pattern(rank)});
  return destinations_of(
      Placement(parse_grid("hypercube:8"), {{Embedding::identity}, BitAssignment::blocked, order}), to);
}

}  // namespace cubefold::lcc_patterns
