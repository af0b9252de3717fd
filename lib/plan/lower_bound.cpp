#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "amounts.hpp"
#include "cubefold/plan/mapping.hpp"
#include "least_hops.hpp"

namespace cubefold {

namespace {

/// Returns the largest number of nodes within h hops of any node, for h = 0, 1, ... until these are all nodes.
std::vector<std::size_t> nodes_within(const Grid& grid) {
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

/// The messages of some phases taken as one, without a copy of them.
class Messages {
 public:
  explicit Messages(std::span<const GroupPhase> groups) : groups_(groups) {}

  std::span<const GroupPhase> groups() const { return groups_; }

  bool are_none() const {
    return std::ranges::all_of(groups_, [](const GroupPhase& group) { return group.messages.empty(); });
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (const GroupPhase& group : groups_) std::ranges::for_each(group.messages, visit);
  }

 private:
  std::span<const GroupPhase> groups_;
};

Messages alone(const GroupPhase& group) {
  return Messages({&group, 1});
}

/// A bound in units of the amounts.
struct Bound {
  Whole value;
  std::string source;
};

Whole divided_up(Whole dividend, Whole divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// Returns the greatest common divisor. std::gcd() does not take extended integers.
Whole common_divisor(Whole a, Whole b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

/// Rounds a load up to a multiple of the greatest common divisor of all amounts. Loads of links are such multiples.
Whole whole_messages(Whole load, const Messages& messages) {
  Whole size = 0;
  messages.for_each([&](const GroupMessage& sent) {
    if (size == 0 || sent.amount % size != 0) size = common_divisor(sent.amount, size);
  });
  return size == 0 ? load : divided_up(load, size) * size;
}

std::vector<Whole> sorted_down(std::vector<Whole> values) {
  std::ranges::sort(values, std::greater<>());
  return values;
}

/// Computes lower bounds for sets of messages on one grid.
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
    if (messages.are_none()) return {0, "ports"};
    const Bound by_hops{divided_up(twice_the_hops(messages), Whole{2} * link_count_), "hops"};
    const Bound by_ports{ports(messages), "ports"};
    return by_hops.value > by_ports.value ? by_hops : by_ports;
  }

 private:
  Whole twice_the_hops(const Messages& messages) const {
    std::vector<std::span<const GroupMessage>> lists;
    for (const GroupPhase& group : messages.groups()) lists.emplace_back(group.messages);
    const auto least = LeastHopsCount(std::move(lists), node_count_).count(within_);
    return std::max({2 * least.of_senders, 2 * least.of_receivers, least.of_both});
  }

  Whole ports(const Messages& messages) const {
    std::vector<Whole> sent(node_count_);
    std::vector<Whole> received(node_count_);
    messages.for_each([&](const GroupMessage& each) {
      sent[label(each.from)] += each.amount;
      received[label(each.to)] += each.amount;
    });
    return std::max(busiest_port(sorted_down(std::move(sent))),
                    busiest_port(sorted_down(std::move(received))));
  }

  /// Returns a bound of the busiest port. At least one of the k + 1 busiest ranks is on a node that has no more links
  /// than the node with the (k + 1)-th most links.
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

/// Returns a lower bound of the load on the busiest link that leaves some slab of nodes, if every rank sends `common`
/// to each of its cube neighbours. Any m labels together have at least d m - 2 (ones in the binary numbers below m)
/// neighbours outside. Source: Harper 1964.
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

/// Returns whether every rank sends the same amount to its neighbour in one cube dimension.
bool is_cube_dimension(const std::vector<GroupMessage>& messages, std::size_t rank_count) {
  if (messages.size() != rank_count) return false;
  const auto step = [](const GroupMessage& sent) { return label(sent.from) ^ label(sent.to); };
  const GroupMessage& first = messages.front();
  return std::has_single_bit(step(first)) && std::ranges::all_of(messages, [&](const GroupMessage& sent) {
           return step(sent) == step(first) && sent.amount == first.amount;
         });
}

/// Returns the cut bound of the phases that are cube dimensions, or 0 unless all dimensions are among them.
Whole cube_cut(const Grid& grid, const std::vector<GroupPhase>& groups) {
  if (!std::has_single_bit(grid.node_count()) || grid.node_count() == 1) return 0;
  std::vector<Whole> amounts(static_cast<std::size_t>(std::countr_zero(grid.node_count())));
  for (const auto& [name, messages] : groups) {
    if (!is_cube_dimension(messages, grid.node_count())) continue;
    const GroupMessage& first = messages.front();
    amounts[static_cast<std::size_t>(std::countr_zero(label(first.from) ^ label(first.to)))] += first.amount;
  }
  // The bound requires one amount for all dimensions, so it takes the smallest.
  const Whole common = *std::min_element(amounts.begin(), amounts.end());
  return common > 0 ? busiest_cut(grid, common) : 0;
}

/// Returns a lower bound of the busiest link of all phases together.
Bound of_all(const Bounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups) {
  const Messages all(groups);
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
    const Bound bound = bounds.busiest_link(alone(group));
    sum.value += whole_messages(bound.value, alone(group));
    if (bound.source == "hops") sum.source = "hops or ports of each phase";
  }
  Bound all = of_all(bounds, grid, groups);
  // The loads of the busiest links of the phases add up to no less than the load of the busiest link of all phases
  // together.
  return all.value > sum.value ? all : sum;
}

Bound of_union(const Bounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups) {
  Bound best = of_all(bounds, grid, groups);
  for (const GroupPhase& group : groups) {
    const Bound bound = bounds.busiest_link(alone(group));
    const Whole value = whole_messages(bound.value, alone(group));
    if (value > best.value) best = {value, bound.source + " of phase " + group.name};
  }
  return best;
}

Bound of_hops(const Bounds& bounds, const std::vector<GroupPhase>& groups) {
  const Messages all(groups);
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
