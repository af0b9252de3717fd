#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "hosts/host_file.hpp"

namespace cubefold::planner {

/// Describes the nodes of a job.
struct Allocation {
  Grid grid;
  std::vector<std::size_t> ranks_on_node;     ///< one number for each node, 1 or more
  std::optional<std::size_t> cores_per_node;  ///< for formats that bind ranks to cores; enough for all ranks
  std::vector<std::string> hosts;             ///< one for each node; empty if they are unknown

  std::size_t rank_count() const { return std::reduce(ranks_on_node.begin(), ranks_on_node.end()); }

  /// Returns whether all nodes have equally many ranks.
  bool is_even() const {
    return std::ranges::adjacent_find(ranks_on_node, std::not_equal_to()) == ranks_on_node.end();
  }

  /// Returns the number of ranks on each node, or the largest one.
  std::size_t per_node() const { return *std::ranges::max_element(ranks_on_node); }
};

/// Returns the nodes of a grid with equally many ranks, whose hosts are unknown.
Allocation even_allocation(Grid grid, std::size_t per_node);

/// The hosts of a job, one for each node of its grid, and their slots, which are 0 if they are not known.
struct JobHosts {
  Grid grid;
  std::vector<JobHost> hosts;
};

/// Reads the host of every node from a host file (parse_host_file()), whose hosts are in the order of the nodes, or
/// from hosts.json. Throws std::invalid_argument with the file and the rule if they do not fit, and
/// std::runtime_error if it cannot be read.
///
/// The hosts of hosts.json have to be on nodes of `grid`, which has to be the part of the network that they use. If
/// they leave nodes of the part empty, or some share one, the grid of the job is network_of_hosts() of the part; `grid`
/// may name either.
JobHosts read_hosts(const std::string& path, const Grid& grid);

/// Throws std::invalid_argument that names the host if one has fewer slots than its node has ranks.
void require_slots(const std::vector<JobHost>& hosts, const std::vector<std::size_t>& ranks_on_node);

/// Returns the node whose host has this name, or nothing. Names are compared without case. Without an equal name, a
/// short name matches a fully qualified name that begins with it, up to the first dot, if exactly one node matches.
/// Launchers differ in which of the two names they expect and print.
std::optional<std::size_t> node_of_host(const std::vector<std::string>& hosts, std::string_view name);

/// Returns a warning if some hosts have short names and others have fully qualified names, or nothing otherwise.
std::optional<std::string> doubt_about(const std::vector<std::string>& hosts);

}  // namespace cubefold::planner
