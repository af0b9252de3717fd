#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "contest.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"
#include "moving_loads.hpp"

namespace cubefold {

/// Returns the nodes of a grid in an order in which successive ones are neighbours: to and fro along axis `fastest`,
/// one step along the next axis at each end, and so on. O(nodes * axes).
std::vector<GridNode> snake(const Grid& grid, int fastest);

/// Returns all ranks in an order that keeps partners together: one set of connected ranks after the other, each as a
/// breadth-first search from one of its far ends meets them. So two ranks that only exchange with each other are
/// successive, ranks of a line stand in the order of the line, and a cycle is folded flat. O(messages log messages).
std::vector<Rank> chain(std::span<const Phase> phases, std::size_t rank_count);

/// Returns the node of each rank, placed one by one: the rank that exchanges most with those that are placed goes where
/// its weighted hops to them are fewest, among some hundred free nodes around its heaviest partner. Of equals the
/// first. Requires one rank per node. O(messages + nodes^2); the square is for nodes around that are taken, which are
/// fewer.
std::vector<GridNode> greedy_nodes(const Grid& grid, std::span<const Phase> phases);

/// Returns how many nanoseconds or so greedy_nodes() takes.
double work_of_greedy_nodes(const Grid& grid, std::span<const Phase> phases);

/// Lays a grid (the guest) on another of as many nodes (the host), with neighbours near each other, in many ways: calls
/// visit(host node of every guest node) for one after the other until it returns false.
///
/// Coordinates of guest axes are split into digits of a mixed radix. Each digit goes to one host axis, whose coordinate
/// is composed of its digits in a mixed radix again. Both are tried in every order, with reflected digits (so that
/// neighbours differ in one digit by one) and without; cycles also folded flat. Ways with few digits come first, which
/// are permutations of the axes where extents are equal. Throws std::invalid_argument unless both grids have as many
/// nodes. O(nodes * axes^2) per visit.
void for_each_folding(const Grid& guest, const Grid& host,
                      const std::function<bool(const std::vector<GridNode>&)>& visit);

struct SwapSearchOptions {
  std::uint64_t seed = 1;

  /// The search ends once the objective is no larger.
  double enough = 0;

  /// By how much loads.work() may grow.
  double work_limit = 0;
};

/// Returns the best placement that a local search finds. It swaps the nodes of two ranks while that makes the objective
/// smaller, or with an equal objective the sum of the squares of all loads, which is what leads off plateaus. When no
/// swap seems to help, it begins again from a few random swaps away from the best. Every other time the first rank is
/// one that loads a busiest link, and every other time the second is near a partner of the first. Equal seeds give
/// equal results.
std::vector<GridNode> swap_search(const Grid& grid, MovingLoads& loads, std::span<const GridNode> start,
                                  const SwapSearchOptions& options);

/// Enters tables of nodes that can be built at once, until one is as good as any can be: the grid in which ranks
/// communicate as neighbours, if there is one, folded on the machine in many ways; then connected ranks one behind the
/// other along the machine. Looks at none that would take more than a part of the effort.
void build_tables(Contest& contest);

/// Enters what local searches over swaps of two nodes find, from the best placement so far and from ranks that were put
/// near their partners one by one. Takes less than half of the effort.
void swap_nodes(Contest& contest);

}  // namespace cubefold
