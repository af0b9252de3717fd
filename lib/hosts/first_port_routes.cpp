#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
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

/// Returns the links by which messages may leave a switch: those to the switch that the first link to a nearer switch
/// leads to.
std::vector<std::uint32_t> first_links(const OrderedLinks& ordered, const std::vector<std::uint32_t>& hops,
                                       std::uint32_t here) {
  std::vector<std::uint32_t> choices;
  for (const std::uint32_t link : ordered.of_switch[here]) {
    const std::uint32_t there = ordered.links[link].to;
    if (hops[there] + 1 != hops[here]) continue;
    if (choices.empty() || there == ordered.links[choices.front()].to) choices.push_back(link);
  }
  return choices;
}

void require_connected(const Fabric& fabric, const OrderedLinks& ordered) {
  const auto hops = hops_to(ordered, 0);
  const auto place = static_cast<std::size_t>(std::ranges::find(hops, unreached) - hops.begin());
  if (place == hops.size()) return;
  throw std::invalid_argument(
      fmt::format("no cables lead from {} to {}", fabric.switches[0], fabric.switches[place]));
}

/// Gives every host its turn among parallel cables. A switch gives each host to that cable which has the fewest hosts
/// before it, so the cables to one switch take turns. OpenSM goes through the switches with the most ports of hosts
/// first, among equals by GUID, and through the hosts of a switch by its ports.
class Turns {
 public:
  Turns(const Fabric& fabric, const OrderedLinks& ordered)
      : switch_count_(fabric.switches.size()), place_of_host_(fabric.hosts.size()) {
    std::vector<std::uint32_t> host_ports(switch_count_);
    for (std::size_t i = 0; i < switch_count_; ++i) {
      for (const auto& [port, peer] : fabric.ports[i])
        if (peer.is_host) place_of_host_[peer.index] = host_ports[i]++;
    }
    const bool has_parallel_cables =
        std::ranges::any_of(fabric.cables, [](const auto& cable) { return cable.second > 1; });
    if (!has_parallel_cables) return;
    begins_.resize(switch_count_ * switch_count_);
    std::vector<std::uint32_t> hosts_by_link(ordered.links.size());  // only of the first link to each switch
    for (const std::uint32_t to : switches_in_order(fabric, host_ports)) {
      const auto hops = hops_to(ordered, to);
      for (std::uint32_t here = 0; here < switch_count_; ++here) {
        if (here == to) continue;
        std::uint32_t& hosts = hosts_by_link[first_links(ordered, hops, here).front()];
        begins_[to * switch_count_ + here] = std::exchange(hosts, hosts + host_ports[to]);
      }
    }
  }

  /// Returns the number of hosts before this one whose messages leave a switch for the same next switch.
  std::uint32_t of(std::uint32_t here, std::uint32_t host, std::uint32_t to) const {
    return begins_.empty() ? 0 : begins_[to * switch_count_ + here] + place_of_host_[host];
  }

 private:
  static std::vector<std::uint32_t> switches_in_order(const Fabric& fabric,
                                                      const std::vector<std::uint32_t>& host_ports) {
    std::vector<std::uint32_t> switches(fabric.switches.size());
    std::iota(switches.begin(), switches.end(), 0U);
    std::ranges::sort(switches, [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(host_ports[b], fabric.switch_guids[a]) <
             std::pair(host_ports[a], fabric.switch_guids[b]);
    });
    return switches;
  }

  std::size_t switch_count_;
  std::vector<std::uint32_t> place_of_host_;  ///< among the ports of hosts of its switch
  std::vector<std::uint32_t>
      begins_;  ///< turns of the first host of a switch: by that switch, then by `here`
};

}  // namespace

FabricRoutes first_port_routes(const Fabric& fabric, const PortOrder& order) {
  const auto ordered = std::make_shared<const OrderedLinks>(ordered_links(fabric, order));
  require_connected(fabric, *ordered);
  const auto turns = std::make_shared<const Turns>(fabric, *ordered);
  return [ordered, turns](std::uint32_t host) {
    const std::uint32_t to = ordered->switch_of_host[host];
    const auto hops = hops_to(*ordered, to);
    std::vector<std::uint32_t> links(hops.size(), no_link);
    for (std::uint32_t here = 0; here < hops.size(); ++here) {
      if (here == to) continue;
      const auto choices = first_links(*ordered, hops, here);
      links[here] = choices[turns->of(here, host, to) % choices.size()];
    }
    return links;
  };
}

}  // namespace cubefold
