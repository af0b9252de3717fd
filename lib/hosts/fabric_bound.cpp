#include <algorithm>

#include "fabric_grid.hpp"

namespace cubefold {

namespace {

/// Returns the number of cables between every two neighbouring coordinates of an axis: entry c has those between c - 1
/// and c, and entry 0 those that go round.
std::vector<std::uint64_t> cables_between(const Fabric& fabric, const FabricGrid& found, int axis) {
  std::vector<std::uint64_t> cables(found.grid.extent(axis));
  for (const auto& [cable, number] : fabric.cables) {
    const auto one = found.grid.coordinate(found.node_of_switch[cable.one], axis);
    const auto other = found.grid.coordinate(found.node_of_switch[cable.other], axis);
    const auto [low, high] = std::minmax(one, other);
    if (low != high) cables[high - low == 1 ? high : 0] += number;
  }
  return cables;
}

std::vector<std::uint64_t> hosts_at(const Fabric& fabric, const FabricGrid& found, int axis) {
  std::vector<std::uint64_t> hosts(found.grid.extent(axis));
  for (const FabricHost& host : fabric.hosts)
    ++hosts[found.grid.coordinate(found.node_of_switch[host.on_switch], axis)];
  return hosts;
}

/// Returns the greatest load that a part of consecutive coordinates on an axis makes necessary.
std::uint64_t least_load_on(const Fabric& fabric, const FabricGrid& found, int axis) {
  const auto cables = cables_between(fabric, found, axis);
  const auto hosts = hosts_at(fabric, found, axis);
  std::uint64_t least = 0;
  for (std::size_t begin = 0; begin < hosts.size(); ++begin) {
    std::uint64_t inside = 0;
    for (std::size_t end = begin + 1; end <= hosts.size(); ++end) {
      inside += hosts[end - 1];
      const std::uint64_t messages = inside * (fabric.hosts.size() - inside);
      const std::uint64_t out = cables[begin] + cables[end % hosts.size()];
      const bool is_part = end - begin < hosts.size();
      if (is_part && out > 0) least = std::max(least, (messages + out - 1) / out);
    }
  }
  return least;
}

}  // namespace

std::uint64_t least_busiest_load(const Fabric& fabric, const FabricGrid& found) {
  std::uint64_t least = 0;
  for (int axis = 0; axis < found.grid.axis_count(); ++axis)
    least = std::max(least, least_load_on(fabric, found, axis));
  return least;
}

}  // namespace cubefold
