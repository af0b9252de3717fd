#include "planner/fabric/network_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "cubefold/topology/route_table.hpp"
#include "program/shown.hpp"

namespace cubefold::planner {

namespace {

using Json = nlohmann::ordered_json;

/// Returns whether every switch has one host, which can stand for it.
bool has_one_host_each(const Fabric& fabric) {
  std::vector<int> hosts(fabric.switches.size());
  for (const FabricHost& host : fabric.hosts) ++hosts[host.on_switch];
  return std::ranges::all_of(hosts, [](int count) { return count == 1; });
}

std::vector<std::uint32_t> hosts_in_order(const Fabric& fabric, const FabricGrid* found) {
  std::vector<std::uint32_t> order(fabric.hosts.size());
  std::iota(order.begin(), order.end(), 0U);
  if (found == nullptr) return order;
  std::ranges::stable_sort(order, {},
                           [&](std::uint32_t i) { return found->node_of_switch[fabric.hosts[i].on_switch]; });
  return order;
}

std::string printable(const std::string& name) {
  return program::shown(name, name.size() + 1);
}

/// The names of the switches in a network file: those of their hosts, if these stand for them.
std::vector<std::string> names_of_switches(const Fabric& fabric, bool is_merged) {
  std::vector<std::string> names;
  for (const std::string& name : fabric.switches) names.push_back(printable(name));
  if (is_merged)
    for (const FabricHost& host : fabric.hosts) names[host.on_switch] = printable(host.name);
  return names;
}

void require_size(std::size_t vertices) {
  if (vertices <= RouteTable::most_nodes) return;
  throw std::invalid_argument(
      fmt::format("a network file has at most {} nodes and switches, and the fabric {}",
                  RouteTable::most_nodes, vertices));
}

Json cables_of(const Fabric& fabric, const std::vector<std::string>& switches, bool is_merged) {
  Json cables = Json::array();
  for (const auto& [cable, number] : fabric.cables)
    cables.push_back({switches[cable.one], switches[cable.other], number});
  if (is_merged) return cables;
  std::vector<std::size_t> cables_of_host(fabric.hosts.size());
  for (const auto& ports : fabric.ports) {
    for (const auto& [port, peer] : ports)
      if (peer.is_host) ++cables_of_host[peer.index];
  }
  for (std::size_t i = 0; i < fabric.hosts.size(); ++i) {
    const FabricHost& host = fabric.hosts[i];
    cables.push_back({printable(host.name), switches[host.on_switch], cables_of_host[i]});
  }
  return cables;
}

/// Adds the routes to a host from the switches from where they begin. The others are parts of these, and hosts with one
/// cable have one way.
void add_routes(const Fabric& fabric, const std::vector<FabricLink>& links, std::uint32_t host,
                const std::vector<std::uint32_t>& next, const std::vector<std::string>& switches,
                bool is_merged, Json& routes) {
  std::vector<bool> is_passed(next.size());
  for (const std::uint32_t link : next)
    if (link != no_link) is_passed[links[link].to] = true;
  for (std::uint32_t from = 0; from < next.size(); ++from) {
    if (is_passed[from]) continue;
    Json route{switches[from]};
    for (std::uint32_t here = from; next[here] != no_link; here = links[next[here]].to)
      route.push_back(switches[links[next[here]].to]);
    if (!is_merged) route.push_back(printable(fabric.hosts[host].name));
    if (route.size() > 1) routes.push_back(std::move(route));
  }
}

}  // namespace

Json network_json(const Fabric& fabric, const FabricGrid* found, const FabricRoutes& routes) {
  const bool is_merged = has_one_host_each(fabric);
  require_size(fabric.hosts.size() + (is_merged ? 0 : fabric.switches.size()));
  const auto order = hosts_in_order(fabric, found);
  const auto switches = names_of_switches(fabric, is_merged);
  const auto links = links_of(fabric);
  Json json{{"nodes", Json::array()}};
  for (const std::uint32_t host : order) json["nodes"].push_back(printable(fabric.hosts[host].name));
  if (!is_merged) json["switches"] = switches;
  if (is_merged && found != nullptr) {
    for (int axis = 0; axis < found->grid.axis_count(); ++axis)
      json["axes"].push_back(found->grid.extent(axis));
  }
  json["cables"] = cables_of(fabric, switches, is_merged);
  auto& list = json["routes"] = Json::array();
  for (const std::uint32_t host : order)
    add_routes(fabric, links, host, routes(host), switches, is_merged, list);
  return json;
}

}  // namespace cubefold::planner
