#pragma once

#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// The network that a grid was before without_nodes() took nodes away, with the node of it that each vertex of the grid
/// was: first those of its nodes, then those of its switches.
struct WholeNetwork {
  Grid grid;
  std::vector<GridNode> node_of_vertex;
};

/// Returns the whole network of a grid that without_nodes() has made, and the grid itself otherwise. Switches that the
/// whole network has already are left out. If nodes were taken away several times, this is the network before the last
/// time. Costs what parse_grid() takes for the whole network.
CUBEFOLD_API WholeNetwork whole_network_of(const Grid& grid);

}  // namespace cubefold
