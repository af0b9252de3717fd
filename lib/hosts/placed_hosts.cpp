#include "placed_hosts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

constexpr std::uint32_t most_coordinate = std::uint32_t{1} << 31;

/// Returns the smallest mesh that has all hosts.
Grid mesh_around(const std::vector<PlacedHost>& hosts) {
  std::vector<Axis> axes(hosts.front().at.size(), {1, Ends::open});
  for (const PlacedHost& host : hosts) {
    for (std::size_t axis = 0; axis < axes.size(); ++axis)
      axes[axis].extent = std::max(axes[axis].extent, std::min(host.at[axis], most_coordinate) + 1);
  }
  return Grid(std::move(axes));
}

void require_coordinate_counts(const std::vector<PlacedHost>& hosts, std::size_t count) {
  for (const PlacedHost& host : hosts) {
    if (host.at.size() == count) continue;
    throw std::invalid_argument(
        fmt::format("host '{}' has {} coordinates, not {}", host.name, host.at.size(), count));
  }
}

GridNode node_of(const PlacedHost& host, const Grid& network) {
  try {
    return network.node_at(host.at);
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument(fmt::format("host '{}' is at ({}), which {} does not have", host.name,
                                            fmt::join(host.at, ", "), to_string(network)));
  }
}

}  // namespace

HostMap map_of_placed(const std::vector<PlacedHost>& hosts, const std::optional<Grid>& network,
                      std::string source) {
  if (hosts.empty()) throw std::invalid_argument("there are no hosts");
  require_coordinate_counts(hosts, network ? network->axes().size() : hosts.front().at.size());
  if (!network) source += "; the ends of the axes are not known and taken as open";
  const Grid grid = network ? *network : mesh_around(hosts);
  std::vector<Host> placed;
  placed.reserve(hosts.size());
  for (const PlacedHost& host : hosts) placed.push_back({host.name, node_of(host, grid), host.slots});
  return {grid, std::move(placed), std::move(source)};
}

}  // namespace cubefold
