#include "balanced_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace cubefold {

namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// The links of a network, by the vertex that they enter.
using LinksInto = std::vector<std::vector<std::uint32_t>>;

LinksInto links_into(std::size_t vertex_count, const std::vector<TableLink>& links) {
  LinksInto into(vertex_count);
  for (std::uint32_t i = 0; i < links.size(); ++i) into[links[i].to].push_back(i);
  return into;
}

/// Returns the hops from every vertex to a destination, or `nowhere` where there is no way.
std::vector<std::uint32_t> hops_to(std::uint32_t destination, const std::vector<TableLink>& links,
                                   const LinksInto& into) {
  std::vector<std::uint32_t> hops(into.size(), nowhere);
  hops[destination] = 0;
  std::vector<std::uint32_t> reached{destination};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const std::uint32_t link : into[reached[i]]) {
      const std::uint32_t from = links[link].from;
      if (hops[from] != nowhere) continue;
      hops[from] = hops[reached[i]] + 1;
      reached.push_back(from);
    }
  }
  return hops;
}

/// Returns the largest quotient for the sets of vertices whose `place` is at least 1, at least 2, and so on: pairs of
/// nodes whose message leaves the set over the rates of the links that leave it.
double largest_of_cuts(std::size_t node_count, const std::vector<std::uint32_t>& place,
                       const std::vector<TableLink>& links) {
  const std::uint32_t last = *std::ranges::max_element(place);
  std::vector<double> nodes(last + 1);
  std::vector<double> rates(last + 1);
  for (std::size_t node = 0; node < node_count; ++node) ++nodes[place[node]];
  for (const TableLink& link : links)
    for (auto i = place[link.to] + 1; i <= place[link.from]; ++i) rates[i] += link.rate;
  double most = 0;
  double inside = 0;
  for (std::uint32_t i = last; i > 0; --i) {
    inside += nodes[i];
    if (inside > 0) most = std::max(most, inside * (static_cast<double>(node_count) - inside) / rates[i]);
  }
  return most;
}

/// Returns for every vertex a node that has the same coordinates: itself, or the first with a link to the switch.
std::vector<GridNode> nodes_at(std::size_t node_count, const LinksInto& into,
                               const std::vector<TableLink>& links) {
  std::vector<GridNode> nodes(into.size());
  for (std::uint32_t vertex = 0; vertex < nodes.size(); ++vertex) {
    std::uint32_t nearest = vertex < node_count ? vertex : nowhere;
    for (const std::uint32_t link : into[vertex])
      if (vertex >= node_count) nearest = std::min(nearest, links[link].from);
    nodes[vertex] = GridNode{nearest < node_count ? nearest : 0};
  }
  return nodes;
}

double bound_of_axes(const Grid& nodes, const std::vector<GridNode>& node_at,
                     const std::vector<TableLink>& links) {
  double bound = 0;
  for (int axis = 0; axis < nodes.axis_count(); ++axis) {
    std::vector<std::uint32_t> place(node_at.size());
    for (std::size_t i = 0; i < place.size(); ++i) place[i] = nodes.coordinate(node_at[i], axis);
    bound = std::max(bound, largest_of_cuts(nodes.node_count(), place, links));
  }
  return bound;
}

/// Finds routes and keeps the best.
class RouteSearch {
 public:
  RouteSearch(std::size_t node_count, std::size_t switch_count, const std::vector<TableLink>& links)
      : node_count_(node_count),
        links_(links),
        into_(links_into(node_count + switch_count, links)),
        next_(into_.size() * node_count, nowhere),
        uses_(node_count * links.size()),
        loads_(links.size()),
        prices_(links.size()) {}

  /// Finds the routes to every destination again. The more squarings, the steeper prices rise near the largest load.
  void round(int squarings) {
    const auto node_count = static_cast<std::uint32_t>(node_count_);
    const auto first = static_cast<std::uint32_t>(next_random() % node_count);
    for (std::uint32_t i = 0; i < node_count; ++i) {
      const std::uint32_t destination = (i + first) % node_count;
      take_away(destination);
      set_prices(squarings);
      find_routes_to(destination);
    }
    const auto quality = std::pair(busiest(), total());
    if (quality >= best_quality_) return;
    best_quality_ = quality;
    best_ = next_;
  }

  double best_load() const { return best_quality_.first; }
  std::vector<std::uint32_t> best() && { return std::move(best_); }

 private:
  static constexpr std::uint64_t one = 4096;  ///< fixed-point 1 of prices

  double load_of(std::size_t link) const { return static_cast<double>(loads_[link]) / links_[link].rate; }

