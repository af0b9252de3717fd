#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "cubefold/export.h"
#include "fabric.hpp"
#include "forwarding_tables.hpp"

namespace cubefold {

/// Stands for the link of a switch from where no route goes on.
inline constexpr std::uint32_t no_link = ~std::uint32_t{0};

/// Returns for a host the link by which messages to it leave each switch, and no_link at its own switch.
using FabricRoutes = std::function<std::vector<std::uint32_t>(std::uint32_t host)>;

/// Returns the routes by the forwarding tables. A host with several local identifiers is reached by the lowest one, as
/// messages that know nothing of the others are. Throws std::invalid_argument if a table is of a switch that the fabric
/// does not have, if a switch has no table, if a local identifier is of no adapter of the fabric, if a host has none or
/// a switch no entry for it, and if the port of an entry has no cable or the port at a host's own switch does not lead
/// to it. Whether routes arrive is found by use_of_links(). Takes 4 bytes for every switch and host.
CUBEFOLD_API FabricRoutes table_routes(const Fabric& fabric, const ForwardingTables& tables);

/// The ports of each switch in the order in which a shortest route is looked for. Ports that are not in the list of
/// their switch come after those that are, in ascending order.
using PortOrder = std::vector<std::vector<std::uint32_t>>;

/// Returns the routes of OpenSM's routing engine `dor`: at each switch the first port in the order that leads to a
/// switch nearer to the host. If several ports lead to that switch, the hosts take turns, in the order in which OpenSM
/// makes routes: by the number of hosts on their switch, the most first, then by its GUID, then by its ports. Hosts
/// that the fabric leaves out take no turn, and a host with several ports on its switch takes that of the last one.
/// Throws std::invalid_argument if not all switches are connected. A call costs O(links). With parallel cables, takes 4
/// bytes for every pair of switches and O(switches * links) once.
CUBEFOLD_API FabricRoutes first_port_routes(const Fabric& fabric, const PortOrder& order);

}  // namespace cubefold
