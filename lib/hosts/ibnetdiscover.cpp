#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "fabric.hpp"
#include "ibnetdiscover_elements.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

using Kind = FabricElement::Kind;

bool is_host(const FabricElement& element) {
  return element.kind == Kind::adapter &&
         element.description.find("Aggregation Node") == std::string_view::npos;
}

std::string host_name(const FabricElement& element) {
  const auto words = words_of_line(element.description);
  return std::string(words.empty() ? element.identifier : words.front());
}

/// Joins the elements of a file to a fabric.
class FabricBuilder {
 public:
  explicit FabricBuilder(const std::vector<FabricElement>& elements) : elements_(elements) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!positions_.emplace(elements[i].identifier, i).second)
        throw std::invalid_argument(fmt::format("{} has two entries", elements[i].identifier));
      add_ports(i);
      if (elements[i].kind == Kind::network_switch) add_switch(i);
    }
  }

  Fabric fabric() {
    for (const FabricElement& element : elements_)
      for (const ElementPort& port : element.ports) add_cable(element, port);
    for (const auto& [name, on_switch] : hosts_) {
      numbers_.emplace(name, static_cast<std::uint32_t>(fabric_.hosts.size()));
      fabric_.hosts.push_back({name, on_switch});
    }
    fabric_.ports.resize(fabric_.switches.size());
    for (const FabricElement& element : elements_)
      for (const ElementPort& port : element.ports) add_port(element, port);
    return std::move(fabric_);
  }

 private:
  void add_ports(std::size_t index) {
    for (const ElementPort& port : elements_[index].ports) {
      const bool is_new = ports_[index].emplace(port.number, &port).second;
      if (is_new) continue;
      refuse_line(port.line, fmt::format("{} lists port {} twice", elements_[index].identifier, port.number));
    }
  }

  void add_switch(std::size_t index) {
    const FabricElement& element = elements_[index];
    switches_.emplace(index, static_cast<std::uint32_t>(fabric_.switches.size()));
    fabric_.switches.push_back(fmt::format("{} ({})", element.description, element.identifier));
    const bool has_guid = element.identifier.starts_with("S-");
    const auto guid = has_guid ? hexadecimal_number(element.identifier.substr(2)) : std::nullopt;
    if (!guid) {
      refuse_line(element.line,
                  fmt::format("the identifier {} of a switch is not S- and its GUID", element.identifier));
    }
    fabric_.switch_guids.push_back(*guid);
  }

  /// Returns the position of the element at the other end, which has to list this end.
  std::size_t peer_of(const FabricElement& element, const ElementPort& port) const {
    const auto peer = positions_.find(port.peer);
    if (peer == positions_.end())
      refuse_line(port.line, fmt::format("{} has no entry; the file is incomplete", port.peer));
    const auto ports = ports_.find(peer->second);
    const auto end = ports == ports_.end() ? std::map<std::uint32_t, const ElementPort*>::const_iterator{}
                                           : ports->second.find(port.peer_port);
    if (ports == ports_.end() || end == ports->second.end()) {
      refuse_line(port.line, fmt::format("{} does not list this cable at port {}; the file is incomplete",
                                         port.peer, port.peer_port));
    }
    if (end->second->peer != element.identifier || end->second->peer_port != port.number) {
      refuse_line(port.line, fmt::format("this cable contradicts line {}, where port {} of {} leads to {}",
                                         end->second->line, port.peer_port, port.peer, end->second->peer));
    }
    return peer->second;
  }

  void add_cable(const FabricElement& element, const ElementPort& port) {
    const std::size_t peer = peer_of(element, port);
    const auto on = switches_.find(peer);
    if (is_host(element)) {
      if (on == switches_.end()) refuse_line(port.line, "it joins two hosts without a switch");
      add_host(host_name(element), on->second, port.line);
    }
    if (element.kind != Kind::network_switch || on == switches_.end()) return;
    const std::uint32_t here = switches_.at(positions_.at(element.identifier));
    if (here == on->second) refuse_line(port.line, fmt::format("{} is cabled to itself", element.identifier));
    if (here < on->second) ++fabric_.cables[{here, on->second}];
  }

  std::optional<std::uint32_t> host_of(const FabricElement& element) const {
    const auto host = is_host(element) ? numbers_.find(host_name(element)) : numbers_.end();
    if (host == numbers_.end()) return std::nullopt;
    return host->second;
  }

  void add_port(const FabricElement& element, const ElementPort& port) {
    const std::size_t index = positions_.at(element.identifier);
    if (element.kind == Kind::adapter) {
      const bool is_new = !port.guid || fabric_.adapter_ports.emplace(*port.guid, host_of(element)).second;
      if (!is_new) refuse_line(port.line, fmt::format("another port has the GUID {:x}, too", *port.guid));
      return;
    }
    if (element.kind != Kind::network_switch) return;
    auto& ports = fabric_.ports[switches_.at(index)];
    const std::size_t peer = positions_.at(port.peer);
    if (const auto on = switches_.find(peer); on != switches_.end()) {
      ports.emplace(port.number, PortPeer{false, on->second});
    } else if (const auto host = host_of(elements_[peer])) {
      ports.emplace(port.number, PortPeer{true, *host});
    }
  }

  void add_host(const std::string& name, std::uint32_t on_switch, std::size_t line) {
    const auto [host, is_new] = hosts_.emplace(name, on_switch);
    if (is_new || host->second == on_switch) return;
    refuse_line(line, fmt::format("host '{}' is on two switches, {} and {}; a map has each host on one", name,
                                  fabric_.switches[host->second], fabric_.switches[on_switch]));
  }

  const std::vector<FabricElement>& elements_;
  std::unordered_map<std::string_view, std::size_t> positions_;
  std::unordered_map<std::size_t, std::map<std::uint32_t, const ElementPort*>> ports_;
  std::unordered_map<std::size_t, std::uint32_t> switches_;
  std::map<std::string, std::uint32_t> hosts_;              ///< the switches of hosts
  std::unordered_map<std::string, std::uint32_t> numbers_;  ///< of hosts
  Fabric fabric_;
};

}  // namespace

Fabric parse_ibnetdiscover(std::string_view text) {
  const auto elements = elements_of_ibnetdiscover(text);
  return FabricBuilder(elements).fabric();
}

std::vector<FabricLink> links_of(const Fabric& fabric) {
  std::vector<FabricLink> links;
  for (std::uint32_t from = 0; from < fabric.ports.size(); ++from) {
    for (const auto& [port, peer] : fabric.ports[from])
      if (!peer.is_host) links.push_back({from, port, peer.index});
  }
  return links;
}

}  // namespace cubefold
