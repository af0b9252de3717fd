#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/exchange/axis_permutations.hpp"
#include "cubefold/exchange/product_phase.hpp"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// What the number of steps depends on in an AxisPermutation.
struct PermutationShape {
  std::uint32_t class_count;
  bool moves_nobody;

  bool operator==(const PermutationShape&) const = default;
};

/// The shapes of axis_permutations(), in its order and without making them, where extent, period and radix are powers of
/// two; all of them are closed there. With n = radix and s = stride
///
///     lines n / 4 s, rings (period = extent) n / 8 s for n >= 8 and s for n = 4,
///     radix 2: s, all round a ring s / 2 with balanced ties; 1 at least,
///
/// and where ties all go up twice as many for the two permutations of a ring of n >= 8, and the one of n = 4, that lead half
/// way round. Nothing for other extents. O(radix).
std::optional<std::vector<PermutationShape>> permutation_shapes(const Axis& axis, const Digit& digit,
                                                                Tie tie);

/// ProductPhase(...).step_count() in O(radices) for powers of two.
std::size_t product_step_count(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                               ProductPhase::Sharing sharing);

/// LinesPhase(...).step_count() in O(sum of the extents) for powers of two.
std::size_t lines_step_count(const Grid& grid, Ports ports, Tie tie);

}  // namespace cubefold
