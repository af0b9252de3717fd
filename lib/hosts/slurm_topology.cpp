#include "slurm_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

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

[[noreturn]] void refuse(const std::string& reason) {
  throw std::invalid_argument("Slurm topology: " + reason);
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

bool is_line_of_scontrol(std::string_view line) {
  constexpr std::array<std::string_view, 4> kinds{"TorusName=", "RingName=", "SwitchName=", "BlockName="};
  const std::string_view text = trimmed(line);
  return std::ranges::any_of(kinds, [&](std::string_view kind) { return text.starts_with(kind); });
}

/// Returns the network of a line. Returns nothing for other lines, as those of the boxes into which Slurm places jobs.
std::optional<SlurmNetwork> network_of_line(std::string_view line) {
  const auto words = words_of_line(line);
  if (!is_line_of_scontrol(line) || !value_of(words, "PlacementDims").empty()) return std::nullopt;
  if (const auto ring = value_of(words, "RingName"); !ring.empty())
    return network_in(words, ring, value_of(words, "RingSize"));
  const auto torus = value_of(words, "TorusName");
  if (torus.empty()) return std::nullopt;
  auto network = network_in(words, torus, value_of(words, "Dims"));
  network.sorted_by_name = true;
  return network;
}

void add_unless_known(SlurmNetwork network, std::vector<SlurmNetwork>& networks) {
  const auto known = std::ranges::find(networks, network.name, &SlurmNetwork::name);
  if (known == networks.end()) {
    networks.push_back(std::move(network));
  } else if (known->grid != network.grid) {
    refuse(fmt::format("'{}' is {} in one place and {} in another", network.name, to_string(known->grid),
                       to_string(network.grid)));
  }
}

void add_networks_of_lines(std::string_view topology, std::vector<SlurmNetwork>& networks) {
  for_each_line(topology, [&](std::size_t number, std::string_view line) {
    std::optional<SlurmNetwork> network;
    try {
      network = network_of_line(line);
    } catch (const std::invalid_argument& error) {
      refuse(
          fmt::format("line {}: the dimensions are not those of a torus or ring ({})", number, error.what()));
    }
    if (network) add_unless_known(*std::move(network), networks);
  });
}

/// Returns the text with empty lines in place of those of `scontrol show topology`.
std::string without_lines_of_scontrol(std::string_view topology) {
  std::string text;
  for_each_line(topology, [&](std::size_t, std::string_view line) {
    if (!is_line_of_scontrol(line)) text += line;
    text += '\n';
  });
  return text;
}

std::vector<SlurmNetwork> networks_of_yaml(std::string_view topology) {
  if (!is_slurm_topology_yaml(topology)) return {};
  try {
    return networks_of_slurm_yaml(without_lines_of_scontrol(topology));
  } catch (const std::invalid_argument& error) {
    refuse(error.what());
  }
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
  if (network.sorted_by_name) {
    refuse(fmt::format(
        "'{}' lists its hosts by name, as `scontrol show topology` does, and not by their places on {}; "
        "these are in topology.yaml, in `scontrol show topoconf`, and in the addresses of a job's hosts",
        network.name, to_string(network.grid)));
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

bool is_slurm_topology(std::string_view text) {
  bool has_line = false;
  for_each_line(text, [&](std::size_t, std::string_view line) { has_line |= is_line_of_scontrol(line); });
  return has_line || is_slurm_topology_yaml(text);
}

std::vector<SlurmNetwork> slurm_networks(std::string_view topology) {
  auto networks = networks_of_yaml(topology);
  add_networks_of_lines(topology, networks);
  return networks;
}

bool has_slurm_networks(std::string_view topology) {
  try {
    return !slurm_networks(topology).empty();
  } catch (const std::invalid_argument&) {
    return false;
  }
}

std::string network_of_host(std::string_view topology, std::string_view host) {
  const auto lists = [&](const SlurmRegion& region) {
    const auto names = expand_host_list(region.hosts);
    return std::ranges::find(names, host) != names.end();
  };
  for (const SlurmNetwork& network : slurm_networks(topology))
    if (std::ranges::any_of(network.regions, lists)) return network.name;
  return "";
}

HostMap map_of_slurm_topology(std::string_view topology, std::string_view network_name) {
  const SlurmNetwork network = network_named(topology, network_name);
  std::vector<Host> hosts;
  for (const SlurmRegion& region : network.regions) add_hosts(network, region, hosts);
  return {network.grid, std::move(hosts),
          fmt::format("Slurm's topology: '{}', hosts in the order of its list", network.name)};
}

}  // namespace cubefold
