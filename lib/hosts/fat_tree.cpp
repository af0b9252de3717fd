#include "fat_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace cubefold {

namespace {

std::vector<std::size_t> hosts_of_switches(const Fabric& fabric) {
  std::vector<std::size_t> hosts(fabric.switches.size());
  for (const FabricHost& host : fabric.hosts) ++hosts[host.on_switch];
  for (const MultihomedHost& host : fabric.multihomed)
    for (const HostAdapter& adapter : host.adapters) ++hosts[adapter.on_switch];
  return hosts;
}

constexpr std::size_t unknown_level = ~std::size_t{0};

/// Returns the distance of every switch from the nearest leaf, or unknown_level where no cables lead to one.
std::vector<std::size_t> levels_of(const Fabric& fabric, std::size_t least) {
  std::vector<std::vector<std::uint32_t>> neighbours(fabric.switches.size());
  for (const auto& [cable, number] : fabric.cables) {
    neighbours[cable.one].push_back(cable.other);
    neighbours[cable.other].push_back(cable.one);
  }
  const auto hosts = hosts_of_switches(fabric);
  std::vector<std::size_t> levels(hosts.size(), unknown_level);
  std::vector<std::uint32_t> queue;
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    if (hosts[i] < least) continue;
    levels[i] = 0;
    queue.push_back(i);
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const std::uint32_t here = queue[next];
    for (const std::uint32_t there : neighbours[here]) {
      if (levels[there] != unknown_level) continue;
      levels[there] = levels[here] + 1;
      queue.push_back(there);
    }
  }
  return levels;
}

}  // namespace

std::optional<FatTree> as_fat_tree(const Fabric& fabric, std::size_t least) {
  const auto levels = levels_of(fabric, least);
  std::map<std::size_t, std::size_t> switches;
  for (const std::size_t level : levels) ++switches[level];
  const std::size_t leaves = switches[0];
  const bool narrows =
      std::ranges::all_of(switches, [&](const auto& level) { return level.second <= leaves; });
  const bool is_levelled = std::ranges::all_of(fabric.cables, [&](const auto& cable) {
    const std::size_t one = levels[cable.first.one];
    const std::size_t other = levels[cable.first.other];
    return one + 1 == other || other + 1 == one;
  });
  if (leaves == levels.size() || switches.contains(unknown_level) || !narrows || !is_levelled)
    return std::nullopt;
  return FatTree{leaves, levels.size() - leaves};
}

std::size_t most_hosts_on_a_switch(const Fabric& fabric) {
  const auto hosts = hosts_of_switches(fabric);
  return hosts.empty() ? 0 : std::ranges::max(hosts);
}

}  // namespace cubefold
