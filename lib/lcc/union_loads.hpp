#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// Returns the number of bits that all phases have. Throws std::invalid_argument in the caller's name if there are no
/// phases, or if they differ in their number of bits.
int same_bit_count(std::string_view caller, std::span<const Lcc> phases);

/// Computes what links carry when several communications run at once, without walking routes.
///
/// With e-cube routes, lowest bit first, a message from x to y crosses bit i at the node v that has the bits of y
/// before i, and the bits of x at i and after it. These conditions are linear equations over GF(2) for v and the
/// message, so the nodes at which a phase crosses the bit form an affine subspace, with equally many messages from each
/// node. The busiest link leaves a node at which subspaces meet whose phases have the most messages together.
class UnionLoads {
 public:
  /// Requires at least one phase, and equally many bits in all phases.
  explicit UnionLoads(std::span<const Lcc> phases);

  /// Returns the number of messages of all phases on the busiest link of a bit if the bits of `before`, which must not
  /// contain it, come first. The result depends on nothing else of the order. Throws std::invalid_argument if the sum
  /// over the phases exceeds 2^64 - 1. Costs O(m n^2) word operations for m phases of n bits, and at worst 2^m n^2
  /// where many subspaces meet.
  std::uint64_t busiest(std::uint64_t before, int bit) const;

 private:
  /// Describes one end of the messages of a phase: row j is bit j of that end, as a sum of bits of the end that the
  /// communication starts from.
  struct End {
    std::vector<std::uint64_t> rows;
    std::uint64_t constants;
  };
  struct PhaseEnds {
    End source;
    End destination;
  };

  std::vector<PhaseEnds> phases_;
};

}  // namespace cubefold
