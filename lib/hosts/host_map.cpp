#include "cubefold/hosts/host_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "host_name.hpp"

namespace cubefold {

namespace {

[[noreturn]] void refuse(const std::string& reason, const std::string& source) {
  throw std::invalid_argument(fmt::format("HostMap: {} (source: {})", reason, source));
}

/// Returns whether launchers' files can hold the name: they separate names by blanks, and a blank has no picture.
bool is_host_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) { return c > ' ' && c <= '~'; });
}

void require_host(const Host& host, const Grid& network, const std::string& source) {
  const auto node = static_cast<std::size_t>(host.node);
  if (!is_host_name(host.name)) {
    refuse(fmt::format("the name of a host on node {} is empty, or has a blank or a character beyond ASCII",
                       node),
           source);
  }
  if (node >= network.node_count()) {
    refuse(fmt::format("host '{}' is on node {}, but {} has {} nodes", host.name, node, to_string(network),
                       network.node_count()),
           source);
  }
}

}  // namespace

HostMap::HostMap(Grid network, std::vector<Host> hosts, std::string source)
    : network_(std::move(network)), hosts_(std::move(hosts)), source_(std::move(source)) {
  if (hosts_.empty()) refuse("there are no hosts", source_);
  for (const Host& host : hosts_) require_host(host, network_, source_);
  std::ranges::stable_sort(hosts_, {}, &Host::node);
  by_name_.resize(hosts_.size());
  std::iota(by_name_.begin(), by_name_.end(), std::size_t{0});
  std::ranges::stable_sort(by_name_, HostNameOrder{},
                           [this](std::size_t i) -> std::string_view { return hosts_[i].name; });
  for (std::size_t i = 1; i < by_name_.size(); ++i) {
    const Host& one = hosts_[by_name_[i - 1]];
    const Host& other = hosts_[by_name_[i]];
    if (!is_same_host_name(one.name, other.name)) continue;
    const std::string again = one.name == other.name ? "" : fmt::format(", once as '{}'", other.name);
    refuse(fmt::format("host '{}' occurs twice{}, on node {} and on node {}", one.name, again,
                       static_cast<std::size_t>(one.node), static_cast<std::size_t>(other.node)),
           source_);
  }
}

const Host* HostMap::find(std::string_view name) const {
  const auto from = [this](std::string_view least) {
    return std::ranges::lower_bound(by_name_, least, HostNameOrder{},
                                    [this](std::size_t i) -> std::string_view { return hosts_[i].name; });
  };
  const auto named = [&](std::string_view wanted) -> const Host* {
    const auto place = from(wanted);
    return place != by_name_.end() && is_same_host_name(hosts_[*place].name, wanted) ? &hosts_[*place]
                                                                                     : nullptr;
  };
  const auto short_form = short_host_name(name);
  if (const Host* host = named(name)) return host;
  if (short_form != name) return named(short_form);
  const std::string prefix = std::string(name) + '.';
  const auto begins = [&](auto place) {
    return place != by_name_.end() &&
           is_same_host_name(std::string_view(hosts_[*place].name).substr(0, prefix.size()), prefix);
  };
  const auto place = from(prefix);
  return begins(place) && !begins(place + 1) ? &hosts_[*place] : nullptr;
}

}  // namespace cubefold
