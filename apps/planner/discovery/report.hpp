#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cubefold/hosts/host_map.hpp"

namespace cubefold::planner {

/// Holds the result of `cubefold discover`: a map, and the part of the network that its hosts use.
struct Discovery {
  HostMap map;
  NetworkPart part;  ///< its nodes are those with hosts, in ascending order of the network's nodes
  std::vector<GridNode> part_node;  ///< for each host of the map
  std::vector<GridNode> holes;      ///< nodes of the part without a host, in ascending order
};

/// Computes the part. Costs O(hosts + nodes of the part). Throws std::invalid_argument for a part of more than 2^24
/// nodes, which no machine has.
Discovery discovery_of(HostMap map);

/// Returns the lines for people: network, part, hosts, holes, source, and a table of the hosts.
std::string discovery_text(const Discovery& discovery);

nlohmann::ordered_json discovery_json(const Discovery& discovery);

}  // namespace cubefold::planner
