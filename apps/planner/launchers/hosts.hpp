#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubefold::planner {

/// Reads the names that launchers have for the nodes, in node order: `HOST` or `HOST slots=N` a line, `#` comments, as Open
/// MPI's hostfiles. Slots are how many processes a host takes. Throws std::runtime_error with file, line and rule: for a
/// host that comes twice, for too few or too many lines, and for a host with fewer slots than a node has processes.
std::vector<std::string> read_hosts(const std::string& path, std::size_t node_count, std::size_t per_node);

/// The node with that host: by the very name, or else by what is before the first dot if one of the two has no more than that
/// and only one node matches. Launchers differ in which of the two names they want and print.
std::optional<std::size_t> node_of_host(const std::vector<std::string>& hosts, std::string_view name);

/// What looks wrong about hosts that are in order otherwise: short names beside fully qualified ones.
std::optional<std::string> doubt_about(const std::vector<std::string>& hosts);

}  // namespace cubefold::planner
