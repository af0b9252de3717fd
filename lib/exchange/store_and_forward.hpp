#pragma once

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Builds a complete exchange on any grid in which every message goes to a neighbouring node. The axes follow one
/// another, axis 0 first. On its axis every line of nodes exchanges the blocks whose source and destination differ
/// there. On wrapped axes blocks go the shorter way round, and at distance k/2 the tie rule decides. A block waits at
/// most once on an axis, at its source, and then makes a hop in every step.
///
/// With Ports::one, neighbours swap in pairs; in odd steps the pairs begin with odd coordinates. On wrapped axes of odd
/// extent all nodes send up first and then down. With Ports::all, every node sends to both sides in every step. The
/// schedule is free of conflicts under the ports that it is built for.
///
/// The table has the steps of an axis of extent k, which are also its start-ups. It also has the sum over the steps of
/// the largest message, in aggregated blocks of p/k blocks each, with p nodes in all. A wrapped axis of extent 2 counts
/// as open.
///
/// | axis            | one port: steps, aggregated blocks | all ports: steps, aggregated blocks    |
/// |-----------------|------------------------------------|----------------------------------------|
/// | open, even      | k - 1, (k - 1)^2                   | k - 1, k (k - 1) / 2                   |
/// | open, odd k > 1 | k, (k - 1)^2 + 1                   | k - 1, k (k - 1) / 2                   |
/// | wrapped, even   | k/2, k^2/4; ties positive:         | k/2, k (k + 2) / 8                     |
/// |                 | k/2 + 1, k (k + 2) / 4             |                                        |
/// | wrapped, odd    | k - 1, (k^2 - 1) / 4               | (k - 1) / 2, (k^2 - 1) / 8             |
///
/// With one port, no exchange between neighbours takes fewer steps on a line: on an odd line, the two blocks from end
/// to end would have to enter the middle node at once. No exchange takes fewer aggregated blocks on a ring with
/// balanced ties, where they are the mean distance times k. With balanced ties, a rank never holds more than p blocks
/// if every axis is wrapped or of extent 2; otherwise it holds fewer than 2 p. The blocks of a message ascend by the
/// node of their source, then by that of their destination.
///
/// Costs O(blocks sent). Source: one of the methods that [Calmant] section 5 compares, which does not give its steps.
/// The pairs that swap are ours. On meshes of c equal axes of even extent n they give the known c (n - 1) start-ups and
/// c (n - 1)^2 p/n blocks.
CUBEFOLD_API Schedule store_and_forward_exchange(const Placement& placement, Ports ports, Tie tie);

/// Returns part_of(store_and_forward_exchange(placement, ports, tie), rank) in O(blocks that the rank sends and
/// receives + steps^2). Throws std::invalid_argument for a rank that the placement does not have.
CUBEFOLD_API Schedule store_and_forward_exchange_part(const Placement& placement, Ports ports, Tie tie,
                                                      Rank rank);

/// Returns the cost of store_and_forward_exchange() on a grid, which is the same under any placement. Costs O(steps +
/// extents).
CUBEFOLD_API ExchangeCost store_and_forward_exchange_cost(const Grid& grid, Ports ports, Tie tie);

}  // namespace cubefold
