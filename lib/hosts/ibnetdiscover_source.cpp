#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "fabric_grid.hpp"
#include "ibnetdiscover_elements.hpp"
#include "source.hpp"

namespace cubefold {

namespace {

std::string cable_text(const Fabric& fabric) {
  std::size_t least = fabric.cables.begin()->second;
  std::size_t most = least;
  for (const auto& [cable, number] : fabric.cables) {
    least = std::min(least, number);
    most = std::max(most, number);
  }
  if (most == 1) return "";
  return least == most ? fmt::format(", {} cables between neighbours", most)
                       : fmt::format(", {} to {} cables between neighbours", least, most);
}

std::string missing_text(const Fabric& fabric, const std::vector<GraphEdge>& missing) {
  std::string text;
  for (const auto& [one, other] : missing)
    text += fmt::format(", no cable {} - {}", fabric.switches[one], fabric.switches[other]);
  return text;
}

std::string remarks_text(const Fabric& fabric) {
  std::string text;
  for (const std::string& remark : remarks_on(fabric)) text += "; " + remark;
  return text;
}

HostMap map_of_fabric(const Fabric& fabric, const std::optional<Grid>& wanted, const std::string& name) {
  const FabricGrid found = grid_of_fabric(fabric, wanted);
  std::vector<Host> hosts;
  hosts.reserve(fabric.hosts.size());
  for (const FabricHost& host : fabric.hosts)
    hosts.push_back({host.name, found.node_of_switch[host.on_switch]});
  return {network_of(found), std::move(hosts),
          fmt::format("ibnetdiscover, {}: {} switches{}{}{}", name, fabric.switches.size(),
                      cable_text(fabric), missing_text(fabric, found.missing), remarks_text(fabric))};
}

HostMap map_of_text(const SourceInput& input) {
  return map_of_only_text(input, "ibnetdiscover", [&](const SourceText& text) {
    return map_of_fabric(parse_ibnetdiscover(text.text, input.adapter), input.grid, text.name);
  });
}

}  // namespace

const HostSource ibnetdiscover_source{
    "ibnetdiscover", "its output, for a torus, mesh or hypercube of switches", is_ibnetdiscover, map_of_text};

}  // namespace cubefold
