#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// The number of bits that all phases have. Throws std::invalid_argument in the caller's name if they differ, and
/// without phases.
int same_bit_count(std::string_view caller, std::span<const Lcc> phases);

/// What links carry when several communications run at once, without walking routes.
///
/// Lowest bit first, a message from x to y crosses bit i of a node v that has the bits of y on those before i and those
/// of x on i and behind. These are as many equations over GF(2) for v and the message, so the nodes that a phase
/// crosses from are an affine subspace, with equally many messages from each. The busiest link leaves a node on which
/// the subspaces of phases with the most messages meet.
class UnionLoads {
 public:
  /// Of at least one phase; all have equally many bits.
  explicit UnionLoads(std::span<const Lcc> phases);

  /// Messages of all phases on the busiest link of a bit if the bits of `before`, which it is not one of, have their
  /// places ahead of it. It depends on no other order. Throws std::invalid_argument if the sum of the phases exceeds
  /// 2^64 - 1. O(m n^2) word operations for m phases of n bits, and at worst 2^m n^2 where many subspaces meet.
  std::uint64_t busiest(std::uint64_t before, int bit) const;

 private:
  /// Row j is bit j of one end of a message, as a sum of bits of the end that its communication starts from.
  struct End {
    std::vector<std::uint64_t> rows;
    std::uint64_t constants;
  };
  struct Phase {
    End source;
    End destination;
  };

  std::vector<Phase> phases_;
};

}  // namespace cubefold
