#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Describes messages along one axis, one from every coordinate and one to every coordinate. They are divided into
/// classes. The messages of a class share no directed link of a line of the axis. A message to its own coordinate uses
/// no link.
struct AxisPermutation {
  std::vector<std::uint32_t> to;        ///< destination of the message from each coordinate
  std::vector<std::uint32_t> from;      ///< source of the message to each coordinate
  std::vector<std::uint32_t> class_of;  ///< class of the message from each coordinate, < class_count
  std::uint32_t class_count;

  /// True if every class sends to the same coordinates that it sends from.
  bool closed;
};

/// Describes a digit of a coordinate: (coordinate mod period) div (period / radix). If period and radix are the extent,
/// the digit is the whole coordinate.
struct Digit {
  std::uint32_t period;
  std::uint32_t radix;

  std::uint32_t stride() const { return period / radix; }
  std::uint32_t of(std::uint32_t coordinate) const { return coordinate % period / stride(); }
  bool operator==(const Digit&) const = default;
};

/// Returns `radix` permutations that change only the digit and that together take every coordinate to every value of
/// the digit once. They have few classes. With n = extent = period = radix, each of the n permutations has
///
///     n / 4 classes on a line of n = 4 k nodes, n / 8 on a ring of n = 2^k >= 8 nodes with balanced ties,
///
/// and all of them together have n^2 / 4 or n^2 / 8 classes, the bisection bound of the axis. On rings of 2 and 4 nodes
/// each permutation has 1 class. Rings of n = 8 k have up to 1.11 n^2 / 8 classes in all. Lines of other extents and
/// rings of odd extent get cyclic shifts; rings of other even extents get counter_shift_permutation(). Their
/// permutations differ in the number of classes. Without the permutation that moves nobody, lines have floor(n^2 / 4)
/// classes in all, rings of even extent up to 1.8 times their bound, and rings of odd extent up to 3 times. A strided
/// digit (stride > 1) has `stride` times as many classes, or stride / 2 times if its radix is 2 and it goes all round a
/// ring. With radix 2, the permutation that moves nobody has the classes of the other one.
///
/// Costs O(radix * extent) for n = 4 k on lines and n = 2^k on rings, and O(radix * extent * classes) for others.
/// Throws std::invalid_argument unless the extent is a multiple of the period and the period is a multiple of the
/// radix.
CUBEFOLD_API std::vector<AxisPermutation> axis_permutations(const Axis& axis, const Digit& digit, Tie tie);

/// Returns whether every message goes to its own coordinate. Costs O(extent).
CUBEFOLD_API bool is_identity(const AxisPermutation& permutation);

/// Holds the properties of an AxisPermutation that the steps of a phase depend on. Every class has a message that moves
/// unless the permutation moves nobody.
struct PermutationShape {
  std::uint32_t class_count;
  bool moves_nobody;
  bool closed;

  bool operator==(const PermutationShape&) const = default;
};

/// Returns the shapes of axis_permutations(), in the same order. Uses a formula in O(radix) if the extent is a power of
/// two, and builds the permutations one after the other otherwise. Throws what axis_permutations() throws.
CUBEFOLD_API std::vector<PermutationShape> permutation_shapes(const Axis& axis, const Digit& digit, Tie tie);

}  // namespace cubefold
