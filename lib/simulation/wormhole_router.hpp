#pragma once

#include <functional>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Returns the links of `here` that a message to `to` may take next, the preferred one first. Returns none if and only
/// if here == to. A router must lead every message to its destination.
using Router = std::function<std::vector<Link>(GridNode here, GridNode to)>;

/// Returns the router of dimension order, axis 0 first; on a hypercube this is e-cube. It offers one link each time, on
/// a shortest route. Throws std::invalid_argument for a grid with a wrap link, since a ring deadlocks without virtual
/// channels.
CUBEFOLD_API Router dimension_order(const Grid& grid);

/// Returns the negative-first router. While a coordinate has to fall, it offers every link that lowers a coordinate
/// which has to fall, the lowest axis first. After that it offers every link that raises one. It allows every shortest
/// route in either phase, and no other route. On a hypercube this is P-cube. Throws what dimension_order() throws.
/// Source: Glass and Ni, "The Turn Model for Adaptive Routing", 1992.
CUBEFOLD_API Router negative_first(const Grid& grid);

/// Returns whether the dependences between links have no cycle. Link a depends on link b if some message that came over
/// a may request b. Without a cycle no traffic can deadlock under wormhole routing. A router with one choice can
/// deadlock if there is a cycle; for a router with several choices, a cycle leaves the question open. Costs O(nodes^2 *
/// choices^2). Source: Dally and Seitz, "Deadlock-Free Message Routing", 1987.
CUBEFOLD_API bool is_free_of_cyclic_waits(const Grid& grid, const Router& router);

}  // namespace cubefold
