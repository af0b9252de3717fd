#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/export.h"
#include "fabric_routes.hpp"

namespace cubefold {

/// Says how an all-to-all of all hosts uses the links between switches.
struct LinkUse {
  std::vector<std::uint64_t> messages;                ///< on each link
  std::vector<std::vector<std::uint32_t>> followers;  ///< for each link, those by which its messages go on
};

/// Counts one message from each host to each other host along the routes. Throws std::invalid_argument with a switch
/// and a host if messages from the one never arrive at the other. Costs O(switches) for every host.
CUBEFOLD_API LinkUse use_of_links(const Fabric& fabric, const FabricRoutes& routes);

/// Returns a cycle of links, each with the next one among its followers, or nothing if there is none. Then no set of
/// messages can wait for each other in a circle, even if all links have one queue (Dally and Seitz, 1987: the channel
/// dependency graph has no cycle). The cycle is the shortest one through one of its links. Costs O(followers) if there
/// is none.
CUBEFOLD_API std::vector<std::uint32_t> dependency_cycle(
    const std::vector<std::vector<std::uint32_t>>& followers);

}  // namespace cubefold
