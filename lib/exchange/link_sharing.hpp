#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/exchange/axis_permutations.hpp"

namespace cubefold {

/// Permutations by their number among axis_permutations(), in groups.
using PermutationGroups = std::vector<std::vector<std::uint32_t>>;

/// Permutations of a digit in groups of equal size, none of which has a link in common with another of its group: that
/// which moves nobody beside the other of radix 2; on extents of 3 and 4 as many as fit, those with the most links
/// first. Groups of one where there is nothing better.
PermutationGroups link_sharing_groups(const Axis& axis, const Digit& digit, Tie tie);

/// Every permutation in a group of its own, in the order of the groups that they were in.
PermutationGroups one_by_one(const PermutationGroups& groups);

}  // namespace cubefold
