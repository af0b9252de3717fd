#include <fmt/format.h>

#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cubefold/hosts/slurm.hpp"
#include "placed_hosts.hpp"
#include "slurm_position.hpp"
#include "slurm_topology.hpp"

namespace cubefold {

namespace {

[[noreturn]] void refuse_job(const std::string& reason) {
  throw std::invalid_argument("Slurm: " + reason);
}

/// Returns the hosts and their positions, each host once, in the given order.
std::vector<std::pair<const SlurmAddress*, SlurmPosition>> positions_of(
    std::span<const SlurmAddress> addresses) {
  std::vector<std::pair<const SlurmAddress*, SlurmPosition>> result;
  std::map<std::string_view, std::size_t> known;
  for (const SlurmAddress& address : addresses) {
    const auto [place, is_new] = known.emplace(address.host, result.size());
    if (is_new) {
      result.emplace_back(&address, position_of(address));
    } else if (const auto& other = *result[place->second].first; other.address != address.address) {
      refuse_job(fmt::format("host '{}' has two addresses, '{}' and '{}'", address.host, other.address,
                             address.address));
    }
  }
  return result;
}

void require_one_network(const std::vector<std::pair<const SlurmAddress*, SlurmPosition>>& hosts) {
  const auto& [first, position] = hosts.front();
  for (const auto& [address, other] : hosts) {
    if (address->pattern != first->pattern) {
      refuse_job(
          fmt::format("host '{}' has the pattern '{}', and host '{}' has '{}'; ask for hosts of one network",
                      first->host, first->pattern, address->host, address->pattern));
    }
    if (other.network != position.network) {
      refuse_job(fmt::format(
          "host '{}' is on '{}', and host '{}' is on '{}'; ask for hosts of one network, as by sbatch "
          "--nodelist",
          first->host, position.network, address->host, other.network));
    }
  }
}

void require_a_position_each(const std::vector<std::pair<const SlurmAddress*, SlurmPosition>>& hosts) {
  std::map<std::vector<std::uint32_t>, const SlurmAddress*> at;
  for (const auto& [address, position] : hosts) {
    const auto [place, is_new] = at.emplace(position.at, address);
    if (is_new) continue;
    refuse_job(fmt::format("the hosts '{}' and '{}' are both at '{}'", place->second->host, address->host,
                           address->address));
  }
}

/// Returns the network of this name, or nothing if no topology is given.
std::optional<Grid> grid_named(const std::string& name, std::string_view topology) {
  if (topology.empty()) return std::nullopt;
  for (const SlurmNetwork& network : slurm_networks(topology))
    if (network.name == name) return network.grid;
  refuse_job(fmt::format("the job is on '{}', which Slurm's topology does not have", name));
}

}  // namespace

HostMap map_of_slurm_job(std::span<const SlurmAddress> addresses, std::string_view topology) {
  if (addresses.empty()) refuse_job("there are no addresses of hosts");
  const auto positions = positions_of(addresses);
  require_one_network(positions);
  require_a_position_each(positions);
  std::vector<PlacedHost> hosts;
  hosts.reserve(positions.size());
  for (const auto& [address, position] : positions) hosts.push_back({address->host, position.at});
  const std::string& name = positions.front().second.network;
  const auto grid = grid_named(name, topology);
  const std::string source =
      fmt::format("SLURM_TOPOLOGY_ADDR on '{}'{}", name, grid ? ", extents by Slurm's topology" : "");
  try {
    return map_of_placed(hosts, grid, source);
  } catch (const std::invalid_argument& error) {
    refuse_job(fmt::format("{} ({})", error.what(), source));
  }
}

}  // namespace cubefold
