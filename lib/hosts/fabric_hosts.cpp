#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "fabric.hpp"

namespace cubefold {

namespace {

/// Returns the names, of which the last ones are left out if there are many.
std::string listed(std::vector<std::string> names) {
  constexpr std::size_t most_names = 8;
  if (names.size() <= most_names) return fmt::format("{}", fmt::join(names, ", "));
  names.resize(most_names);
  return fmt::format("{}, ...", fmt::join(names, ", "));
}

std::string adapters_text(const Fabric& fabric, const MultihomedHost& host) {
  const HostAdapter& first = host.adapters.front();
  const auto other = std::ranges::find_if(
      host.adapters, [&](const HostAdapter& each) { return each.on_switch != first.on_switch; });
  return fmt::format("host '{}' with {} on {} and {} on {}", host.name, first.name,
                     fabric.switches[first.on_switch], other->name, fabric.switches[other->on_switch]);
}

}  // namespace

std::vector<std::string> remarks_on(const Fabric& fabric) {
  std::vector<std::string> remarks;
  std::vector<std::string> names;
  for (const MultihomedHost& host : fabric.multihomed) names.push_back(host.name);
  if (!names.empty())
    remarks.push_back(fmt::format("left out, as they are on several switches: {}", listed(names)));
  if (!fabric.unnamed_adapters.empty()) {
    remarks.push_back(fmt::format("adapters that name no host: {}",
                                  listed({fabric.unnamed_adapters.begin(), fabric.unnamed_adapters.end()})));
  }
  if (fabric.loopback_cables > 0) {
    remarks.push_back(fmt::format("left out, as both ends are on one switch: {} {}", fabric.loopback_cables,
                                  fabric.loopback_cables == 1 ? "cable" : "cables"));
  }
  return remarks;
}

void require_hosts(const Fabric& fabric) {
  if (fabric.hosts.empty() && fabric.multihomed.empty())
    throw std::invalid_argument("there are no hosts on switches");
  if (fabric.multihomed.empty() || fabric.multihomed.size() < fabric.hosts.size()) return;
  throw std::invalid_argument(fmt::format(
      "{} of {} hosts are on several switches, as {}; choose one plane with --adapter {}",
      fabric.multihomed.size(), fabric.multihomed.size() + fabric.hosts.size(),
      adapters_text(fabric, fabric.multihomed.front()), fabric.multihomed.front().adapters.front().name));
}

}  // namespace cubefold
