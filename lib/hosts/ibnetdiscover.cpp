#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "adapter_choice.hpp"
#include "fabric.hpp"
#include "ibnetdiscover_elements.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

using Kind = FabricElement::Kind;
using HostKey = std::pair<bool, std::string>;  ///< whether the host has no name of its own, and its name

std::string host_name(const FabricElement& adapter) {
  return std::string(names_its_host(adapter) ? words_of_line(adapter.description).front()
                                             : adapter.identifier);
}

/// Returns the text by which --adapter chooses a port of an adapter.
std::string adapter_text(const FabricElement& adapter, const ElementPort& port) {
  const auto name = device_name(adapter);
  return adapter.ports.size() == 1 ? std::string(name) : fmt::format("{}:{}", name, port.number);
}

/// Joins the elements of a file to a fabric.
class FabricBuilder {
 public:
  FabricBuilder(const std::vector<FabricElement>& elements, const AdapterChoice& choice)
      : elements_(elements), choice_(choice) {
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
    for (auto& [host, adapters] : hosts_) add_host(host.second, std::move(adapters));
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
    if (&elements_[peer] == &element) {
      if (port.number <= port.peer_port) ++fabric_.loopback_cables;
      return;
    }
    const auto on = switches_.find(peer);
    if (is_chosen(element, port.number)) {
      if (on == switches_.end()) refuse_line(port.line, "it joins two hosts without a switch");
      const bool has_name = names_its_host(element);
      hosts_[{!has_name, host_name(element)}].push_back({adapter_text(element, port), on->second});
      if (!has_name) fabric_.unnamed_adapters.insert(std::string(element.identifier));
    }
    if (element.kind != Kind::network_switch || on == switches_.end()) return;
    const std::uint32_t here = switches_.at(positions_.at(element.identifier));
    if (here < on->second) ++fabric_.cables[{here, on->second}];
  }

  bool is_chosen(const FabricElement& element, std::uint32_t port) const {
    return is_in_host(element) && choice_.has(element, port);
  }

  void add_host(const std::string& name, std::vector<HostAdapter> adapters) {
    const std::uint32_t on_switch = adapters.front().on_switch;
    if (std::ranges::all_of(adapters, [&](const HostAdapter& each) { return each.on_switch == on_switch; })) {
      numbers_.emplace(name, static_cast<std::uint32_t>(fabric_.hosts.size()));
      fabric_.hosts.push_back({name, on_switch});
    } else {
      fabric_.multihomed.push_back({name, std::move(adapters)});
    }
  }

  std::optional<std::uint32_t> host_of(const FabricElement& element, std::uint32_t port) const {
    const auto host = is_chosen(element, port) ? numbers_.find(host_name(element)) : numbers_.end();
    if (host == numbers_.end()) return std::nullopt;
    return host->second;
  }

  void add_port(const FabricElement& element, const ElementPort& port) {
    const std::size_t index = positions_.at(element.identifier);
    if (element.kind == Kind::adapter) {
      const bool is_new =
          !port.guid || fabric_.adapter_ports.emplace(*port.guid, host_of(element, port.number)).second;
      if (!is_new) refuse_line(port.line, fmt::format("another port has the GUID {:x}, too", *port.guid));
      return;
    }
    const std::size_t peer = positions_.at(port.peer);
    if (element.kind != Kind::network_switch || peer == index) return;
    auto& ports = fabric_.ports[switches_.at(index)];
    if (const auto on = switches_.find(peer); on != switches_.end()) {
      ports.emplace(port.number, PortPeer{false, on->second});
    } else if (const auto host = host_of(elements_[peer], port.peer_port)) {
      ports.emplace(port.number, PortPeer{true, *host});
    }
  }

  const std::vector<FabricElement>& elements_;
  const AdapterChoice& choice_;
  std::unordered_map<std::string_view, std::size_t> positions_;
  std::unordered_map<std::size_t, std::map<std::uint32_t, const ElementPort*>> ports_;
  std::unordered_map<std::size_t, std::uint32_t> switches_;
  std::map<HostKey, std::vector<HostAdapter>> hosts_;
  std::unordered_map<std::string, std::uint32_t> numbers_;  ///< of hosts
  Fabric fabric_;
};

}  // namespace

Fabric parse_ibnetdiscover(std::string_view text, std::string_view adapter) {
  const AdapterChoice choice = adapter_choice(adapter);
  const auto elements = plane_of(elements_of_ibnetdiscover(text), choice);
  return FabricBuilder(elements, choice).fabric();
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
