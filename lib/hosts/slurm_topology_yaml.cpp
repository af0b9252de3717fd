#include "slurm_topology_yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "host_list.hpp"
#include "text/words.hpp"
#include "text/yaml.hpp"

namespace cubefold {

namespace {

/// Returns whether a member is missing or empty. `scontrol show topoconf` prints the members of all plug-ins, and both
/// `nodes` and `regions` of a torus.
bool is_empty(const Json& json, const char* key) {
  const auto member = json.find(key);
  if (member == json.end()) return true;
  if (!member->is_string()) return member->empty();
  const auto& text = member->get_ref<const std::string&>();
  return text.empty() || text == "~" || text == "null";
}

/// Reads three numbers such as `{x: 4, y: 2, z: 2}`.
std::vector<std::uint32_t> three_numbers(const JsonMembers& members, const char* key) {
  const JsonMembers numbers = members.object(key);
  std::vector<std::uint32_t> result;
  for (const char* axis : {"x", "y", "z"}) {
    const auto number = whole_number(numbers.text(axis));
    if (!number) refuse_json(fmt::format("{} of {} is not a whole number below 2^32", axis, key));
    result.push_back(*number);
  }
  return result;
}

SlurmNetwork torus_of(const Json& json) {
  const JsonMembers members(json);
  const std::vector<std::uint32_t> origin(3);
  const auto extents = three_numbers(members, "dims");
  SlurmNetwork torus{members.text("name"), Grid(extents, Ends::wrapped), {}};
  if (is_empty(json, "regions")) {
    torus.regions.push_back({origin, Grid(extents, Ends::open), members.text("nodes")});
    return torus;
  }
  for (const JsonMembers& region : members.objects("regions")) {
    const auto anchor = region.has("anchor") ? three_numbers(region, "anchor") : origin;
    torus.regions.push_back({anchor, Grid(three_numbers(region, "dims"), Ends::open), region.text("nodes")});
  }
  return torus;
}

/// A ring has as many nodes as its list has hosts.
SlurmNetwork ring_of(const Json& json) {
  const JsonMembers members(json);
  const std::string hosts = members.text("nodes");
  const std::vector<std::uint32_t> extents{static_cast<std::uint32_t>(expand_host_list(hosts).size())};
  return {members.text(members.has("name") ? "name" : "ring"),
          Grid(extents, Ends::wrapped),
          {{{0}, Grid(extents, Ends::open), hosts}}};
}

/// Reads the networks in a list of a topology, such as `torus3d: {toruses: [...]}`.
void add_networks(const Json& topology, const char* kind, const char* list,
                  const std::function<SlurmNetwork(const Json&)>& read, std::vector<SlurmNetwork>& networks) {
  const JsonMembers members(topology);
  if (is_empty(topology, kind)) return;
  const JsonMembers networks_of_kind = members.object(kind);
  if (networks_of_kind.has(list) && is_empty(topology[kind], list)) return;
  std::size_t number = 0;
  for (const Json& json : networks_of_kind.list(list)) {
    try {
      networks.push_back(read(json));
    } catch (const std::invalid_argument& error) {
      refuse_json(fmt::format("{}[{}]: {}", list, number, error.what()));
    }
    ++number;
  }
}

}  // namespace

bool is_slurm_topology_yaml(std::string_view text) {
  bool has_key = false;
  for_each_line(text, [&](std::size_t, std::string_view line) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t-{"), line.size()));
    has_key |= line.starts_with("topology:");
  });
  return has_key;
}

std::vector<SlurmNetwork> networks_of_slurm_yaml(std::string_view text) {
  const Json topologies = parsed_yaml(text);
  if (!topologies.is_array()) refuse_json("not a list of topologies");
  std::vector<SlurmNetwork> networks;
  for (const Json& topology : topologies) {
    add_networks(topology, "torus3d", "toruses", torus_of, networks);
    add_networks(topology, "ring", "rings", ring_of, networks);
  }
  return networks;
}

}  // namespace cubefold
