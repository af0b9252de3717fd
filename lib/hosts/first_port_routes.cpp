#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

#include "fabric_routes.hpp"

namespace cubefold {

namespace {

/// The links that leave each switch, in the order in which they are tried.
struct OrderedLinks {
  std::vector<FabricLink> links;
  std::vector<std::vector<std::uint32_t>> of_switch;
  std::vector<std::uint32_t> switch_of_host;
};

OrderedLinks ordered_links(const Fabric& fabric, const PortOrder& order) {
  OrderedLinks result{links_of(fabric), {}, {}};
  result.of_switch.resize(fabric.switches.size());
  for (std::uint32_t i = 0; i < result.links.size(); ++i) result.of_switch[result.links[i].from].push_back(i);
  for (std::size_t here = 0; here < order.size(); ++here) {
    const auto place = [&](std::uint32_t link) {
      return std::ranges::find(order[here], result.links[link].port) - order[here].begin();
    };
    std::ranges::stable_sort(result.of_switch[here], {}, place);
  }
  for (const FabricHost& host : fabric.hosts) result.switch_of_host.push_back(host.on_switch);
  return result;
}

constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

/// Returns the number of hops from each switch. Every cable leads both ways.
std::vector<std::uint32_t> hops_to(const OrderedLinks& ordered, std::uint32_t to) {
  std::vector<std::uint32_t> hops(ordered.of_switch.size(), unreached);
  std::vector<std::uint32_t> reached{to};
  hops[to] = 0;
  for (std::size_t next = 0; next < reached.size(); ++next) {
    for (const std::uint32_t link : ordered.of_switch[reached[next]]) {
      const std::uint32_t there = ordered.links[link].to;
      if (hops[there] != unreached) continue;
      hops[there] = hops[reached[next]] + 1;
      reached.push_back(there);
    }
  }
  return hops;
}

/// Returns the link by which messages to a host leave a switch.
std::uint32_t first_link(const OrderedLinks& ordered, const std::vector<std::uint32_t>& hops,
                         std::uint32_t here, std::uint32_t host) {
  std::vector<std::uint32_t> choices;
  for (const std::uint32_t link : ordered.of_switch[here]) {
    const std::uint32_t there = ordered.links[link].to;
    if (hops[there] + 1 != hops[here]) continue;
    if (choices.empty() || there == ordered.links[choices.front()].to) choices.push_back(link);
  }
  return choices.at(host % choices.size());
}

void require_connected(const Fabric& fabric, const OrderedLinks& ordered) {
  const auto hops = hops_to(ordered, 0);
  const auto place = static_cast<std::size_t>(std::ranges::find(hops, unreached) - hops.begin());
  if (place == hops.size()) return;
  throw std::invalid_argument(
      fmt::format("no cables lead from {} to {}", fabric.switches[0], fabric.switches[place]));
}

}  // namespace

FabricRoutes first_port_routes(const Fabric& fabric, const PortOrder& order) {
  const auto ordered = std::make_shared<const OrderedLinks>(ordered_links(fabric, order));
  require_connected(fabric, *ordered);
  return [ordered](std::uint32_t host) {
    const std::uint32_t to = ordered->switch_of_host[host];
    const auto hops = hops_to(*ordered, to);
    std::vector<std::uint32_t> links(hops.size(), no_link);
    for (std::uint32_t here = 0; here < hops.size(); ++here)
      if (here != to) links[here] = first_link(*ordered, hops, here, host);
    return links;
  };
}

}  // namespace cubefold
