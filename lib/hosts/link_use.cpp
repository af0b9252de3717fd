#include "link_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace cubefold {

namespace {

/// Puts switches in an order in which the next one on the route to a host comes before.
class RouteOrder {
 public:
  RouteOrder(const Fabric& fabric, const std::vector<FabricLink>& links,
             const std::vector<std::uint32_t>& next, std::uint32_t host)
      : fabric_(fabric), links_(links), next_(next), host_(host), states_(fabric.switches.size()) {
    states_[fabric.hosts[host].on_switch] = State::arrives;
  }

  /// Adds the switches of a route that are not known yet.
  void add_route(std::uint32_t from) {
    std::vector<std::uint32_t> followed;
    std::uint32_t here = from;
    while (states_[here] == State::unknown) {
      states_[here] = State::followed;
      followed.push_back(here);
      if (next_[here] == no_link) break;
      here = links_[next_[here]].to;
    }
    if (states_[here] != State::arrives) {
      throw std::invalid_argument(fmt::format("messages from {} to host '{}' never arrive",
                                              fabric_.switches[from], fabric_.hosts[host_].name));
    }
    for (const std::uint32_t on_route : followed) states_[on_route] = State::arrives;
    order_.insert(order_.end(), followed.rbegin(), followed.rend());
  }

  const std::vector<std::uint32_t>& order() const { return order_; }

 private:
  enum class State : std::uint8_t { unknown, followed, arrives };
  const Fabric& fabric_;
  const std::vector<FabricLink>& links_;
  const std::vector<std::uint32_t>& next_;
  std::uint32_t host_;
  std::vector<State> states_;
  std::vector<std::uint32_t> order_;
};

/// Adds the messages to one host.
void add_messages(const std::vector<FabricLink>& links, const std::vector<std::uint32_t>& next,
                  const std::vector<std::uint32_t>& order, std::vector<std::uint64_t> waiting, LinkUse& use) {
  for (std::size_t i = order.size(); i-- > 0;) {
    const std::uint32_t link = next[order[i]];
    const std::uint32_t there = links[link].to;
    use.messages[link] += waiting[order[i]];
    waiting[there] += waiting[order[i]];
    auto& followers = use.followers[link];
    const bool ends = next[there] == no_link;
    if (!ends && std::ranges::find(followers, next[there]) == followers.end())
      followers.push_back(next[there]);
  }
}

using Followers = std::vector<std::vector<std::uint32_t>>;

/// Returns a link of a cycle: links that nothing follows are taken away until the others have followers only among
/// themselves.
std::optional<std::uint32_t> link_of_cycle(const Followers& followers) {
  Followers before(followers.size());
  std::vector<std::size_t> left(followers.size());
  std::vector<std::uint32_t> ended;
  for (std::uint32_t link = 0; link < followers.size(); ++link) {
    left[link] = followers[link].size();
    if (left[link] == 0) ended.push_back(link);
    for (const std::uint32_t next : followers[link]) before[next].push_back(link);
  }
  for (std::size_t i = 0; i < ended.size(); ++i)
    for (const std::uint32_t link : before[ended[i]])
      if (--left[link] == 0) ended.push_back(link);
  if (ended.size() == followers.size()) return std::nullopt;
  // Whoever goes on from a link that is left to another one comes back to a link where it was before.
  std::vector<bool> seen(followers.size());
  auto here =
      static_cast<std::uint32_t>(std::ranges::find_if(left, [](auto n) { return n > 0; }) - left.begin());
  while (!seen[here]) {
    seen[here] = true;
    here = *std::ranges::find_if(followers[here], [&](std::uint32_t link) { return left[link] > 0; });
  }
  return here;
}

/// Returns the shortest cycle through a link that is in one, breadth first.
std::vector<std::uint32_t> shortest_cycle(const Followers& followers, std::uint32_t start) {
  constexpr std::uint32_t none = no_link;
  std::vector<std::uint32_t> before(followers.size(), none);
  std::vector<std::uint32_t> reached{start};
  for (std::size_t i = 0; before[start] == none; ++i) {
    for (const std::uint32_t next : followers[reached[i]]) {
      if (before[next] != none) continue;
      before[next] = reached[i];
      reached.push_back(next);
    }
  }
  std::vector<std::uint32_t> cycle{start};
  for (std::uint32_t link = before[start]; link != start; link = before[link]) cycle.push_back(link);
  std::ranges::reverse(cycle);
  return cycle;
}

}  // namespace

LinkUse use_of_links(const Fabric& fabric, const FabricRoutes& routes) {
  const auto links = links_of(fabric);
  LinkUse use{std::vector<std::uint64_t>(links.size()), Followers(links.size())};
  std::vector<std::uint64_t> hosts_of_switch(fabric.switches.size());
  for (const FabricHost& host : fabric.hosts) ++hosts_of_switch[host.on_switch];
  for (std::uint32_t host = 0; host < fabric.hosts.size(); ++host) {
    const auto next = routes(host);
    RouteOrder order(fabric, links, next, host);
    for (std::uint32_t from = 0; from < fabric.switches.size(); ++from)
      if (hosts_of_switch[from] > 0) order.add_route(from);
    add_messages(links, next, order.order(), hosts_of_switch, use);
  }
  return use;
}

std::vector<std::uint32_t> dependency_cycle(const Followers& followers) {
  const auto link = link_of_cycle(followers);
  return link ? shortest_cycle(followers, *link) : std::vector<std::uint32_t>{};
}

}  // namespace cubefold
