#pragma once

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Builds a complete exchange in which all axes work all the time. It has as many phases as there are axes of more than
/// one node, c in number, and each phase is a LinesPhase. The block from s to d travels along axes k, k + 1, ... in
/// cyclic order, where
///
///     k = (sum of all coordinates of s and d) mod c.
///
/// In a phase, a message along an axis carries the blocks of one k: p / (n c) of them, rounded up or down if c does not
/// divide the extents. No two messages of a step conflict. Works on any grid under any placement.
///
/// With equal extents n <= 15, the exchange takes c max(n^2 / 4, c (n - 1)) steps on meshes, rounded down, and c
/// max(n^2 / 8, c (n - 1)) steps on tori, rounded up. Longer extents that are powers of two take as many with n in
/// place of n - 1. If n >= 4 c on a mesh, the blocks on the busiest link meet the bisection bound p n / 4. On tori
/// with all ports they are p n / 8. Costs O(c p) for a part and O(c p^2) for the whole. docs/exchange-steps.md
/// describes the exchange. It moves whole blocks, not parts of each block.
CUBEFOLD_API Schedule axis_rotated_exchange(const Placement& placement, Ports ports, Tie tie);

/// Returns part_of(axis_rotated_exchange(...), rank) with the messages of a step in another order. Throws
/// std::invalid_argument for a rank that the placement does not have.
CUBEFOLD_API Schedule axis_rotated_exchange_part(const Placement& placement, Ports ports, Tie tie, Rank rank);

/// Returns the cost of axis_rotated_exchange() on a grid, which is the same under any placement. Costs O(steps * c) and
/// what LinesRounds costs.
CUBEFOLD_API ExchangeCost axis_rotated_exchange_cost(const Grid& grid, Ports ports, Tie tie);

}  // namespace cubefold
