#pragma once

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Complete exchange in which every block travels once, in steps without conflicts: one ProductPhase of whole coordinates.
/// A message is one block; a node sends p - 1. With extents that are powers of two, the longest n of them, at most
///
///     p max(1, n / 4) steps on meshes, p max(1, n / 8) on tori with balanced ties, p / 2 with all ports where n <= 4:
///
/// the bisection bound, as on meshes of multiples of 4 and on any line. Other extents take on 2 and 3 equal axes at
/// most 1.36 and 1.53 times the bound on meshes; on rings, and on tori of 2 and 3 axes, at most 1.11 and 1.3 times it
/// for multiples of 8, 1.7, 2.3 and 2.7 times for other even extents, and 3, 4 and 4.4 times for odd ones. Any grid,
/// any placement. O(p) for a part, O(p^2) for the whole.
/// Source: [Calmant] section 5 names the bound for equal axes ("Direct"); the construction is our own.
CUBEFOLD_API Schedule direct_exchange(const Placement& placement, Ports ports, Tie tie);

/// part_of(direct_exchange(...), rank), in other order within a step. Throws std::invalid_argument for a rank that the
/// placement does not have.
CUBEFOLD_API Schedule direct_exchange_part(const Placement& placement, Ports ports, Tie tie, Rank rank);

}  // namespace cubefold
