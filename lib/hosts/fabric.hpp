#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "grid_recognition.hpp"

namespace cubefold {

/// A host of an InfiniBand fabric, and the switch that its adapters are cabled to.
struct FabricHost {
  std::string name;
  std::uint32_t on_switch;

  bool operator==(const FabricHost&) const = default;
};

/// The switches and hosts of an InfiniBand fabric.
struct Fabric {
  std::vector<std::string> switches;        ///< descriptions and identifiers, for messages
  std::vector<FabricHost> hosts;            ///< by name
  std::map<GraphEdge, std::size_t> cables;  ///< numbers of cables between two switches, the lower one first
};

/// Reads a text of ibnetdiscover. The name of a host is the first word of its adapter's description. Adapters of
/// switches that aggregate data are left out. Throws std::invalid_argument with the line if an end of a cable is
/// missing or contradicts the other end, if a switch is cabled to itself, and if a host is cabled to two switches.
CUBEFOLD_API Fabric parse_ibnetdiscover(std::string_view text);

}  // namespace cubefold
