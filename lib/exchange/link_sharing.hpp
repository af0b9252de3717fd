#pragma once

#include <vector>

#include "cubefold/exchange/axis_permutations.hpp"

namespace cubefold {

bool is_identity(const AxisPermutation& permutation);

using PermutationGroups = std::vector<std::vector<AxisPermutation>>;

/// Permutations of a digit in groups of equal size, none of which has a link in common with another of its group: that which
/// moves nobody beside the other of radix 2; on extents of 3 and 4 as many as fit, those with the most links first.
/// Groups of one where there is nothing better.
PermutationGroups link_sharing_groups(const Axis& axis, const Digit& digit, Tie tie,
                                      std::vector<AxisPermutation> permutations);

/// Every permutation in a group of its own, in the order that axis_permutations() has where they were so before.
PermutationGroups one_by_one(PermutationGroups groups);

}  // namespace cubefold
