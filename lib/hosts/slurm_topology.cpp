#include "slurm_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cubefold/hosts/slurm.hpp"
#include "host_list.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

/// Returns the value of `key=value` among the words, or an empty text.
std::string_view value_of(const std::vector<std::string_view>& words, std::string_view key) {
  for (const std::string_view word : words)
    if (word.starts_with(key) && word.substr(key.size()).starts_with('=')) return word.substr(key.size() + 1);
  return {};
}

Grid ring_grid(std::string_view extents) {
  std::vector<Axis> axes;
  for (const std::string_view extent : split(extents, 'x'))
    axes.push_back({whole_number(extent).value_or(0), Ends::wrapped});
  return Grid(std::move(axes));
}

SlurmNetwork network_of(const std::vector<std::string_view>& words, std::string_view name,
                        std::string_view extents) {
  return {std::string(name), ring_grid(extents), std::string(value_of(words, "Nodes"))};
}

void add_network(std::string_view line, std::vector<SlurmNetwork>& networks) {
  const auto words = words_of_line(line);
  const auto torus = value_of(words, "TorusName");
  const auto ring = value_of(words, "RingName");
  if (!torus.empty()) networks.push_back(network_of(words, torus, value_of(words, "Dims")));
  if (!ring.empty()) networks.push_back(network_of(words, ring, value_of(words, "RingSize")));
}

std::string names_of(const std::vector<SlurmNetwork>& networks) {
  return fmt::format("'{}' and '{}'", networks[0].name, networks[1].name);
}

[[noreturn]] void refuse(const std::string& reason) {
  throw std::invalid_argument("Slurm topology: " + reason);
}

}  // namespace

std::vector<SlurmNetwork> slurm_networks(std::string_view topology) {
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

HostMap map_of_slurm_topology(std::string_view topology) {
  const auto networks = slurm_networks(topology);
  if (networks.empty())
    refuse("there is no TorusName= or RingName=; trees and blocks do not say where a host sits on a grid");
  if (networks.size() > 1) {
    refuse(fmt::format("there are several networks, {}; give the addresses of a job's hosts, too",
                       names_of(networks)));
  }
  const SlurmNetwork& network = networks.front();
  const auto names = expand_host_list(network.hosts);
  if (names.size() != network.grid.node_count()) {
    refuse(
        fmt::format("'{}' lists {} hosts for the {} nodes of {}, which does not say where they sit; give the "
                    "addresses of a job's hosts, too",
                    network.name, names.size(), network.grid.node_count(), to_string(network.grid)));
  }
  std::vector<Host> hosts;
  hosts.reserve(names.size());
  for (const std::string& name : names) hosts.push_back({name, static_cast<GridNode>(hosts.size())});
  return {network.grid, std::move(hosts),
          fmt::format("scontrol show topology: '{}', hosts in the order of its list", network.name)};
}

}  // namespace cubefold