  double busiest() const {
    double most = 0;
    for (std::size_t link = 0; link < links_.size(); ++link) most = std::max(most, load_of(link));
    return most;
  }

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t load : loads_) sum += load;
    return sum;
  }

  std::uint32_t* uses_to(std::uint32_t destination) { return uses_.data() + destination * links_.size(); }

  void take_away(std::uint32_t destination) {
    std::uint32_t* uses = uses_to(destination);
    for (std::size_t link = 0; link < links_.size(); ++link) loads_[link] -= std::exchange(uses[link], 0);
  }

  /// A hop costs 1 and, in addition, nodes / 2 times a power of its link's load over the largest load. The exponent of
  /// the power is 2^squarings.
  void set_prices(int squarings) {
    const double most = std::max(busiest(), 1.0);
    for (std::size_t link = 0; link < links_.size(); ++link) {
      const auto part = static_cast<std::uint64_t>(load_of(link) / most * one);
      std::uint64_t power = part;
      for (int i = 0; i < squarings; ++i) power = power * power / one;
      prices_[link] = one + power * node_count_ / 2;
    }
  }

  void find_routes_to(std::uint32_t destination) {
    using Way = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t,
                           std::uint32_t>;  // price, chance, vertex, link
    std::priority_queue<Way, std::vector<Way>, std::greater<>> ways;
    std::vector<bool> is_reached(into_.size());
    std::vector<std::uint32_t> order;
    ways.emplace(0, 0, destination, nowhere);
    while (!ways.empty()) {
      const auto [price, chance, vertex, by] = ways.top();
      ways.pop();
      if (is_reached[vertex]) continue;
      is_reached[vertex] = true;
      order.push_back(vertex);
      next_[vertex * node_count_ + destination] = by;
      for (const std::uint32_t link : into_[vertex]) {
        const std::uint32_t from = links_[link].from;
        if (!is_reached[from]) ways.emplace(price + prices_[link], next_random(), from, link);
      }
    }
    add_routes_to(destination, order);
  }

  /// Counts the messages on the links of the routes to a destination. `order` begins with the vertices near it.
  void add_routes_to(std::uint32_t destination, const std::vector<std::uint32_t>& order) {
    std::uint32_t* uses = uses_to(destination);
    std::vector<std::uint32_t> messages(into_.size());
    std::fill_n(messages.begin(), node_count_, 1);
    for (std::size_t i = order.size(); i-- > 1;) {
      const std::uint32_t link = next_[order[i] * node_count_ + destination];
      uses[link] = messages[order[i]];
      loads_[link] += uses[link];
      messages[links_[link].to] += messages[order[i]];
    }
  }

  std::uint64_t next_random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_;
  }

  std::size_t node_count_;
  const std::vector<TableLink>& links_;
  LinksInto into_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> uses_;  ///< messages on each link, by destination
  std::vector<std::uint64_t> loads_;
  std::vector<std::uint64_t> prices_;
  std::uint64_t random_ = 88172645463325252U;
  std::pair<double, std::uint64_t> best_quality_{std::numeric_limits<double>::infinity(), 0};
  std::vector<std::uint32_t> best_;
};

void require_connected(std::size_t node_count, std::size_t switch_count,
                       const std::vector<TableLink>& links) {
  const LinksInto into = links_into(node_count + switch_count, links);
  for (std::uint32_t to = 0; to < node_count; ++to) {
    auto hops = hops_to(to, links, into);
    hops.resize(node_count);
    const auto lost = std::ranges::find(hops, nowhere);
    if (lost != hops.end()) throw NoWay(static_cast<std::uint32_t>(lost - hops.begin()), to);
  }
}

}  // namespace

NoWay::NoWay(std::uint32_t from, std::uint32_t to)
    : std::invalid_argument(fmt::format("there is no way from node {} to node {}", from, to)),
      from_(from),
      to_(to) {}

double all_to_all_bound(const Grid& nodes, const std::vector<TableLink>& links, std::size_t switch_count) {
  const std::size_t node_count = nodes.node_count();
  if (node_count < 2) return 0;
  const LinksInto into = links_into(node_count + switch_count, links);
  double distances = 0;
  double rates = 0;
  double bound = bound_of_axes(nodes, nodes_at(node_count, into, links), links);
  for (const TableLink& link : links) rates += link.rate;
  for (std::uint32_t to = 0; to < node_count; ++to) {
    auto hops = hops_to(to, links, into);
    std::ranges::replace(hops, nowhere, 0U);  // of switches without a way to any node
    for (std::size_t node = 0; node < node_count; ++node) distances += hops[node];
    bound = std::max(bound, largest_of_cuts(node_count, hops, links));
  }
  return std::max(bound, distances / rates);
}

RouteTable balanced_routes(const Grid& nodes, std::vector<TableLink> links, std::size_t switch_count) {
  constexpr std::size_t most_work = 20'000'000;  // nodes * links, summed over the rounds: about two seconds
  constexpr std::size_t most_rounds = 64;
  constexpr std::size_t rounds_of_a_power = 8;
  const std::size_t node_count = nodes.node_count();
  std::ranges::sort(links, {}, [](const TableLink& link) { return std::tie(link.from, link.to); });
  const std::size_t work = std::max<std::size_t>(node_count * links.size(), 1);
  if (work > most_work) {
    throw std::invalid_argument(
        fmt::format("{} nodes with {} links are too many to find routes; nodes * links may be {}", node_count,
                    links.size(), most_work));
  }
  require_connected(node_count, switch_count, links);
  const double bound = std::ceil(all_to_all_bound(nodes, links, switch_count) - 1e-9);
  const std::size_t rounds = std::clamp<std::size_t>(most_work / work, 2, most_rounds);
  RouteSearch search(node_count, switch_count, links);
  for (std::size_t round = 0; round < rounds && search.best_load() > bound; ++round)
    search.round(2 + static_cast<int>(std::min<std::size_t>(round / rounds_of_a_power, 3)));
  return {node_count, std::move(links), std::move(search).best(), switch_count};
}

}  // namespace cubefold
