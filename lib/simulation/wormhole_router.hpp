#pragma once

#include <functional>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// The links of `here` that a message to `to` may take next, the preferred one first; none if and only if
/// here == to. It must lead every message to its end.
using Router = std::function<std::vector<Link>(GridNode here, GridNode to)>;

/// Dimension order, axis 0 first; on a hypercube e-cube. One link each time, on a shortest route.
/// Throws std::invalid_argument for a grid with a wrap link: a ring deadlocks without virtual channels.
CUBEFOLD_API Router dimension_order(const Grid& grid);

/// Negative first: while a coordinate has to fall, any link that lowers one, lowest axis preferred; then any
/// that raises one. Every shortest route of either phase, and only those. On a hypercube this is P-cube.
/// Throws as dimension_order() does. Source: Glass and Ni, "The Turn Model for Adaptive Routing", 1992.
CUBEFOLD_API Router negative_first(const Grid& grid);

/// Whether the dependences between links have no cycle: link a depends on link b if some message that came
/// over a may ask for b. Then no traffic can deadlock under wormhole routing; a cycle means that a router with
/// one choice can deadlock, and leaves it open for one with several.
/// Cost: nodes^2 times choices^2. Source: Dally and Seitz, "Deadlock-Free Message Routing", 1987.
CUBEFOLD_API bool is_free_of_cyclic_waits(const Grid& grid, const Router& router);

}  // namespace cubefold
