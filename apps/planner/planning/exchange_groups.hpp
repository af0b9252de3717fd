#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::planner {

/// Groups of ranks that perform all-to-alls at the same time, such as the rows of a matrix of ranks.
struct ExchangeGroups {
  std::string phase;    ///< as `alltoall:rows=16x32`
  std::string network;  ///< name of the whole network
  std::size_t group_count = 1;
  std::size_t group_size = 1;  ///< ranks of a group
  Grid grid;                   ///< the part of the network that the nodes of a group use
  std::size_t per_node = 1;    ///< ranks of a group on each of its nodes
  std::size_t sharing = 1;     ///< the most groups that use one node or one link
};

/// Returns the groups of `alltoall`, `alltoall:rows=RxC` or `alltoall:columns=RxC` for per_node ranks on each node of a
/// network; rank r is on node r / per_node. If the groups are on unlike parts of the network, the grid is the part with
/// the largest lower bound of a complete exchange. Throws std::invalid_argument with the text and the rule for another
/// phase, for a weight, and for a group with unequal numbers of ranks on its nodes; also as parse_phase() and
/// without_nodes() do. Costs O(messages between nodes * hops).
ExchangeGroups exchange_groups(const std::string& phase, const Grid& network, std::size_t per_node, Tie tie);

/// Returns a line about the groups, and a second one if they share nodes or links.
std::string groups_text(const ExchangeGroups& groups);

/// Returns an object with the members of the struct.
nlohmann::ordered_json groups_json(const ExchangeGroups& groups);

}  // namespace cubefold::planner
