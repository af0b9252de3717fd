#pragma once

#include <span>
#include <vector>

#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Returns the nodes of a grid in an order in which successive ones are neighbours: to and fro along axis `fastest`,
/// one step along the next axis at each end, and so on. O(nodes * axes).
std::vector<GridNode> snake(const Grid& grid, int fastest);

/// Returns all ranks in an order that keeps partners together: one set of connected ranks after the other, each as a
/// breadth-first search from one of its far ends meets them. So two ranks that only exchange with each other are
/// successive, ranks of a line stand in the order of the line, and a cycle is folded flat. O(messages log messages).
std::vector<Rank> chain(std::span<const Phase> phases, std::size_t rank_count);

}  // namespace cubefold
