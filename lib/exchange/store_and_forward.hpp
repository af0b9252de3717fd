#pragma once

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/cost.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"
#include "schedule/step_source.hpp"

namespace cubefold {

/// Complete exchange on any grid in which all messages go to a neighbouring node. Axis by axis, axis 0 first, every
/// line of nodes exchanges what differs on that axis; on wrapped axes blocks go the shorter way round, at k/2 as the
/// tie rule says. A block waits at most once on an axis, at its source, and then moves on with every step.
///
/// Ports::one: neighbours swap in pairs, in odd steps the pairs that begin with odd coordinates; on wrapped axes of odd
/// extent all send up first, then all down. Ports::all: every node sends to both sides in every step. Free of conflicts
/// under the ports that it is made for. Steps and start-ups of an axis of extent k, and the blocks in the largest
/// messages of its steps together (in aggregated blocks of p/k blocks each, p nodes in all; a wrapped axis of extent 2
/// counts as open):
///
/// | axis            | one port: steps, aggregated blocks | all ports: steps, aggregated blocks    |
/// |-----------------|------------------------------------|----------------------------------------|
/// | open, even      | k - 1, (k - 1)^2                   | k - 1, k (k - 1) / 2                   |
/// | open, odd k > 1 | k, (k - 1)^2 + 1                   | k - 1, k (k - 1) / 2                   |
/// | wrapped, even   | k/2, k^2/4; ties positive:         | k/2, k (k + 2) / 8                     |
/// |                 | k/2 + 1, k (k + 2) / 4             |                                        |
/// | wrapped, odd    | k - 1, (k^2 - 1) / 4               | (k - 1) / 2, (k^2 - 1) / 8             |
///
/// With one port no exchange between neighbours takes fewer steps on a line (the two blocks from end to end of an odd
/// one would have to enter its middle node at once), nor fewer aggregated blocks on a ring with balanced ties (the mean
/// distance times k). With balanced ties a rank never holds more than p blocks where all axes are wrapped or of extent
/// 2; elsewhere it holds fewer than 2 p. Blocks of a message ascend by the node of their source, then by that of their
/// destination.
///
/// O(blocks sent). Source: one of the methods that [Calmant] section 5 compares, without its steps. The pairs that swap
/// are ours; on meshes of c equal axes of even extent n they give the known c (n - 1) start-ups and c (n - 1)^2 p/n
/// blocks.
CUBEFOLD_API Schedule store_and_forward_exchange(const Placement& placement, Ports ports, Tie tie);

/// The same, each step made when it is asked for. Keeps a copy of the placement.
CUBEFOLD_API StepSource store_and_forward_exchange_steps(const Placement& placement, Ports ports, Tie tie);

/// part_of(store_and_forward_exchange(placement, ports, tie), rank) in O(blocks that the rank sends and receives +
/// steps^2). Throws std::invalid_argument for a rank that the placement does not have.
CUBEFOLD_API Schedule store_and_forward_exchange_part(const Placement& placement, Ports ports, Tie tie,
                                                      Rank rank);

/// What store_and_forward_exchange() costs on a grid, under any placement. O(steps + extents).
CUBEFOLD_API ExchangeCost store_and_forward_exchange_cost(const Grid& grid, Ports ports, Tie tie);

}  // namespace cubefold
