#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "best_placement.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"
#include "moving_loads.hpp"
#include "partner_graph.hpp"

namespace cubefold {

/// Returns the nodes of a grid in an order in which successive nodes are neighbours: to and fro along axis `fastest`,
/// with one step along the next axis at each end, and so on. Costs O(nodes * axes).
std::vector<GridNode> snake(const Grid& grid, int fastest);

/// Returns the nodes of a grid strip by strip: each strip has `width` successive coordinates on the axis. A strip is
/// passed to and fro along the other axes, at each place through its whole width in ascending order, and every other
/// strip is passed backwards. Requires a width of at least 1. Costs O(nodes * axes).
std::vector<GridNode> strips(const Grid& grid, int axis, std::uint32_t width);

/// Returns all ranks in an order that keeps partners close: one connected component after the other, each in the order
/// of a breadth-first search from a rank that is far from its smallest one. Two ranks that exchange only with each
/// other are therefore successive, the ranks of a line are in the order of the line, and a cycle is folded flat. Costs
/// O(messages log messages).
std::vector<Rank> chain(std::span<const Phase> phases, std::size_t rank_count);

/// Returns the node of each rank after a greedy placement. The next rank is the one that exchanges most with the placed
/// ranks. It gets the node with the fewest weighted hops to them, among some hundred free nodes around its heaviest
/// partner. The first of equals wins. Requires one rank per node. Costs at most O(messages + nodes^2), because the
/// search around a partner passes occupied nodes.
std::vector<GridNode> greedy_nodes(const Grid& grid, std::span<const Phase> phases);

/// Returns roughly the nanoseconds that greedy_nodes() takes.
double work_of_greedy_nodes(const Grid& grid, std::span<const Phase> phases);

/// Embeds a grid (the guest) into another one of as many nodes (the host) in many ways that keep neighbours close.
/// Calls visit(host node of every guest node) for each of them until visit() returns false.
///
/// The coordinate on a guest axis is split into digits of a mixed radix. Each digit belongs to one host axis, whose
/// coordinate is composed of its digits in mixed radix. The digits are tried in every order, with reflection (so that
/// neighbours differ in one digit by one) and without. Cycles are also folded flat, and closed in the box of their
/// digits. Embeddings with few digits come first; if the extents are equal, these are permutations of the axes. Throws
/// std::invalid_argument unless both grids have the same number of nodes. Costs O(nodes * axes^2) per visit.
void for_each_folding(const Grid& guest, const Grid& host,
                      const std::function<bool(const std::vector<GridNode>&)>& visit);

struct SwapSearchOptions {
  std::uint64_t seed = 1;

  /// The search ends when the objective is not larger than this.
  double enough = 0;

  /// The amount by which loads.work() may grow.
  double work_limit = 0;
};

/// Returns the best placement that a local search finds. The search swaps the nodes of two ranks if this decreases the
/// objective, or if it decreases the sum of the squares of all loads at an equal objective, which helps to leave
/// plateaus. If many swaps in a row fail, the search starts again from the best placement after some random swaps. With
/// probability 1/2 the first rank is one that loads a busiest link, and with probability 1/2 the second rank is near a
/// partner of the first. Equal seeds give equal results.
std::vector<GridNode> swap_search(const Grid& grid, MovingLoads& loads, std::span<const GridNode> start,
                                  const SwapSearchOptions& options);

/// Returns the best of all placements, or the first one whose objective is not larger than `enough`. Among equal
/// objectives the smallest sum of the squares of all loads wins. Each placement differs from the one before by a swap
/// of two nodes. Costs n! swaps for n ranks. Source: Heap, The Computer Journal 6(3), 1963.
std::vector<GridNode> best_of_all(MovingLoads& loads, std::span<const GridNode> start, double enough);

/// Returns the work that one search may take. At most eight such parts are used: two for recognition, one for foldings,
/// half a part each for holes and shifts, and four for swaps.
double part_of_effort(const BestPlacement& placements);

/// Returns roughly the nanoseconds that it takes to enter one table into the placements.
double work_of_entry(const BestPlacement& placements);

/// Returns the node of each rank if the i-th of the ranks is on the i-th of the nodes.
std::vector<GridNode> ranks_at(const std::vector<GridNode>& nodes, const std::vector<Rank>& ranks);

/// Offers placements on a network with switches, and none on other grids: the ranks in several orders along strips of
/// the whole network of every width, past the nodes without hosts. `graph` is the phases' own grid, if there is one.
/// The function uses half a part of the effort.
void follow_strips(BestPlacement& placements, const std::optional<GridGraph>& graph);

/// Offers tables of nodes that can be built directly, until one reaches the lower bound. If the ranks communicate as
/// the neighbours of a grid, the first tables fold this grid on the machine in many ways; otherwise they number the
/// ranks along the machine's axes in all orders. The next ones put connected ranks one behind the other along the
/// machine. On a grid with a route table, the last ones shift the best of these along the axes. The function uses no
/// more than a part of the effort. Returns whether swaps may gain something: they do not if all links are equally
/// loaded and ranks next to each other in the phases' grid are on neighbouring nodes.
bool build_tables(BestPlacement& placements);

/// Offers the placements that local searches over swaps of two nodes find. They start from the best placement so far,
/// from the starts of the options, and from greedy_nodes(). The function uses half of the effort. On networks of up
/// to 8 nodes it enters the best of all placements instead, if that takes a quarter of a part of the effort at most.
void swap_nodes(BestPlacement& placements);

}  // namespace cubefold
