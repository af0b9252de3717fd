#pragma once

#include <span>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/lcc/contention.hpp"
#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// An order (new bit k = old bit order[k]) under which max_i T_i of the reordered communication is the smallest that
/// any order gives: 0 if every rank sends to itself, else 2^max(0, n-1 - rank A), so 1 for every permutation. The
/// identity, if it is as good. O(n^2) word operations. Source: [Lcc] theorems 3 and 4; the algorithm is our own, see
/// docs/papers.md.
CUBEFOLD_API std::vector<int> optimal_order(const Lcc& lcc);

/// An order with the smallest objective of all n!, and among those with the smallest sum of all T. Of equals the
/// identity is taken. Exact, by a dynamic programme over the 2^n sets of bits that can come first: O(2^n n^2 m) word
/// operations and 2^(n+2) (m + 2) bytes for m phases; `together` takes up to n times as many, and more where many
/// phases share links. Throws std::invalid_argument for more than 20 bits, for no phases and if they differ in their
/// number of bits. Source: [Lcc] section 5.
CUBEFOLD_API std::vector<int> optimal_order(std::span<const Lcc> phases, Objective objective);

}  // namespace cubefold
