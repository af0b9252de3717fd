#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cubefold/hosts/slurm.hpp"
#include "slurm_position.hpp"

namespace cubefold {

namespace {

/// A host whose coordinates both Slurm and a map say.
struct ToldTwice {
  const Host* host;
  const SlurmAddress* address;
  std::vector<std::uint32_t> by_map;
  std::vector<std::uint32_t> by_slurm;
};

/// Returns the addresses that several hosts have. A launcher may give the variables of its own host to all others.
std::set<std::string_view> copied_addresses(std::span<const SlurmAddress> addresses) {
  std::map<std::string_view, std::string_view> host_of;
  std::set<std::string_view> copied;
  for (const SlurmAddress& address : addresses) {
    const auto [place, is_new] = host_of.emplace(address.address, address.host);
    if (!is_new && place->second != address.host) copied.insert(address.address);
  }
  return copied;
}

/// Returns the hosts of the first network of Slurm whose addresses follow their patterns.
std::vector<ToldTwice> told_twice(const HostMap& map, std::span<const SlurmAddress> addresses) {
  std::vector<ToldTwice> hosts;
  std::string network;
  const auto copied = copied_addresses(addresses);
  for (const SlurmAddress& address : addresses) {
    const Host* host = map.find(address.host);
    auto position = readable_position(address);
    if (host == nullptr || !position || copied.contains(address.address)) continue;
    if (hosts.empty()) network = position->network;
    if (position->network != network ||
        (!hosts.empty() && position->at.size() != hosts.front().by_slurm.size()))
      continue;
    hosts.push_back({host, &address, map.network().coordinates(host->node), std::move(position->at)});
  }
  return hosts;
}

using Coordinates = std::vector<std::uint32_t> ToldTwice::*;

/// Returns the axes on which the hosts have different coordinates.
std::vector<std::size_t> used_axes(const std::vector<ToldTwice>& hosts, Coordinates source) {
  std::vector<std::size_t> axes;
  const auto& first = hosts.front().*source;
  for (std::size_t axis = 0; axis < first.size(); ++axis) {
    if (std::ranges::any_of(hosts,
                            [&](const ToldTwice& each) { return (each.*source)[axis] != first[axis]; }))
      axes.push_back(axis);
  }
  return axes;
}

/// Returns whether the map's coordinates on an axis are those that Slurm says on one of its axes, counted from another
/// origin, forwards (sign 1) or backwards (sign -1).
bool agree(const std::vector<ToldTwice>& hosts, const Axis& axis, std::size_t by_map, std::size_t by_slurm,
           std::int64_t sign) {
  const auto shift = [&](const ToldTwice& host) {
    const std::int64_t difference =
        std::int64_t{host.by_slurm[by_slurm]} - sign * std::int64_t{host.by_map[by_map]};
    const std::int64_t extent = axis.extent;
    return axis.ends == Ends::open ? difference : ((difference % extent) + extent) % extent;
  };
  const std::int64_t first = shift(hosts.front());
  return std::ranges::all_of(hosts, [&](const ToldTwice& host) { return shift(host) == first; });
}

/// Finds for each used axis of the map another one of Slurm's used axes that agrees with it.
class AxisMatching {
 public:
  AxisMatching(const std::vector<ToldTwice>& hosts, const Grid& network)
      : hosts_(&hosts), network_(&network), used_(used_axes(hosts, &ToldTwice::by_slurm)) {}

  /// Returns whether all axes find one, and no axis of Slurm is left.
  bool is_complete() {
    const auto axes = used_axes(*hosts_, &ToldTwice::by_map);
    return axes.size() == used_.size() && std::ranges::all_of(axes, [&](std::size_t axis) {
             std::set<std::size_t> tried;
             return finds_axis(axis, tried);
           });
  }

 private:
  /// Takes a free axis, or one whose owner finds another that is not tried yet. With few hosts an axis may agree with
  /// several others.
  bool finds_axis(std::size_t axis, std::set<std::size_t>& tried) {
    for (const std::size_t other : used_) {
      if (!agrees(axis, other) || !tried.insert(other).second) continue;
      const auto owner = owner_.find(other);
      if (owner != owner_.end() && !finds_axis(owner->second, tried)) continue;
      owner_[other] = axis;
      return true;
    }
    return false;
  }

  bool agrees(std::size_t axis, std::size_t other) const {
    const Axis& shape = network_->axes()[axis];
    return agree(*hosts_, shape, axis, other, 1) || agree(*hosts_, shape, axis, other, -1);
  }

  const std::vector<ToldTwice>* hosts_;
  const Grid* network_;
  std::vector<std::size_t> used_;
  std::map<std::size_t, std::size_t> owner_;  ///< of Slurm's axes: the axis of the map
};

bool differs(const ToldTwice& host) {
  const std::size_t common = std::min(host.by_map.size(), host.by_slurm.size());
  return !std::equal(host.by_map.begin(), host.by_map.begin() + static_cast<std::ptrdiff_t>(common),
                     host.by_slurm.begin());
}

bool is_hypercube(const Grid& grid) {
  return std::ranges::all_of(grid.axes(), [](const Axis& axis) { return axis.extent == 2; });
}

}  // namespace

std::optional<std::string> contradiction(const HostMap& map, std::span<const SlurmAddress> addresses) {
  const Grid& network = map.network();
  if (network.route_table() != nullptr || is_hypercube(network)) return std::nullopt;
  const auto hosts = told_twice(map, addresses);
  if (hosts.empty() || AxisMatching(hosts, network).is_complete()) return std::nullopt;
  const auto found = std::ranges::find_if(hosts, differs);
  const ToldTwice& wrong = found == hosts.end() ? hosts.front() : *found;
  return fmt::format("host '{}' is on node {} ({}) of {}, but SLURM_TOPOLOGY_ADDR says '{}'",
                     wrong.host->name, static_cast<std::uint32_t>(wrong.host->node),
                     fmt::join(wrong.by_map, ", "), to_string(network), wrong.address->address);
}

std::optional<std::string> unreadable_address(std::span<const SlurmAddress> addresses) {
  const auto found = std::ranges::find_if(addresses, [](const SlurmAddress& address) {
    return has_coordinates(address) && !readable_position(address);
  });
  if (found == addresses.end()) return std::nullopt;
  return fmt::format(
      "SLURM_TOPOLOGY_ADDR '{}' of host '{}' is ignored, as it does not follow the pattern '{}'",
      found->address, found->host, found->pattern);
}

}  // namespace cubefold
