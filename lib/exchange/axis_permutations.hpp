#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Messages along one axis, one from every coordinate and one to every coordinate, in classes whose messages share no
/// directed link of a line of the axis. A message to its own coordinate uses none.
struct AxisPermutation {
  std::vector<std::uint32_t> to;        ///< where the message from a coordinate goes
  std::vector<std::uint32_t> from;      ///< inverse of to
  std::vector<std::uint32_t> class_of;  ///< of the message from a coordinate, in [0, class_count)
  std::uint32_t class_count;

  /// Whether the coordinates that a class sends from are those that it sends to.
  bool closed;
};

/// A digit of a coordinate: of its remainder by `period`, the part above period / radix. The whole coordinate is the
/// digit of period and radix equal to the extent.
struct Digit {
  std::uint32_t period;
  std::uint32_t radix;

  std::uint32_t stride() const { return period / radix; }
  std::uint32_t of(std::uint32_t coordinate) const { return coordinate % period / stride(); }
  bool operator==(const Digit&) const = default;
};

/// `radix` permutations that change nothing but the digit and between them take every coordinate to every value of it
/// once. The classes are few: with n = extent = period = radix, all n permutations have
///
///     n / 4 classes on a line of n = 4 k nodes, n / 8 on a ring of n = 2^k >= 8 nodes with balanced ties,
///
/// which together are the bisection bound n^2 / 4 and n^2 / 8 of the axis; rings of 2 and 4 have 1. Rings of n = 8 k
/// have up to 1.11 n^2 / 8 in all. Other extents get cyclic shifts, in a number of classes that differs between
/// permutations: lines floor(n^2 / 4) in all, besides the permutation that moves nobody; rings up to 1.8 times their
/// bound, those of odd extents up to 3 times. Strided digits (stride > 1) have as many times more as groups lie inside
/// one another, half of that for radix 2 all round a ring. O(radix * extent) for the extents above, O(radix * extent *
/// classes) for others. Throws std::invalid_argument unless the extent is a multiple of the period and the period one
/// of the radix. Of radix 2 the permutation that moves nobody has the classes of the other one.
CUBEFOLD_API std::vector<AxisPermutation> axis_permutations(const Axis& axis, const Digit& digit, Tie tie);

/// Whether every message goes to its own coordinate. O(extent).
CUBEFOLD_API bool is_identity(const AxisPermutation& permutation);

/// What the steps of a phase depend on in an AxisPermutation. Every class has a message that moves, unless none does.
struct PermutationShape {
  std::uint32_t class_count;
  bool moves_nobody;
  bool closed;

  bool operator==(const PermutationShape&) const = default;
};

/// The shapes of axis_permutations(), in its order: by formula where the extent is a power of two, O(radix), and else
/// by making them one after the other. Throws as above.
CUBEFOLD_API std::vector<PermutationShape> permutation_shapes(const Axis& axis, const Digit& digit, Tie tie);

}  // namespace cubefold
