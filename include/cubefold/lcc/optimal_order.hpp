#pragma once

#include <span>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/lcc/contention.hpp"
#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// Returns an order (new bit k = old bit order[k]) that makes max_i T_i of the reordered communication as small as any
/// order can: 0 if every rank sends to itself, else 2^max(0, n-1 - rank A), which is 1 for every permutation. The order
/// is the identity if that is as good. Costs O(n^2) word operations. Source: [Lcc] theorems 3 and 4; the algorithm is
/// our own, see docs/papers.md.
CUBEFOLD_API std::vector<int> optimal_order(const Lcc& lcc);

/// Returns an order with the smallest value of the objective among all n! orders, and among those one with the smallest
/// sum of all T. The order is the identity if that is among the best. The result is exact, by dynamic programming over
/// the 2^n sets of bits that can come first. Costs O(2^n n^2 m) word operations and 2^(n+2) (m + 2) bytes for m phases.
/// `together` takes up to n times as many operations, and more where many phases share links. Throws
/// std::invalid_argument for more than 20 bits, for no phases, and if the phases differ in their number of bits.
/// Source: [Lcc] section 5.
CUBEFOLD_API std::vector<int> optimal_order(std::span<const Lcc> phases, Objective objective);

}  // namespace cubefold
