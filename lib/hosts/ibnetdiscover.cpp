#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "fabric.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

enum class Kind : std::uint8_t { network_switch, adapter, router };

/// One end of a cable as an element lists it.
struct Port {
  std::uint32_t number;
  std::string_view peer;  ///< identifier of the element at the other end
  std::uint32_t peer_port;
  std::size_t line;
};

/// A switch, an adapter of a host, or a router.
struct Element {
  Kind kind;
  std::string_view identifier;
  std::string_view description;
  std::vector<Port> ports;
};

[[noreturn]] void refuse(std::size_t line, const std::string& rule) {
  throw std::invalid_argument(fmt::format("line {}: {}", line, rule));
}

/// Reads a line from left to right.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  void skip_blanks() {
    while (rest_.starts_with(' ') || rest_.starts_with('\t')) rest_.remove_prefix(1);
  }

  /// Takes the text between two characters. Returns nothing, and takes nothing, if it is not there.
  std::optional<std::string_view> take(char open, char close) {
    const std::size_t end = rest_.starts_with(open) ? rest_.find(close, 1) : std::string_view::npos;
    if (end == std::string_view::npos) return std::nullopt;
    const auto inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return inside;
  }

  /// Takes all up to a character, which stays.
  void skip_to(char c) { rest_.remove_prefix(std::min(rest_.find(c), rest_.size())); }

 private:
  std::string_view rest_;
};

std::optional<Kind> kind_of(std::string_view line) {
  constexpr std::array<std::pair<std::string_view, Kind>, 3> kinds{
      {{"Switch", Kind::network_switch}, {"Ca", Kind::adapter}, {"Rt", Kind::router}}};
  for (const auto& [word, kind] : kinds) {
    const bool begins = line.starts_with(word);
    if (begins && (line.substr(word.size()).starts_with('\t') || line.substr(word.size()).starts_with(' ')))
      return kind;
  }
  return std::nullopt;
}

/// Reads `Switch 6 "S-0000000000200000"  # "sw000" base port 0 lid 1 lmc 0`.
Element element_of(Kind kind, std::string_view line, std::size_t number) {
  LineReader reader(line);
  reader.skip_to('"');
  const auto identifier = reader.take('"', '"');
  if (!identifier || identifier->empty())
    refuse(number, "a switch or an adapter without an identifier in quotes");
  reader.skip_to('#');
  reader.skip_to('"');
  return {kind, *identifier, reader.take('"', '"').value_or(""), {}};
}

/// Reads `[1](100001) "S-0000000000200000"[3]  # ...`.
Port port_of(std::string_view line, std::size_t number) {
  LineReader reader(line);
  const auto own = reader.take('[', ']');
  reader.take('(', ')');
  reader.skip_blanks();
  const auto peer = reader.take('"', '"');
  const auto peer_port = reader.take('[', ']');
  const auto own_number = whole_number(own.value_or(""));
  const auto peer_number = whole_number(peer_port.value_or(""));
  if (!peer || !own_number || !peer_number)
    refuse(number, "it is not of the form [PORT] \"IDENTIFIER\"[PORT]");
  return {*own_number, *peer, *peer_number, number};
}

std::vector<Element> elements_of(std::string_view text) {
  std::vector<Element> elements;
  for_each_line(text, [&](std::size_t number, std::string_view line) {
    if (const auto kind = kind_of(line)) {
      elements.push_back(element_of(*kind, line, number));
    } else if (line.starts_with('[')) {
      if (elements.empty()) refuse(number, "a port before the first switch or adapter");
      elements.back().ports.push_back(port_of(line, number));
    }
  });
  return elements;
}

bool is_host(const Element& element) {
  return element.kind == Kind::adapter &&
         element.description.find("Aggregation Node") == std::string_view::npos;
}

std::string host_name(const Element& element) {
  const auto words = words_of_line(element.description);
  return std::string(words.empty() ? element.identifier : words.front());
}

