#include "link_bounds.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "cubefold/topology/link_loads.hpp"
#include "route_hops.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {

namespace {

/// Returns nodes_within() from the routes of a table. The route to a node and the route back may differ in length, and
/// the shorter one counts.
std::vector<std::size_t> nodes_within_routes(const RouteHops& hops) {
  std::vector<std::size_t> most{1};
  for (std::uint32_t node = 0; node < hops.node_count(); ++node) {
    std::vector<std::size_t> within(most.size());
    for (std::uint32_t other = 0; other < hops.node_count(); ++other) {
      const std::size_t distance = hops.either_way(GridNode{node}, GridNode{other});
      if (distance >= within.size()) within.resize(distance + 1);
      ++within[distance];
    }
    std::partial_sum(within.begin(), within.end(), within.begin());
    most.resize(within.size(), most.back());
    for (std::size_t h = 0; h < most.size(); ++h) most[h] = std::max(most[h], within[h]);
  }
  return most;
}

/// Returns the largest number of nodes within h hops of any node, for h = 0, 1, ... until these are all nodes.
std::vector<std::size_t> nodes_within(const Grid& grid) {
  if (grid.route_table() != nullptr) return nodes_within_routes(RouteHops(grid));
  // Distances add up over axes. On every axis the middle has the most coordinates near it, at every distance.
  std::vector<std::size_t> at_distance{1};
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::size_t extent = grid.extent(axis);
    const std::size_t middle = grid.has_wrap_link(axis) ? 0 : (extent - 1) / 2;
    std::vector<std::size_t> sum(at_distance.size() + extent);
    for (std::size_t at = 0; at < extent; ++at) {
      auto hops = at > middle ? at - middle : middle - at;
      if (grid.has_wrap_link(axis)) hops = std::min(at, extent - at);
      for (std::size_t h = 0; h < at_distance.size(); ++h) sum[h + hops] += at_distance[h];
    }
    at_distance = std::move(sum);
  }
  std::partial_sum(at_distance.begin(), at_distance.end(), at_distance.begin());
  return at_distance;
}

/// Returns the greatest common divisor. std::gcd() does not take extended integers.
Whole common_divisor(Whole a, Whole b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

std::vector<Whole> sorted_down(std::vector<Whole> values) {
  std::ranges::sort(values, std::greater<>());
  return values;
}

/// Returns the messages on every link, by link_index(), if each node sends one to every other node. No other tie rule
/// has a smaller maximum than the one that is used here.
std::vector<std::uint64_t> all_to_all_loads(const Grid& grid) {
  if (const RouteTable* table = grid.route_table()) return all_to_all_loads(*table);
  LinkLoads loads(grid, Tie::balanced);
  for (std::uint32_t from = 0; from < grid.node_count(); ++from)
    for (std::uint32_t to = 0; to < grid.node_count(); ++to) loads.add(GridNode{from}, GridNode{to});
  return loads.by_link_index();
}

Capacities capacities_of(const Grid& grid, const LinkRates& rates) {
  const RouteTable* table = grid.route_table();
  const auto loads = table == nullptr ? std::vector<std::uint64_t>() : all_to_all_loads(*table);
  Capacities result{std::vector<Whole>(grid.node_count()), std::vector<Whole>(grid.node_count())};
  for (const Link& link : links_of(grid)) {
    const std::size_t index = link_index(grid, link);
    if (table != nullptr && loads[index] == 0) continue;
    result.all += rates.of(index);
    result.fastest = std::max(result.fastest, rates.of(index));
    const auto from = static_cast<std::size_t>(link.from);
    const auto to = static_cast<std::size_t>(end_of(grid, link));
    if (from < result.out.size()) result.out[from] += rates.of(index);
    if (to < result.in.size()) result.in[to] += rates.of(index);
  }
  result.out = sorted_down(std::move(result.out));
  result.in = sorted_down(std::move(result.in));
  return result;
}

}  // namespace

