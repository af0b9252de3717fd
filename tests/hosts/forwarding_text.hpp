#pragma once

#include <fmt/format.h>

#include <string>

#include "hosts/fabric_routes.hpp"

namespace cubefold {

/// Returns the first local identifier of a host in the text. The one after it is the host's second one.
inline std::uint32_t lid_of_host(std::uint32_t host) {
  return 2 * host + 2;
}

/// Returns the GUID of the adapter's port of every host.
inline std::vector<std::uint64_t> port_guids(const Fabric& fabric) {
  std::vector<std::uint64_t> guids(fabric.hosts.size());
  for (const auto& [guid, host] : fabric.adapter_ports)
    if (host) guids[*host] = guid;
  return guids;
}

/// Returns the port by which messages to a host leave its own switch.
inline std::uint32_t port_of_host(const Fabric& fabric, std::uint32_t host) {
  for (const auto& [port, peer] : fabric.ports[fabric.hosts[host].on_switch])
    if (peer == PortPeer{true, host}) return port;
  return 0;
}

/// Writes routes as OpenSM writes them into opensm-lfts.dump. All messages to the second identifier of a host leave by
/// port 0, so a reader that uses it would be noticed.
inline std::string forwarding_text(const Fabric& fabric, const FabricRoutes& routes) {
  const auto links = links_of(fabric);
  const auto guids = port_guids(fabric);
  std::vector<std::string> tables(fabric.switches.size());
  for (std::uint32_t host = 0; host < fabric.hosts.size(); ++host) {
    const auto next = routes(host);
    for (std::uint32_t here = 0; here < tables.size(); ++here) {
      const auto port = next[here] == no_link ? port_of_host(fabric, host) : links[next[here]].port;
      for (const std::uint32_t second : {0U, 1U}) {
        tables[here] += fmt::format("0x{:04x} {:03} # Channel Adapter portguid 0x{:016x}: '{} HCA-1'\n",
                                    lid_of_host(host) + second, second == 0 ? port : 0, guids[host],
                                    fabric.hosts[host].name);
      }
    }
  }
  std::string text;
  for (std::uint32_t here = 0; here < tables.size(); ++here) {
    text += fmt::format("Unicast lids [0-99] of switch Lid 1 guid 0x{:016x} ('{}'):\n{}99 lids dumped\n",
                        fabric.switch_guids[here], fabric.switches[here], tables[here]);
  }
  return text;
}

}  // namespace cubefold
