#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
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

/// Names the other end of a port's cable: one of the hosts or one of the other switches of its fabric.
struct PortPeer {
  bool is_host;
  std::uint32_t index;

  bool operator==(const PortPeer&) const = default;
};

/// The switches and hosts of an InfiniBand fabric.
struct Fabric {
  std::vector<std::string> switches;        ///< descriptions and identifiers, for messages
  std::vector<FabricHost> hosts;            ///< by name
  std::map<GraphEdge, std::size_t> cables;  ///< numbers of cables between two switches, the lower one first

  std::vector<std::uint64_t> switch_guids;
  std::vector<std::map<std::uint32_t, PortPeer>> ports;  ///< of each switch, by number: those with a cable

  /// The host of each port of an adapter, by the GUID of the port. Adapters of switches that aggregate data have none.
  std::map<std::uint64_t, std::optional<std::uint32_t>> adapter_ports;
};

/// Reads a text of ibnetdiscover. The name of a host is the first word of its adapter's description. Adapters of
/// switches that aggregate data are left out. Throws std::invalid_argument with the line if an end of a cable is
/// missing or contradicts the other end, if a switch is cabled to itself, and if a host is cabled to two switches.
CUBEFOLD_API Fabric parse_ibnetdiscover(std::string_view text);

/// One direction of a cable between two switches: the port by which messages leave `from`.
struct FabricLink {
  std::uint32_t from;
  std::uint32_t port;
  std::uint32_t to;

  bool operator==(const FabricLink&) const = default;
};

/// Returns the links of a fabric in ascending order of (from, port).
CUBEFOLD_API std::vector<FabricLink> links_of(const Fabric& fabric);

}  // namespace cubefold
