#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/hosts/host_map.hpp"

namespace cubefold {

/// A host with its coordinates on a network that may not be known yet.
struct PlacedHost {
  std::string name;
  std::vector<std::uint32_t> at;
  std::size_t slots = 0;
};

/// Returns the hosts on the given network. Without a network, it is a mesh that ends at the largest coordinate of every
/// axis, and the source says so. Throws std::invalid_argument, with the name of the host, if the hosts have different
/// numbers of coordinates, or a coordinate that the network does not have.
HostMap map_of_placed(const std::vector<PlacedHost>& hosts, const std::optional<Grid>& network,
                      std::string source);

}  // namespace cubefold
