#pragma once

#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Returns, for every node of a grid with a route table, the other nodes that are the fewest links away. If no link of
/// a node leads to another node, these are the nodes behind the nearest switches. Costs O(nodes * links) at most.
std::vector<std::vector<GridNode>> nearest_nodes(const Grid& grid);

/// Returns all nodes of a grid with a route table in an order in which successive nodes are near each other: from node
/// 0 always on to the nearest node that has not come yet, and among equally near ones to the smallest. Costs
/// O(nodes^2).
std::vector<GridNode> tour(const Grid& grid);

}  // namespace cubefold