/// Joins the elements of a file to a fabric.
class FabricBuilder {
 public:
  explicit FabricBuilder(const std::vector<Element>& elements) : elements_(elements) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!positions_.emplace(elements[i].identifier, i).second)
        throw std::invalid_argument(fmt::format("{} has two entries", elements[i].identifier));
      add_ports(i);
      if (elements[i].kind == Kind::network_switch) add_switch(i);
    }
  }

  Fabric fabric() {
    for (const Element& element : elements_)
      for (const Port& port : element.ports) add_cable(element, port);
    for (const auto& [name, on_switch] : hosts_) fabric_.hosts.push_back({name, on_switch});
    std::ranges::sort(fabric_.hosts, {}, &FabricHost::name);
    return std::move(fabric_);
  }

 private:
  void add_ports(std::size_t index) {
    for (const Port& port : elements_[index].ports) {
      const bool is_new = ports_[index].emplace(port.number, &port).second;
      if (!is_new)
        refuse(port.line, fmt::format("{} lists port {} twice", elements_[index].identifier, port.number));
    }
  }

  void add_switch(std::size_t index) {
    const Element& element = elements_[index];
    switches_.emplace(index, static_cast<std::uint32_t>(fabric_.switches.size()));
    fabric_.switches.push_back(fmt::format("{} ({})", element.description, element.identifier));
  }

  /// Returns the position of the element at the other end, which has to list this end.
  std::size_t peer_of(const Element& element, const Port& port) const {
    const auto peer = positions_.find(port.peer);
    if (peer == positions_.end())
      refuse(port.line, fmt::format("{} has no entry; the file is incomplete", port.peer));
    const auto ports = ports_.find(peer->second);
    const auto end = ports == ports_.end() ? std::map<std::uint32_t, const Port*>::const_iterator{}
                                           : ports->second.find(port.peer_port);
    if (ports == ports_.end() || end == ports->second.end()) {
      refuse(port.line, fmt::format("{} does not list this cable at port {}; the file is incomplete",
                                    port.peer, port.peer_port));
    }
    if (end->second->peer != element.identifier || end->second->peer_port != port.number) {
      refuse(port.line, fmt::format("this cable contradicts line {}, where port {} of {} leads to {}",
                                    end->second->line, port.peer_port, port.peer, end->second->peer));
    }
    return peer->second;
  }

  void add_cable(const Element& element, const Port& port) {
    const std::size_t peer = peer_of(element, port);
    const auto on = switches_.find(peer);
    if (is_host(element)) {
      if (on == switches_.end()) refuse(port.line, "it joins two hosts without a switch");
      add_host(host_name(element), on->second, port.line);
    }
    if (element.kind != Kind::network_switch || on == switches_.end()) return;
    const std::uint32_t here = switches_.at(positions_.at(element.identifier));
    if (here == on->second) refuse(port.line, fmt::format("{} is cabled to itself", element.identifier));
    if (here < on->second) ++fabric_.cables[{here, on->second}];
  }

  void add_host(const std::string& name, std::uint32_t on_switch, std::size_t line) {
    const auto [host, is_new] = hosts_.emplace(name, on_switch);
    if (is_new || host->second == on_switch) return;
    refuse(line, fmt::format("host '{}' is on two switches, {} and {}; a map has each host on one", name,
                             fabric_.switches[host->second], fabric_.switches[on_switch]));
  }

  const std::vector<Element>& elements_;
  std::unordered_map<std::string_view, std::size_t> positions_;
  std::unordered_map<std::size_t, std::map<std::uint32_t, const Port*>> ports_;
  std::unordered_map<std::size_t, std::uint32_t> switches_;
  std::unordered_map<std::string, std::uint32_t> hosts_;
  Fabric fabric_;
};

}  // namespace

Fabric parse_ibnetdiscover(std::string_view text) {
  const auto elements = elements_of(text);
  return FabricBuilder(elements).fabric();
}

}  // namespace cubefold
