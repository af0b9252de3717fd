#pragma once

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/cost.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Complete exchange in as many phases as there are axes (of more than one node), each a LinesPhase, in which all axes
/// work all the time: the block from s to d travels along axes k, k + 1, ... in turn, where
///
///     k = sum of all coordinates of s and d  mod c,
///
/// so that of what a node sends along a line in a phase each k has its share, p / (n c) blocks a message (rounded up or
/// down where c does not divide the extents). No conflicts. Equal extents n on meshes: c max(n^2 / 4, c n) steps, with
/// blocks the bisection bound p n / 4 where n >= 4 c; round rings c max(n^2 / 8, c n), with all ports p n / 8. Any grid
/// and placement. O(c p) for a part, O(c p^2) for the whole. Described in docs/exchange.md; here with whole blocks
/// instead of parts of each.
CUBEFOLD_API Schedule axis_rotated_exchange(const Placement& placement, Ports ports, Tie tie);

/// part_of(axis_rotated_exchange(...), rank), in other order within a step. Throws std::invalid_argument for a rank
/// that the placement does not have.
CUBEFOLD_API Schedule axis_rotated_exchange_part(const Placement& placement, Ports ports, Tie tie, Rank rank);

/// What axis_rotated_exchange() costs on a grid, under any placement. O(steps * c), and permutation_shapes() of each
/// axis.
CUBEFOLD_API ExchangeCost axis_rotated_exchange_cost(const Grid& grid, Ports ports, Tie tie);

}  // namespace cubefold
