#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
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

/// An adapter of a host, as `mlx5_0`, or one of its ports, as `mlx5_0:1`, and the switch that it is cabled to.
struct HostAdapter {
  std::string name;
  std::uint32_t on_switch;
};

/// A host with adapters on several switches, as with several planes, or as managers of a fabric have them.
struct MultihomedHost {
  std::string name;
  std::vector<HostAdapter> adapters;
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
  std::vector<FabricHost> hosts;            ///< by name, those that have no name of their own last
  std::map<GraphEdge, std::size_t> cables;  ///< numbers of cables between two switches, the lower one first

  std::vector<std::uint64_t> switch_guids;
  std::vector<std::map<std::uint32_t, PortPeer>> ports;  ///< of each switch, by number: those with a cable

  /// The host of each port of an adapter, by the GUID of the port. Adapters that are in no host of `hosts` have none.
  std::map<std::uint64_t, std::optional<std::uint32_t>> adapter_ports;

  std::vector<MultihomedHost> multihomed = {};  ///< by name; they are not among `hosts`
  std::set<std::string> unnamed_adapters = {};  ///< identifiers, which are the names of their hosts
  std::size_t loopback_cables = 0;  ///< from switches and adapters to themselves, which are left out
};

/// Reads a text of ibnetdiscover, also one by its option -g. The name of a host is the first word of its adapter's
/// description, unless that is the default one of the chip or `localhost`. `adapter` chooses among the adapters of each
/// host, as `mlx5_0`, or `mlx5_0:1` for one port; switches that no cable connects with a chosen one are left out.
/// Adapters of switches that aggregate data are left out, too. Throws std::invalid_argument with the line if an end of
/// a cable is missing or contradicts the other end, and with the known names for an adapter that no host has.
CUBEFOLD_API Fabric parse_ibnetdiscover(std::string_view text, std::string_view adapter = {});

/// Returns a text such as "left out, as they are on several switches: ufm1" for each kind of things that
/// parse_ibnetdiscover() left out or named otherwise.
CUBEFOLD_API std::vector<std::string> remarks_on(const Fabric& fabric);

/// Throws std::invalid_argument if no host is on one switch, or if at least as many are on several, with the adapters
/// of one of them.
CUBEFOLD_API void require_hosts(const Fabric& fabric);

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
