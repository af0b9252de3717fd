#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "fabric_routes.hpp"

namespace cubefold {

namespace {

/// Joins forwarding tables with the fabric whose switches have them.
class TableJoin {
 public:
  TableJoin(const Fabric& fabric, const ForwardingTables& tables) : fabric_(fabric), tables_(tables) {
    find_switches();
    find_hosts();
    find_links();
    next_.assign(fabric.switches.size() * fabric.hosts.size(), unknown);
    for (const ForwardingTable& table : tables.tables) read(table);
    require_all();
  }

  std::vector<std::uint32_t> result() { return std::move(next_); }

 private:
  static constexpr std::uint32_t unknown = no_link - 1;

  void find_switches() {
    for (std::uint32_t i = 0; i < fabric_.switch_guids.size(); ++i)
      switches_.emplace(fabric_.switch_guids[i], i);
    std::vector<bool> has_table(fabric_.switches.size());
    for (const ForwardingTable& table : tables_.tables) {
      const auto found = switches_.find(table.switch_guid);
      if (found == switches_.end()) {
        throw std::invalid_argument(
            fmt::format("line {}: the fabric has no switch 0x{:016x}", table.line, table.switch_guid));
      }
      has_table[found->second] = true;
    }
    const auto without = static_cast<std::size_t>(std::ranges::find(has_table, false) - has_table.begin());
    if (without < has_table.size())
      throw std::invalid_argument(fmt::format("there is no table of {}", fabric_.switches[without]));
  }

  /// Finds the lowest local identifier of every host.
  void find_hosts() {
    std::vector<bool> has_lid(fabric_.hosts.size());
    for (const auto& [lid, guid] : tables_.adapter_ports) {
      const auto port = fabric_.adapter_ports.find(guid);
      if (port == fabric_.adapter_ports.end()) {
        throw std::invalid_argument(
            fmt::format("LID 0x{:04x} is port 0x{:016x}, which no adapter of the fabric has", lid, guid));
      }
      if (!port->second || has_lid[*port->second]) continue;
      has_lid[*port->second] = true;
      hosts_.emplace(lid, *port->second);
    }
    const auto without = static_cast<std::size_t>(std::ranges::find(has_lid, false) - has_lid.begin());
    if (without < has_lid.size())
      throw std::invalid_argument(fmt::format("there is no LID of host '{}'", fabric_.hosts[without].name));
  }

  void find_links() {
    links_.resize(fabric_.switches.size());
    const auto links = links_of(fabric_);
    for (std::uint32_t i = 0; i < links.size(); ++i) links_[links[i].from].emplace(links[i].port, i);
  }

  void read(const ForwardingTable& table) {
    const std::uint32_t here = switches_.at(table.switch_guid);
    for (const ForwardingEntry& entry : table.entries) {
      const auto host = hosts_.find(entry.lid);
      if (host == hosts_.end()) continue;
      next_[here * fabric_.hosts.size() + host->second] = link_of(here, entry, host->second);
    }
  }

  std::uint32_t link_of(std::uint32_t here, const ForwardingEntry& entry, std::uint32_t host) const {
    const FabricHost& wanted = fabric_.hosts[host];
    const auto& ports = fabric_.ports[here];
    const auto port = ports.find(entry.port);
    if (port != ports.end() && port->second == PortPeer{true, host}) return no_link;
    if (here == wanted.on_switch || (port != ports.end() && port->second.is_host)) {
      throw std::invalid_argument(fmt::format("line {}: port {} of {} does not lead to host '{}'", entry.line,
                                              entry.port, fabric_.switches[here], wanted.name));
    }
    if (port == ports.end()) {
      throw std::invalid_argument(
          fmt::format("line {}: port {} of {} has no cable", entry.line, entry.port, fabric_.switches[here]));
    }
    return links_[here].at(entry.port);
  }

  void require_all() const {
    const auto place = static_cast<std::size_t>(std::ranges::find(next_, unknown) - next_.begin());
    if (place == next_.size()) return;
    throw std::invalid_argument(fmt::format("the table of {} has no entry for host '{}'",
                                            fabric_.switches[place / fabric_.hosts.size()],
                                            fabric_.hosts[place % fabric_.hosts.size()].name));
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  std::unordered_map<std::uint64_t, std::uint32_t> switches_;            ///< by GUID
  std::unordered_map<std::uint32_t, std::uint32_t> hosts_;               ///< by local identifier
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> links_;  ///< by switch and port
  std::vector<std::uint32_t> next_;
};

}  // namespace

FabricRoutes table_routes(const Fabric& fabric, const ForwardingTables& tables) {
  const auto next = std::make_shared<const std::vector<std::uint32_t>>(TableJoin(fabric, tables).result());
  return [next, hosts = fabric.hosts.size(), switches = fabric.switches.size()](std::uint32_t host) {
    std::vector<std::uint32_t> links(switches);
    for (std::size_t here = 0; here < switches; ++here) links[here] = (*next)[here * hosts + host];
    return links;
  };
}

}  // namespace cubefold
