#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/plan/phase.hpp"

namespace cubefold {

/// Two ends of a message as label bits, added bit by bit.
struct MessageEnds {
  std::uint32_t from;
  std::uint32_t to;
};

/// Equal messages whose pairs of ends are all sums of `origin` and some of `basis` over GF(2). Linear-complement
/// communications are such, and so is what remains of them when ranks are gathered in groups.
struct AffineTraffic {
  MessageEnds origin;
  std::vector<MessageEnds> basis;
  double messages;

  /// Every rank sends to one and the same neighbour, rank xor 2^i.
  bool is_cube_dimension(int bits) const;
};

/// The traffic between different ranks as such a set, if it is one but for pairs of equal ends. Requires no pair twice.
/// O(traffic * bits).
std::optional<AffineTraffic> recognise_affine(std::span<const Traffic> traffic);

}  // namespace cubefold
