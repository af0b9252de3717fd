#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// The place of a process in a network.
struct NetworkPlace {
  GridNode node;
  std::size_t slot;  ///< number of processes on this node before this one
};

/// Returns the names of the resources of a network: `node`, `slot`, `axis/K` for each axis, and `plane/K-L` for each
/// two axes K < L.
CUBEFOLD_API std::vector<std::string> resource_names(const Grid& network);

/// Returns a number that two processes have in common if they use the same resource of this name: the same node, the
/// same slot on any nodes, the same line of nodes along axis K, or the same plane of nodes along axes K and L. It is
/// below the larger of the number of nodes and of slots. Throws std::invalid_argument for a name that resource_names()
/// does not have. The axes of a network from a file only number its nodes.
CUBEFOLD_API std::size_t resource_number(const Grid& network, const NetworkPlace& place,
                                         std::string_view name);

}  // namespace cubefold
