#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold::planner {

/// The places of a job's processes: per_node of them run on every node of the grid.
struct Allocation {
  Grid grid;
  std::size_t per_node = 1;
  std::optional<std::size_t> cores_per_node;  ///< per_node or more, for formats that bind ranks to cores
  std::vector<std::string> hosts;             ///< of the nodes; empty if nobody gave them

  std::size_t rank_count() const { return grid.node_count() * per_node; }
};

/// Reads the names that launchers have for the nodes, in node order: `HOST` or `HOST slots=N` a line, `#` comments, as
/// Open MPI's hostfiles. Slots are how many processes a host takes. Throws std::runtime_error with file, line and rule:
/// for a host that comes twice, for too few or too many lines, and for a host with fewer slots than a node has
/// processes.
std::vector<std::string> read_hosts(const std::string& path, std::size_t node_count, std::size_t per_node);

/// The node with that host: by the very name, or else by what is before the first dot if one of the two has no more
/// than that and only one node matches. Launchers differ in which of the two names they want and print.
std::optional<std::size_t> node_of_host(const std::vector<std::string>& hosts, std::string_view name);

/// A warning about hosts whose names are short on some lines and fully qualified on others.
std::optional<std::string> doubt_about(const std::vector<std::string>& hosts);

}  // namespace cubefold::planner
