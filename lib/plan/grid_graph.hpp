#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "partner_graph.hpp"

namespace cubefold {

/// Ranks that communicate as neighbours in a grid do: two ranks exchange messages if and only if a link joins their
/// nodes. The last axis may be an exception, along which no messages go: it tells equal grids apart.
struct GridGraph {
  Grid grid;
  std::vector<GridNode> node_of_rank;  ///< a bijection
};

/// Returns the grid whose graph this is, whatever numbers the ranks have, or nothing if there is none. Its axes are
/// open or wrapped, the longest first; a ring of four is two axes of extent 2, which is the same graph. Several equal
/// grids that exchange nothing are one grid with an axis more. Halo exchanges without diagonals are such graphs.
///
/// Two edges at a rank are on one axis if no square has both, and opposite edges of a square are on one axis; that
/// fixes all coordinates. The result is compared with the graph edge by edge, so it is exact. O(ranks * d^3 log d) for
/// d partners of a rank.
std::optional<GridGraph> recognise_grid(const PartnerGraph& graph);

/// Removes the edges that lead along several axes at once, if the graph is that of a halo exchange with diagonals;
/// other graphs lose other edges. With N(x) the partners of x and x, the edge of x and y goes if there is a z so that
/// N(x) & N(y) is a proper subset of N(x) & N(z), or N(x) of N(z) and N(z) of N(y); and the same with x and y
/// exchanged. Source: Hammack and Imrich 2009, Cartesian skeletons for the strong product. O(ranks * d^3 log d).
PartnerGraph without_diagonals(const PartnerGraph& graph);

}  // namespace cubefold
