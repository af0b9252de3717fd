#pragma once

#include <cstdint>

namespace cubefold {

/// Holds the label of a rank in the algorithm, in [0, 2^d). Bit i is the coordinate along cube dimension i.
enum class Rank : std::uint32_t {};

constexpr std::uint32_t label(Rank rank) {
  return static_cast<std::uint32_t>(rank);
}

/// Returns N_i(r) = r xor 2^i, the neighbour of a rank in cube dimension i.
constexpr Rank neighbour(Rank rank, int dimension) {
  return static_cast<Rank>(label(rank) ^ (std::uint32_t{1} << dimension));
}

}  // namespace cubefold
