#include <fmt/format.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cubefold/hosts/slurm.hpp"
#include "placed_hosts.hpp"
#include "slurm_topology.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw std::invalid_argument("Slurm: " + reason);
}

[[noreturn]] void refuse(const SlurmAddress& address, std::string_view reason) {
  refuse(fmt::format("host '{}' has the address '{}' with the pattern '{}': {}", address.host,
                     address.address, address.pattern, reason));
}

/// Returns the number of coordinates of a pattern such as `torus:x:y:z.node` or `ring:position.node`, or nothing if
/// the pattern has none.
std::optional<std::size_t> coordinate_count(std::string_view pattern) {
  constexpr std::string_view end = ".node";
  if (!pattern.ends_with(end)) return std::nullopt;
  const auto parts = split(pattern.substr(0, pattern.size() - end.size()), ':');
  const bool is_torus = parts.front() == "torus" && parts.size() > 1;
  const bool is_ring = parts.front() == "ring" && parts.size() == 2;
  if (!is_torus && !is_ring) return std::nullopt;
  return parts.size() - 1;
}

/// Says why an address without coordinates is refused, and what to do.
std::string_view reason_without_coordinates(std::string_view pattern) {
  constexpr std::string_view kinds_of_switch = "switch.";
  constexpr std::string_view kinds_of_block = "block.";
  if (pattern.empty())
    return "there is none; the cluster has no topology plug-in, or these processes were not started by srun";
  if (pattern.starts_with(kinds_of_switch)) {
    return "the network is a tree of switches, where nothing is to be gained from positions on a grid; to "
           "plan for another network all the same, write its hosts into a file and name it in CUBEFOLD_HOSTS";
  }
  if (pattern.starts_with(kinds_of_block)) {
    return "it names a block of hosts and no coordinates; write the hosts with their coordinates into a file "
           "and name it in CUBEFOLD_HOSTS";
  }
  return "it has no coordinates; write the hosts with their coordinates into a file and name it in "
         "CUBEFOLD_HOSTS";
}

/// The position of one host on a named network.
struct Position {
  std::string network;
  std::vector<std::uint32_t> at;

  bool operator==(const Position&) const = default;
};

/// Reads `pod1:2:1:0.n6`. The name of the network and that of the node may have dots and colons of their own: the
/// coordinates are the last numbers between colons that end at a dot.
Position position_of(const SlurmAddress& address) {
  const auto count = coordinate_count(address.pattern);
  if (!count) refuse(address, reason_without_coordinates(address.pattern));
  const std::size_t last_colon = address.address.rfind(':');
  const std::size_t dot =
      last_colon == std::string::npos ? last_colon : address.address.find('.', last_colon);
  if (dot == std::string::npos) refuse(address, "the address does not follow the pattern");
  std::string_view rest = std::string_view(address.address).substr(0, dot);
  Position position{{}, std::vector<std::uint32_t>(*count)};
  for (std::size_t axis = *count; axis-- > 0;) {
    const std::size_t colon = rest.rfind(':');
    const auto number = colon == std::string_view::npos ? std::nullopt : whole_number(rest.substr(colon + 1));
    if (!number) refuse(address, "the address does not follow the pattern");
    position.at[axis] = *number;
    rest = rest.substr(0, colon);
  }
  position.network = rest;
  return position;
}

/// Returns the hosts and their positions, each host once, in the given order.
std::vector<std::pair<const SlurmAddress*, Position>> positions_of(std::span<const SlurmAddress> addresses) {
  std::vector<std::pair<const SlurmAddress*, Position>> result;
  std::map<std::string_view, std::size_t> known;
  for (const SlurmAddress& address : addresses) {
    const auto [place, is_new] = known.emplace(address.host, result.size());
    if (is_new) {
      result.emplace_back(&address, position_of(address));
    } else if (const auto& other = *result[place->second].first; other.address != address.address) {
      refuse(fmt::format("host '{}' has two addresses, '{}' and '{}'", address.host, other.address,
                         address.address));
    }
  }
  return result;
}

void require_one_network(const std::vector<std::pair<const SlurmAddress*, Position>>& hosts) {
  const auto& [first, position] = hosts.front();
  for (const auto& [address, other] : hosts) {
    if (address->pattern != first->pattern) {
      refuse(
          fmt::format("host '{}' has the pattern '{}', and host '{}' has '{}'; ask for hosts of one network",
                      first->host, first->pattern, address->host, address->pattern));
    }
    if (other.network != position.network) {
      refuse(fmt::format(
          "host '{}' is on '{}', and host '{}' is on '{}'; ask for hosts of one network, as by sbatch "
          "--nodelist",
          first->host, position.network, address->host, other.network));
    }
  }
}

void require_a_position_each(const std::vector<std::pair<const SlurmAddress*, Position>>& hosts) {
  std::map<std::vector<std::uint32_t>, const SlurmAddress*> at;
  for (const auto& [address, position] : hosts) {
    const auto [place, is_new] = at.emplace(position.at, address);
    if (is_new) continue;
    refuse(fmt::format("the hosts '{}' and '{}' are both at '{}'", place->second->host, address->host,
                       address->address));
  }
}

/// Returns the network of this name, or nothing if no topology is given.
std::optional<Grid> grid_named(const std::string& name, std::string_view topology) {
  if (topology.empty()) return std::nullopt;
  for (const SlurmNetwork& network : slurm_networks(topology))
    if (network.name == name) return network.grid;
  refuse(fmt::format("the job is on '{}', which scontrol show topology does not have", name));
}

}  // namespace

HostMap map_of_slurm_job(std::span<const SlurmAddress> addresses, std::string_view topology) {
  if (addresses.empty()) refuse("there are no addresses of hosts");
  const auto positions = positions_of(addresses);
  require_one_network(positions);
  require_a_position_each(positions);
  std::vector<PlacedHost> hosts;
  hosts.reserve(positions.size());
  for (const auto& [address, position] : positions) hosts.push_back({address->host, position.at});
  const std::string& name = positions.front().second.network;
  const auto grid = grid_named(name, topology);
  const std::string source =
      fmt::format("SLURM_TOPOLOGY_ADDR on '{}'{}", name, grid ? ", extents by scontrol show topology" : "");
  try {
    return map_of_placed(hosts, grid, source);
  } catch (const std::invalid_argument& error) {
    refuse(fmt::format("{} ({})", error.what(), source));
  }
}

}  // namespace cubefold
