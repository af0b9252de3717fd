#include "adapter_choice.hpp"

#include <cstddef>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "text/known_names.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

using Kind = FabricElement::Kind;

/// Says that there is no adapter of this name, and which ones there are.
[[noreturn]] void refuse_adapter(const std::vector<FabricElement>& elements, const std::string& name) {
  constexpr std::size_t most_names = 8;
  std::set<std::string_view> names;
  for (const FabricElement& element : elements)
    if (is_in_host(element) && names.size() < most_names) names.insert(device_name(element));
  throw std::invalid_argument(unknown_name("adapter", name, {names.begin(), names.end()}));
}

/// Finds the switches that cables connect with some of them.
class ConnectedSwitches {
 public:
  explicit ConnectedSwitches(const std::vector<FabricElement>& elements)
      : elements_(elements), found_(elements.size()) {
    for (std::size_t i = 0; i < elements.size(); ++i)
      if (elements[i].kind == Kind::network_switch) positions_.emplace(elements[i].identifier, i);
  }

  void add_all_from(std::string_view identifier) {
    for (std::vector<std::string_view> open{identifier}; !open.empty();) {
      const auto place = positions_.find(open.back());
      open.pop_back();
      if (place == positions_.end() || found_[place->second]) continue;
      found_[place->second] = true;
      for (const ElementPort& port : elements_[place->second].ports) open.push_back(port.peer);
    }
  }

  /// Returns whether an element is no switch, or one that was found.
  bool keeps(std::size_t i) const { return elements_[i].kind != Kind::network_switch || found_[i]; }

  bool leads_elsewhere(const ElementPort& port) const {
    const auto place = positions_.find(port.peer);
    return place != positions_.end() && !found_[place->second];
  }

 private:
  const std::vector<FabricElement>& elements_;
  std::vector<bool> found_;
  std::unordered_map<std::string_view, std::size_t> positions_;
};

}  // namespace

bool AdapterChoice::has(const FabricElement& adapter, std::uint32_t number) const {
  return name.empty() || (device_name(adapter) == name && (!port || *port == number));
}

AdapterChoice adapter_choice(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  const auto port = colon == std::string_view::npos ? std::nullopt : whole_number(text.substr(colon + 1));
  return {std::string(port ? text.substr(0, colon) : text), port};
}

bool is_in_host(const FabricElement& element) {
  return element.kind == Kind::adapter &&
         element.description.find("Aggregation Node") == std::string_view::npos;
}

bool names_its_host(const FabricElement& adapter) {
  const auto words = words_of_line(adapter.description);
  if (words.empty() || words.front() == "(none)") return false;
  if (words.front() == "localhost" || words.front().starts_with("localhost.")) return false;
  return adapter.description.find(" Technologies") == std::string_view::npos;
}

std::string_view device_name(const FabricElement& adapter) {
  const auto words = words_of_line(adapter.description);
  return words.size() > 1 ? words[1] : adapter.identifier;
}

std::vector<FabricElement> plane_of(const std::vector<FabricElement>& elements, const AdapterChoice& choice) {
  if (choice.name.empty()) return elements;
  ConnectedSwitches plane(elements);
  bool has_one = false;
  for (const FabricElement& element : elements) {
    for (const ElementPort& port : element.ports) {
      if (!is_in_host(element) || !choice.has(element, port.number)) continue;
      has_one = true;
      plane.add_all_from(port.peer);
    }
  }
  if (!has_one) refuse_adapter(elements, choice.name);
  std::vector<FabricElement> kept;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (!plane.keeps(i)) continue;
    FabricElement element = elements[i];
    std::erase_if(element.ports, [&](const ElementPort& port) { return plane.leads_elsewhere(port); });
    if (!element.ports.empty()) kept.push_back(std::move(element));
  }
  return kept;
}

}  // namespace cubefold
