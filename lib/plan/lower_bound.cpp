#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "amounts.hpp"
#include "cubefold/plan/mapping.hpp"
#include "group.hpp"

namespace cubefold {

namespace {

/// How many nodes lie within h hops of the node that has the most there, for h = 0, 1, ... up to all nodes.
std::vector<std::size_t> nodes_within(const Grid& grid) {
  // Distances add up over axes, and the middle of every axis has the most near it at every distance.
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

using Messages = std::vector<GroupMessage>;

/// A bound in units of the amounts.
struct Bound {
  Whole value;
  std::string source;
};

Whole divided_up(Whole dividend, Whole divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// The messages of several phases as one.
Messages together(const std::vector<GroupPhase>& groups) {
  Messages all;
  for (const GroupPhase& group : groups) all.insert(all.end(), group.messages.begin(), group.messages.end());
  return all;
}

void turn_round(GroupMessage& sent) {
  std::swap(sent.from, sent.to);
}

/// The hops of one rank's messages if its partners sit as near as can be, the busiest nearest.
Whole least_hops(std::vector<Whole>& of_partners, const std::vector<std::size_t>& within) {
  std::ranges::sort(of_partners, std::greater<>());
  Whole hops = 0;
  std::size_t distance = 1;
  for (std::size_t k = 0; k < of_partners.size(); ++k) {
    while (k + 2 > within[distance]) ++distance;
    hops += of_partners[k] * distance;
  }
  return hops;
}

/// The same for all senders together. Sorts the messages.
Whole least_hops(Messages& messages, const std::vector<std::size_t>& within) {
  std::ranges::sort(messages, {}, [](const GroupMessage& sent) { return std::pair(sent.from, sent.to); });
  Whole hops = 0;
  std::vector<Whole> of_partners;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const bool is_same_pair =
        i > 0 && messages[i - 1].from == messages[i].from && messages[i - 1].to == messages[i].to;
    if (is_same_pair) {
      of_partners.back() += messages[i].amount;
    } else {
      of_partners.push_back(messages[i].amount);
    }
    if (i + 1 < messages.size() && messages[i + 1].from == messages[i].from) continue;
    hops += least_hops(of_partners, within);
    of_partners.clear();
  }
  return hops;
}

/// std::gcd() takes no extended integers.
Whole common_divisor(Whole a, Whole b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

/// Loads of links are multiples of what all amounts are multiples of.
Whole whole_messages(Whole load, const Messages& messages) {
  Whole size = 0;
  for (const GroupMessage& sent : messages) {
    if (size == 0 || sent.amount % size != 0) size = common_divisor(sent.amount, size);
  }
  return size == 0 ? load : divided_up(load, size) * size;
}

std::vector<Whole> sorted_down(std::vector<Whole> values) {
  std::ranges::sort(values, std::greater<>());
  return values;
}

/// Bounds of one set of messages on one grid.
class Bounds {
 public:
  explicit Bounds(const Grid& grid)
      : node_count_(grid.node_count()), within_(nodes_within(grid)), links_of_node_(node_count_) {
    for (const Link& link : links_of(grid)) ++links_of_node_[static_cast<std::size_t>(link.from)];
    link_count_ = std::accumulate(links_of_node_.begin(), links_of_node_.end(), std::size_t{0});
    std::ranges::sort(links_of_node_, std::greater<>());
  }

  Whole hops(const Messages& messages) const { return divided_up(twice_the_hops(messages), 2); }

  Bound busiest_link(const Messages& messages) const {
    if (messages.empty()) return {0, "ports"};
    const Bound by_hops{divided_up(twice_the_hops(messages), Whole{2} * link_count_), "hops"};
    const Bound by_ports{ports(messages), "ports"};
    return by_hops.value > by_ports.value ? by_hops : by_ports;
  }

 private:
  Whole twice_the_hops(Messages messages) const {
    const Whole of_senders = least_hops(messages, within_);
    std::ranges::for_each(messages, turn_round);
    const Whole of_receivers = least_hops(messages, within_);
    const auto one_way = messages.size();
    messages.reserve(2 * one_way);
    std::copy_n(messages.begin(), one_way, std::back_inserter(messages));
    std::for_each_n(messages.begin(), one_way, turn_round);
    return std::max({2 * of_senders, 2 * of_receivers, least_hops(messages, within_)});
  }

  Whole ports(const Messages& messages) const {
    std::vector<Whole> sent(node_count_);
    std::vector<Whole> received(node_count_);
    for (const auto& [from, to, amount] : messages) {
      sent[label(from)] += amount;
      received[label(to)] += amount;
    }
    return std::max(busiest_port(sorted_down(std::move(sent))),
                    busiest_port(sorted_down(std::move(received))));
  }

  /// Of the k + 1 busiest ranks one sits on a node with no more links than the node of (k + 1)-th most links.
  Whole busiest_port(const std::vector<Whole>& descending) const {
    Whole bound = 0;
    for (std::size_t k = 0; k < descending.size() && descending[k] > 0; ++k) {
      bound = std::max(bound, divided_up(descending[k], links_of_node_[k]));
    }
    return bound;
  }

  std::size_t node_count_;
  std::vector<std::size_t> within_;
  std::vector<std::size_t> links_of_node_;
  std::size_t link_count_ = 0;
};

/// The least messages over a link that leaves some slab of nodes, where every rank sends `common` to all of its cube
/// neighbours: m labels have together at least d m - 2 (ones in the binary numbers below m) neighbours outside. Source:
/// Harper 1964.
Whole busiest_cut(const Grid& grid, Whole common) {
  const auto dimensions = static_cast<std::size_t>(std::countr_zero(grid.node_count()));
  std::vector<std::size_t> ones_below(grid.node_count() + 1);
  for (std::size_t m = 0; m < grid.node_count(); ++m) {
    ones_below[m + 1] = ones_below[m] + static_cast<std::size_t>(std::popcount(m));
  }
  Whole bound = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::size_t face = grid.node_count() / grid.extent(axis);
    for (std::size_t slabs = 1; slabs < grid.extent(axis); ++slabs) {
      const auto size = slabs * face;
      const Whole leaving = common * (dimensions * size - 2 * ones_below[size]);
      bound = std::max(bound, divided_up(leaving, grid.has_wrap_link(axis) ? 2 * face : face));
    }
  }
  return bound;
}

/// Whether every rank sends its neighbour in one cube dimension the same amount.
bool is_cube_dimension(const Messages& messages, std::size_t rank_count) {
  if (messages.size() != rank_count) return false;
  const auto step = [](const GroupMessage& sent) { return label(sent.from) ^ label(sent.to); };
  const GroupMessage& first = messages.front();
  return std::has_single_bit(step(first)) && std::ranges::all_of(messages, [&](const GroupMessage& sent) {
           return step(sent) == step(first) && sent.amount == first.amount;
         });
}

/// Of the phases that are cube dimensions, if all dimensions are among them; else 0.
Whole cube_cut(const Grid& grid, const std::vector<GroupPhase>& groups) {
  if (!std::has_single_bit(grid.node_count()) || grid.node_count() == 1) return 0;
  std::vector<Whole> amounts(static_cast<std::size_t>(std::countr_zero(grid.node_count())));
  for (const auto& [name, messages] : groups) {
    if (!is_cube_dimension(messages, grid.node_count())) continue;
    const GroupMessage& first = messages.front();
    amounts[static_cast<std::size_t>(std::countr_zero(label(first.from) ^ label(first.to)))] += first.amount;
  }
  // Of every dimension as many messages as all of them have.
  const Whole common = *std::min_element(amounts.begin(), amounts.end());
  return common > 0 ? busiest_cut(grid, common) : 0;
}

/// The busiest link of all phases together.
Bound of_all(const Bounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups) {
  const Messages all = together(groups);
  Bound bound = bounds.busiest_link(all);
  bound.source += " of all phases";
  const Whole cut = cube_cut(grid, groups);
  if (cut > bound.value) bound = {cut, "cut of the cube"};
  bound.value = whole_messages(bound.value, all);
  return bound;
}

Bound of_sum(const Bounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups) {
  Bound sum{0, "ports of each phase"};
  for (const GroupPhase& group : groups) {
    const Bound bound = bounds.busiest_link(group.messages);
    sum.value += whole_messages(bound.value, group.messages);
    if (bound.source == "hops") sum.source = "hops or ports of each phase";
  }
  Bound all = of_all(bounds, grid, groups);
  // The busiest links of phases, added up, are no less than the busiest link of their sum.
  return all.value > sum.value ? all : sum;
}

Bound of_union(const Bounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups) {
  Bound best = of_all(bounds, grid, groups);
  for (const GroupPhase& group : groups) {
    const Bound bound = bounds.busiest_link(group.messages);
    const Whole value = whole_messages(bound.value, group.messages);
    if (value > best.value) best = {value, bound.source + " of phase " + group.name};
  }
  return best;
}

Bound of_hops(const Bounds& bounds, const std::vector<GroupPhase>& groups) {
  const Messages all = together(groups);
  return {whole_messages(bounds.hops(all), all), "hops"};
}

Bound bound_of(const Bounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups,
               MappingObjective objective) {
  switch (objective) {
    case MappingObjective::busiest_links:
      return of_sum(bounds, grid, groups);
    case MappingObjective::busiest_link_together:
      return of_union(bounds, grid, groups);
    case MappingObjective::hop_bytes:
      return of_hops(bounds, groups);
  }
  throw std::invalid_argument("lower_bound: unknown objective");
}

}  // namespace

LowerBound lower_bound(const Grid& grid, std::span<const Phase> phases, MappingObjective objective,
                       std::size_t per_node) {
  const Amounts amounts("lower_bound", grid, phases);
  const auto groups = between_groups("lower_bound", grid, phases, amounts, per_node);
  const Bound bound = bound_of(Bounds(grid), grid, groups, objective);
  return {amounts.value(bound.value), bound.source, exact(bound.value)};
}

}  // namespace cubefold
