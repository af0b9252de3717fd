#pragma once

#include <span>
#include <vector>

#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Returns the node of each rank, placed one by one: the rank that exchanges most with those that are placed goes where
/// its weighted hops to them are fewest, among some hundred free nodes around its heaviest partner. Of equals the
/// first. Requires one rank per node. O(messages + nodes^2); the square is for nodes around that are taken, which are
/// fewer.
std::vector<GridNode> greedy_nodes(const Grid& grid, std::span<const Phase> phases);

/// Returns how many nanoseconds or so greedy_nodes() takes.
double work_of_greedy_nodes(const Grid& grid, std::span<const Phase> phases);

}  // namespace cubefold
