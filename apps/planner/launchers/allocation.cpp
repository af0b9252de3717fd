#include "planner/launchers/allocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "cubefold/hosts/host_map.hpp"
#include "hosts/host_name.hpp"
#include "hosts/source.hpp"
#include "program/json.hpp"
#include "program/program.hpp"

namespace cubefold::planner {

namespace {

bool is_qualified(std::string_view name) {
  return name.find('.') != std::string_view::npos;
}

/// Returns the hosts of a host file, one for each node.
std::vector<JobHost> hosts_of_lines(std::string_view text, std::size_t node_count) {
  std::vector<JobHost> hosts = parse_host_file(text);
  if (hosts.size() == node_count) return hosts;
  throw std::invalid_argument(fmt::format("{} where the grid has {}", program::counted(hosts.size(), "host"),
                                          program::counted(node_count, "node")));
}

/// Returns whether two grids number the same nodes and links alike. A wrapped axis of extent 2 is no other than an open
/// one.
bool have_same_links(const Grid& one, const Grid& other) {
  if (one.route_table() != nullptr || other.route_table() != nullptr) return one == other;
  bool same = one.axis_count() == other.axis_count();
  for (int axis = 0; same && axis < one.axis_count(); ++axis)
    same = one.extent(axis) == other.extent(axis) && one.has_wrap_link(axis) == other.has_wrap_link(axis);
  return same;
}

/// Returns the grid of a job's hosts. Throws unless the grid that was asked for is this one or the part of the network
/// on whose nodes the hosts are.
Grid grid_of_job(const NetworkPart& part, const Grid& network, const Grid& asked_for) {
  std::vector<std::uint32_t> host_count(part.grid.node_count());
  for (const GridNode node : part.nodes) ++host_count[static_cast<std::size_t>(node)];
  Grid grid = network_of_hosts(part.grid, host_count);
  if (have_same_links(part.grid, asked_for)) return grid == part.grid ? asked_for : grid;
  if (grid == asked_for) return grid;
  throw std::invalid_argument(fmt::format("its hosts use {} of {}, not {}", to_string(grid),
                                          to_string(network), to_string(asked_for)));
}

/// Returns the hosts in the order of the nodes of the part that they use.
JobHosts hosts_of_map(const HostMap& map, const Grid& asked_for) {
  std::vector<GridNode> nodes;
  nodes.reserve(map.hosts().size());
  for (const Host& host : map.hosts()) nodes.push_back(host.node);
  const NetworkPart part = part_of(map.network(), nodes);
  std::multimap<GridNode, JobHost> host_on;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    host_on.emplace(part.nodes[i], JobHost{map.hosts()[i].name, map.hosts()[i].slots});
  JobHosts hosts{grid_of_job(part, map.network(), asked_for), {}};
  for (auto& [node, host] : host_on) hosts.hosts.push_back(std::move(host));
  return hosts;
}

}  // namespace

Allocation even_allocation(Grid grid, std::size_t per_node) {
  std::vector<std::size_t> ranks_on_node(grid.node_count(), per_node);
  return {std::move(grid), std::move(ranks_on_node), {}, {}};
}

JobHosts read_hosts(const std::string& path, const Grid& grid) {
  const std::string text = program::read_text(path);
  try {
    if (json_source.recognises(text)) return hosts_of_map(parse_host_map(text), grid);
    return {grid, hosts_of_lines(text, grid.node_count())};
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("hosts file {}: {}", path, error.what()));
  }
}

void require_slots(const std::vector<JobHost>& hosts, const std::vector<std::size_t>& ranks_on_node) {
  for (std::size_t node = 0; node < hosts.size(); ++node) {
    const auto& [name, slots] = hosts[node];
    if (slots == 0 || slots >= ranks_on_node[node]) continue;
    throw std::invalid_argument(fmt::format("host {} has {} for {}", name, program::counted(slots, "slot"),
                                            program::counted(ranks_on_node[node], "process")));
  }
}

std::optional<std::size_t> node_of_host(const std::vector<std::string>& hosts, std::string_view name) {
  std::optional<std::size_t> found;
  bool is_ambiguous = false;
  for (std::size_t node = 0; node < hosts.size(); ++node) {
    const std::string_view known = hosts[node];
    if (is_same_host_name(known, name)) return node;
    const bool is_same_up_to_dot = is_same_host_name(short_host_name(known), short_host_name(name));
    if (is_qualified(known) == is_qualified(name) || !is_same_up_to_dot) continue;
    is_ambiguous = found.has_value();
    found = node;
  }
  return is_ambiguous ? std::nullopt : found;
}

std::optional<std::string> doubt_about(const std::vector<std::string>& hosts) {
  const auto one = std::find_if(hosts.begin(), hosts.end(), is_qualified);
  const auto other = std::find_if_not(hosts.begin(), hosts.end(), is_qualified);
  if (one == hosts.end() || other == hosts.end()) return std::nullopt;
  return fmt::format(
      "hosts are named both ways, {} and {}; launchers may not know them for the same machines", *one,
      *other);
}

}  // namespace cubefold::planner
