#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "axis_permutations.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Says whether tables of permutations are used.
enum class Tables : std::uint8_t { no, yes };

/// Returns permutations that together take every coordinate of an axis to every other one once. Every class of each of
/// them sends to the same coordinates that it sends from. Those with the most classes come first. Lines of 4 to 15
/// nodes and rings of 5 to 15 have tables of n - 1 permutations, which have as many classes in all as the busiest link
/// has messages, or up to two more. All other axes have their axis_permutations() but the one that moves nobody.
/// Returns nothing if these are not closed. Costs as much as axis_permutations().
CUBEFOLD_API std::optional<std::vector<AxisPermutation>> closed_permutations(const Axis& axis, Tie tie,
                                                                             Tables tables = Tables::yes);

/// Returns the number of classes of each of closed_permutations(), in the same order. Uses formulas where
/// permutation_shapes() does.
CUBEFOLD_API std::optional<std::vector<std::uint32_t>> closed_class_counts(const Axis& axis, Tie tie,
                                                                           Tables tables = Tables::yes);

}  // namespace cubefold
