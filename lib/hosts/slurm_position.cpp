#include "slurm_position.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "text/words.hpp"

namespace cubefold {

namespace {

[[noreturn]] void refuse(const SlurmAddress& address, std::string_view reason) {
  throw std::invalid_argument(fmt::format("Slurm: host '{}' has the address '{}' with the pattern '{}': {}",
                                          address.host, address.address, address.pattern, reason));
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

}  // namespace

bool has_coordinates(const SlurmAddress& address) {
  return !address.address.empty() && coordinate_count(address.pattern).has_value();
}

std::optional<SlurmPosition> readable_position(const SlurmAddress& address) {
  const auto count = address.address.empty() ? std::nullopt : coordinate_count(address.pattern);
  const std::size_t last_colon = address.address.rfind(':');
  const std::size_t dot =
      last_colon == std::string::npos ? last_colon : address.address.find('.', last_colon);
  if (!count || dot == std::string::npos) return std::nullopt;
  std::string_view rest = std::string_view(address.address).substr(0, dot);
  SlurmPosition position{{}, std::vector<std::uint32_t>(*count)};
  for (std::size_t axis = *count; axis-- > 0;) {
    const std::size_t colon = rest.rfind(':');
    const auto number = colon == std::string_view::npos ? std::nullopt : whole_number(rest.substr(colon + 1));
    if (!number) return std::nullopt;
    position.at[axis] = *number;
    rest = rest.substr(0, colon);
  }
  position.network = rest;
  return position;
}

SlurmPosition position_of(const SlurmAddress& address) {
  if (address.address.empty()) {
    throw std::invalid_argument(fmt::format(
        "Slurm: host '{}' has no SLURM_TOPOLOGY_ADDR: the cluster has no topology plug-in, or the processes "
        "there were not started by srun",
        address.host));
  }
  if (!has_coordinates(address)) refuse(address, reason_without_coordinates(address.pattern));
  auto position = readable_position(address);
  if (!position) refuse(address, "the address does not follow the pattern");
  return *std::move(position);
}

std::string network_of(const SlurmAddress& address) {
  return position_of(address).network;
}

}  // namespace cubefold
