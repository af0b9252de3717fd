#include "planner/launchers/allocation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "cubefold/hosts/host_map.hpp"
#include "hosts/source.hpp"
#include "planner/text/lines.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

bool is_qualified(std::string_view name) {
  return name.find('.') != std::string_view::npos;
}

std::string_view short_name(std::string_view name) {
  return name.substr(0, name.find('.'));
}

std::string host_on(const Lines& lines, std::size_t per_node) {
  const auto words = lines.words();
  const std::string_view host = words[0];
  if (program::shown(host, host.size()) != host) {
    lines.fail(fmt::format("the host '{}' has control characters", program::shown(host)));
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i].starts_with("slots=")) {
      lines.fail(fmt::format("'{}' behind the host is not slots=N", words[i]));
    }
    const auto slot_count = lines.whole_number(words[i].substr(6), "the number of slots");
    if (slot_count < per_node) {
      lines.fail(fmt::format("{} has {} for {}", host, program::counted(slot_count, "slot"),
                             program::counted(per_node, "process")));
    }
  }
  return std::string(host);
}

std::vector<std::string> hosts_of_lines(const std::string& path, std::string text, std::size_t node_count,
                                        std::size_t per_node) {
  Lines lines(path, std::move(text));
  std::vector<std::string> hosts;
  std::map<std::string, std::size_t> line_of;
  while (lines.next()) {
    if (hosts.size() == node_count) {
      lines.fail(fmt::format("more than {}, one for each node", program::counted(node_count, "host")));
    }
    hosts.push_back(host_on(lines, per_node));
    if (const auto [first, is_new] = line_of.emplace(hosts.back(), lines.number()); !is_new) {
      lines.fail(fmt::format("{} stands on line {} already; a node has one line, whatever its slots",
                             hosts.back(), first->second));
    }
  }
  if (hosts.size() < node_count) {
    lines.fail(fmt::format("the file ends after {} where the grid has {}",
                           program::counted(hosts.size(), "host"), program::counted(node_count, "node")));
  }
  return hosts;
}

/// Throws unless the hosts have enough slots.
void require_slots(const HostMap& map, std::size_t per_node) {
  for (const Host& host : map.hosts()) {
    if (host.slots == 0 || host.slots >= per_node) continue;
    throw std::invalid_argument(fmt::format("{} has {} for {}", host.name,
                                            program::counted(host.slots, "slot"),
                                            program::counted(per_node, "process")));
  }
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
JobHosts hosts_of_map(const HostMap& map, const Grid& asked_for, std::size_t per_node) {
  require_slots(map, per_node);
  std::vector<GridNode> nodes;
  nodes.reserve(map.hosts().size());
  for (const Host& host : map.hosts()) nodes.push_back(host.node);
  const NetworkPart part = part_of(map.network(), nodes);
  std::multimap<GridNode, std::string> host_on;
  for (std::size_t i = 0; i < nodes.size(); ++i) host_on.emplace(part.nodes[i], map.hosts()[i].name);
  JobHosts hosts{grid_of_job(part, map.network(), asked_for), {}};
  for (auto& [node, name] : host_on) hosts.names.push_back(std::move(name));
  return hosts;
}

}  // namespace

JobHosts read_hosts(const std::string& path, const Grid& grid, std::size_t per_node) {
  std::string text = program::read_text(path);
  if (!json_source.recognises(text))
    return {grid, hosts_of_lines(path, std::move(text), grid.node_count(), per_node)};
  try {
    return hosts_of_map(parse_host_map(text), grid, per_node);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("hosts file {}: {}", path, error.what()));
  }
}

std::optional<std::size_t> node_of_host(const std::vector<std::string>& hosts, std::string_view name) {
  std::optional<std::size_t> found;
  bool is_ambiguous = false;
  for (std::size_t node = 0; node < hosts.size(); ++node) {
    const std::string_view known = hosts[node];
    if (known == name) return node;
    if (is_qualified(known) == is_qualified(name) || short_name(known) != short_name(name)) continue;
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
