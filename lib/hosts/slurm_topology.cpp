#include "slurm_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cubefold/hosts/slurm.hpp"
#include "host_list.hpp"
#include "slurm_topology_yaml.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

/// Returns the value of `key=value` among the words, or an empty text.
std::string_view value_of(const std::vector<std::string_view>& words, std::string_view key) {
  for (const std::string_view word : words)
    if (word.starts_with(key) && word.substr(key.size()).starts_with('=')) return word.substr(key.size() + 1);
  return {};
}

SlurmNetwork network_in(const std::vector<std::string_view>& words, std::string_view name,
                        std::string_view extents) {
  std::vector<std::uint32_t> numbers;
  for (const std::string_view extent : split(extents, 'x'))
    numbers.push_back(whole_number(extent).value_or(0));
  SlurmRegion whole{std::vector<std::uint32_t>(numbers.size()), Grid(numbers, Ends::open),
                    std::string(value_of(words, "Nodes"))};
  return {std::string(name), Grid(numbers, Ends::wrapped), {std::move(whole)}};
}

void add_network(std::string_view line, std::vector<SlurmNetwork>& networks) {
  const auto words = words_of_line(line);
  const auto torus = value_of(words, "TorusName");
  const auto ring = value_of(words, "RingName");
  if (!torus.empty()) networks.push_back(network_in(words, torus, value_of(words, "Dims")));
  if (!ring.empty()) networks.push_back(network_in(words, ring, value_of(words, "RingSize")));
}

[[noreturn]] void refuse(const std::string& reason) {
  throw std::invalid_argument("Slurm topology: " + reason);
}

std::vector<SlurmNetwork> networks_of_lines(std::string_view topology) {
  std::vector<SlurmNetwork> networks;
  for_each_line(topology, [&](std::size_t number, std::string_view line) {
    try {
      add_network(line, networks);
    } catch (const std::invalid_argument& error) {
      refuse(
          fmt::format("line {}: the dimensions are not those of a torus or ring ({})", number, error.what()));
    }
  });
  return networks;
}

/// Returns the network of this name, or the only one if the name is empty.
SlurmNetwork network_named(std::string_view topology, std::string_view name) {
  auto networks = slurm_networks(topology);
  if (networks.empty())
    refuse("there is no torus or ring; trees and blocks do not say where a host sits on a grid");
  if (!name.empty()) {
    const auto named = std::ranges::find(networks, name, &SlurmNetwork::name);
    if (named == networks.end()) refuse(fmt::format("there is no network '{}'", name));
    return std::move(*named);
  }
  if (networks.size() > 1) {
    refuse(fmt::format("there are several networks, '{}' and '{}'; give the addresses of a job's hosts, too",
                       networks[0].name, networks[1].name));
  }
  return std::move(networks.front());
}

void add_hosts(const SlurmNetwork& network, const SlurmRegion& region, std::vector<Host>& hosts) {
  const auto names = expand_host_list(region.hosts);
  const Grid& box = region.box;
  if (names.size() != box.node_count()) {
    refuse(
        fmt::format("'{}' lists {} hosts for the {} nodes of {}, which does not say where they sit; give the "
                    "addresses of a job's hosts, too",
                    network.name, names.size(), box.node_count(), to_string(network.grid)));
  }
  for (std::size_t axis = 0; axis < region.anchor.size(); ++axis) {
    if (std::uint64_t{region.anchor[axis]} + box.axes()[axis].extent > network.grid.axes()[axis].extent)
      refuse(fmt::format("'{}' has a region beyond {}", network.name, to_string(network.grid)));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto place = box.coordinates(static_cast<GridNode>(i));
    for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] += region.anchor[axis];
    hosts.push_back({names[i], network.grid.node_at(place)});
  }
}

}  // namespace

std::vector<SlurmNetwork> slurm_networks(std::string_view topology) {
  if (!is_slurm_topology_yaml(topology)) return networks_of_lines(topology);
  try {
    return networks_of_slurm_yaml(topology);
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
}

bool has_slurm_networks(std::string_view topology) {
  try {
    return !slurm_networks(topology).empty();
  } catch (const std::invalid_argument&) {
    return false;
  }
}

HostMap map_of_slurm_topology(std::string_view topology, std::string_view network_name) {
  const SlurmNetwork network = network_named(topology, network_name);
  std::vector<Host> hosts;
  for (const SlurmRegion& region : network.regions) add_hosts(network, region, hosts);
  return {network.grid, std::move(hosts),
          fmt::format("Slurm's topology: '{}', hosts in the order of its list", network.name)};
}

}  // namespace cubefold
