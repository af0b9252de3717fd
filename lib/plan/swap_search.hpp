#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/plan/mapping.hpp"

namespace cubefold {

/// Node of each rank, built up one by one: the rank that exchanges most with those that are placed goes where its weighted
/// hops to them are fewest. The first of equals. Requires one rank per node. O(nodes * (nodes + messages)) distances.
std::vector<GridNode> greedy_nodes(const Grid& grid, std::span<const Phase> phases);

/// How many nanoseconds or so greedy_nodes() takes.
double work_of_greedy_nodes(const Grid& grid, std::span<const Phase> phases);

/// Swaps the nodes of two ranks while that makes the objective smaller, or with an equal objective the sum of the squares of
/// all loads, which is what leads off plateaus; until no swap seems to help or the work is used up. One of the two ranks is
/// every other time one that loads a busiest link, and the other every other time one near a partner of the first. Random, so the seed matters.
std::vector<GridNode> swap_search(const Grid& grid, std::span<const Phase> phases,
                                  const MappingOptions& options, std::vector<GridNode> nodes,
                                  double work_limit);

}  // namespace cubefold