Whole whole_messages(Whole load, const Messages& messages) {
  Whole size = 0;
  messages.for_each([&](const GroupMessage& sent) {
    if (size == 0 || sent.amount % size != 0) size = common_divisor(sent.amount, size);
  });
  return size == 0 ? load : divided_up(load, size) * size;
}

LinkBounds::LinkBounds(const Grid& grid)
    : grid_(grid), rates_(grid), within_(nodes_within(grid)), capacities_(capacities_of(grid, rates_)) {}

bool LinkBounds::is_complete(const GroupPhase& group) const {
  const auto& messages = group.messages;
  const auto node_count = grid_.node_count();
  return node_count > 1 && messages.size() == node_count * (node_count - 1) &&
         std::ranges::all_of(
             messages, [&](const GroupMessage& sent) { return sent.amount == messages.front().amount; });
}

Whole LinkBounds::hops_of_complete(const GroupPhase& group) const {
  const auto& loads = complete_loads();
  return group.messages.front().amount * std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
}

Bound LinkBounds::busiest_link(const Messages& messages) const {
  if (messages.are_none()) return {0, "ports"};
  const LeastHops least = least_hops(messages);
  Bound best{ports(messages), "ports"};
  const Whole by_hops = divided_up(twice(least) * rates_.unit(), 2 * capacities_.all);
  if (by_hops > best.value) best = {by_hops, "hops"};
  best.value = rounded_up(best.value, messages);
  const Whole by_message = divided_up(least.largest_message * rates_.unit(), capacities_.fastest);
  return by_message > best.value ? Bound{by_message, "largest message"} : best;
}

Bound LinkBounds::busiest_link(const GroupPhase& group) const {
  Bound bound = busiest_link(alone(group));
  if (!is_complete(group)) return bound;
  const Whole by_routes = longest_time_of_complete(group.messages.front().amount);
  return by_routes > bound.value ? Bound{by_routes, "routes"} : bound;
}

Whole LinkBounds::rounded_up(Whole load, const Messages& messages) const {
  return rates_.are_all_one() ? whole_messages(load, messages) : load;
}

LeastHops LinkBounds::least_hops(const Messages& messages) const {
  std::vector<std::span<const GroupMessage>> lists;
  for (const GroupPhase& group : messages.groups()) lists.emplace_back(group.messages);
  return LeastHopsCount(std::move(lists), grid_.node_count()).count(within_);
}

Whole LinkBounds::twice(const LeastHops& least) {
  return std::max({2 * least.of_senders, 2 * least.of_receivers, least.of_both});
}

Whole LinkBounds::ports(const Messages& messages) const {
  std::vector<Whole> sent(grid_.node_count());
  std::vector<Whole> received(grid_.node_count());
  messages.for_each([&](const GroupMessage& each) {
    sent[label(each.from)] += each.amount;
    received[label(each.to)] += each.amount;
  });
  return std::max(busiest_port(sorted_down(std::move(sent)), capacities_.out),
                  busiest_port(sorted_down(std::move(received)), capacities_.in));
}

/// Returns a bound of the busiest port. At least one of the k + 1 busiest ranks is on a node whose links have no more
/// capacity than those of the node with the (k + 1)-th most.
Whole LinkBounds::busiest_port(const std::vector<Whole>& descending,
                               const std::vector<Whole>& capacities) const {
  Whole bound = 0;
  for (std::size_t k = 0; k < descending.size() && descending[k] > 0; ++k)
    bound = std::max(bound, divided_up(descending[k] * rates_.unit(), capacities[k]));
  return bound;
}

Whole LinkBounds::longest_time_of_complete(Whole amount) const {
  std::vector<Whole> loads(complete_loads().begin(), complete_loads().end());
  for (Whole& load : loads) load *= amount;
  return rates_.longest_time(loads);
}

const std::vector<std::uint64_t>& LinkBounds::complete_loads() const {
  if (!complete_loads_) complete_loads_ = all_to_all_loads(grid_);
  return *complete_loads_;
}

}  // namespace cubefold
