#include "planner/discovery/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "program/program.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

constexpr std::size_t most_nodes = std::size_t{1} << 24;
constexpr std::size_t most_hosts_in_table = 64;
constexpr std::size_t most_holes_in_text = 8;

std::string place_text(const Grid& grid, GridNode node) {
  return fmt::format("{}", fmt::join(grid.coordinates(node), " "));
}

std::string part_text(const Discovery& discovery) {
  const std::size_t nodes = discovery.part.grid.node_count();
  return fmt::format(
      "{}, {}, {}", to_string(discovery.part.grid), program::counted(nodes, "node"),
      discovery.holes.empty() ? "whole" : "with " + program::counted(discovery.holes.size(), "hole"));
}

std::string holes_text(const Discovery& discovery) {
  std::vector<std::string> places;
  for (const GridNode node : discovery.holes) {
    if (places.size() == most_holes_in_text) break;
    places.push_back(fmt::format("({})", place_text(discovery.part.grid, node)));
  }
  const bool has_more = discovery.holes.size() > places.size();
  return fmt::format("{}{}", fmt::join(places, " "), has_more ? " ..." : "");
}

std::string table_of_hosts(const Discovery& discovery) {
  const HostMap& map = discovery.map;
  std::size_t name_width = 4;
  std::size_t place_width = 10;
  for (const Host& host : map.hosts()) {
    name_width = std::max(name_width, host.name.size());
    place_width = std::max(place_width, place_text(map.network(), host.node).size());
  }
  std::string text =
      fmt::format("\n{:<{}}  {:<{}}  {}\n", "host", name_width, "in network", place_width, "in part");
  for (std::size_t i = 0; i < map.hosts().size(); ++i) {
    const Host& host = map.hosts()[i];
    text += fmt::format("{:<{}}  {:<{}}  {}\n", host.name, name_width, place_text(map.network(), host.node),
                        place_width, place_text(discovery.part.grid, discovery.part_node[i]));
  }
  return text;
}

std::vector<GridNode> holes_of(const NetworkPart& part) {
  std::vector<bool> has_host(part.grid.node_count());
  for (const GridNode node : part.nodes) has_host[static_cast<std::size_t>(node)] = true;
  std::vector<GridNode> holes;
  for (std::size_t node = 0; node < has_host.size(); ++node)
    if (!has_host[node]) holes.push_back(static_cast<GridNode>(node));
  return holes;
}

}  // namespace

Discovery discovery_of(HostMap map) {
  std::vector<GridNode> nodes;
  std::vector<std::size_t> position_of_host;
  for (const Host& host : map.hosts()) {
    if (nodes.empty() || nodes.back() != host.node) nodes.push_back(host.node);
    position_of_host.push_back(nodes.size() - 1);
  }
  NetworkPart part = part_of(map.network(), nodes);
  if (part.grid.node_count() > most_nodes) {
    throw std::invalid_argument(
        fmt::format("the hosts lie far apart: {} has more than {} nodes", to_string(part.grid), most_nodes));
  }
  std::vector<GridNode> part_node;
  part_node.reserve(position_of_host.size());
  for (const std::size_t position : position_of_host) part_node.push_back(part.nodes[position]);
  auto holes = holes_of(part);
  return {std::move(map), std::move(part), std::move(part_node), std::move(holes)};
}

std::string discovery_text(const Discovery& discovery) {
  const HostMap& map = discovery.map;
  constexpr std::size_t most_bytes = 500;
  std::string text = fmt::format("network  {}\npart     {}\nhosts    {} on {}\n", to_string(map.network()),
                                 part_text(discovery), map.hosts().size(),
                                 program::counted(discovery.part.nodes.size(), "node"));
  if (!discovery.holes.empty()) text += fmt::format("holes    {}\n", holes_text(discovery));
  text += fmt::format("source   {}\n", program::shown(map.source(), most_bytes));
  return map.hosts().size() > most_hosts_in_table ? text : text + table_of_hosts(discovery);
}

nlohmann::ordered_json discovery_json(const Discovery& discovery) {
  const HostMap& map = discovery.map;
  nlohmann::ordered_json json{{"network", to_string(map.network())},
                              {"part", to_string(discovery.part.grid)},
                              {"whole", discovery.holes.empty()},
                              {"source", program::shown(map.source(), map.source().size() + 1)}};
  auto& hosts = json["hosts"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < map.hosts().size(); ++i) {
    const Host& host = map.hosts()[i];
    hosts.push_back({{"name", host.name},
                     {"at", map.network().coordinates(host.node)},
                     {"in_part", discovery.part.grid.coordinates(discovery.part_node[i])}});
    if (host.slots > 0) hosts.back()["slots"] = host.slots;
  }
  auto& holes = json["holes"] = nlohmann::ordered_json::array();
  for (const GridNode node : discovery.holes) holes.push_back(discovery.part.grid.coordinates(node));
  return json;
}

}  // namespace cubefold::planner
