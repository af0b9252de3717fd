#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold::planner {

/// Describes the nodes of a job. Every node of the grid runs `per_node` processes.
struct Allocation {
  Grid grid;
  std::size_t per_node = 1;
  std::optional<std::size_t> cores_per_node;  ///< per_node or more, for formats that bind ranks to cores
  std::vector<std::string> hosts;             ///< one for each node; empty if they are unknown

  std::size_t rank_count() const { return grid.node_count() * per_node; }
};

/// The hosts of a job, one for each node of its grid.
struct JobHosts {
  Grid grid;
  std::vector<std::string> names;
};

/// Reads the host of every node from a file in the format of Open MPI's hostfiles, or from hosts.json. The lines of a
/// hostfile are `HOST` or `HOST slots=N`, in the order of the nodes, and `#` begins a comment. A host with N slots runs
/// at most N processes. Throws std::runtime_error with file, line and rule if a host is listed twice, if the number of
/// hosts is not that of the nodes, or if a host has fewer than per_node slots.
///
/// The hosts of hosts.json have to be on nodes of `grid`, which has to be the part of the network that they use. If
/// they leave nodes of the part empty, or some share one, the grid of the job is network_of_hosts() of the part; `grid`
/// may name either. Throws std::invalid_argument with the file and the rule if they do not fit.
JobHosts read_hosts(const std::string& path, const Grid& grid, std::size_t per_node);

/// Returns the node whose host has this name, or nothing. Without an equal name, a short name matches a fully qualified
/// name that begins with it, up to the first dot, if exactly one node matches. Launchers differ in which of the two
/// names they expect and print.
std::optional<std::size_t> node_of_host(const std::vector<std::string>& hosts, std::string_view name);

/// Returns a warning if some hosts have short names and others have fully qualified names, or nothing otherwise.
std::optional<std::string> doubt_about(const std::vector<std::string>& hosts);

}  // namespace cubefold::planner
