#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "affine.hpp"
#include "cubefold/plan/mapping.hpp"
#include "group.hpp"
#include "least_hops.hpp"

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

/// The messages of some phases, in the order of their senders in each of them.
class Messages {
 public:
  /// Each phase counts as often as its weight says, or once.
  Messages(std::span<const Phase> phases, bool weighted) : phases_(phases), weighted_(weighted) {}

  std::span<const Phase> phases() const { return phases_; }

  double amount(const Phase& phase, const Traffic& sent) const {
    return sent.messages * (weighted_ ? phase.weight : 1);
  }

  /// Calls visit(from, to, messages).
  template <typename Visit>
  void for_each(Visit visit) const {
    for (const Phase& phase : phases_) {
      for (const Traffic& sent : phase.traffic) visit(sent.from, sent.to, amount(phase, sent));
    }
  }

  bool are_none() const {
    return std::all_of(phases_.begin(), phases_.end(),
                       [](const Phase& phase) { return phase.traffic.empty(); });
  }

 private:
  std::span<const Phase> phases_;
  bool weighted_;
};

Messages together(std::span<const Phase> phases) {
  return {phases, true};
}

Messages alone(const Phase& phase) {
  return {std::span(&phase, 1), false};
}

std::vector<double> sorted_down(std::vector<double> values) {
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

/// Bounds of sets of messages on one grid.
class Bounds {
 public:
  explicit Bounds(const Grid& grid) : node_count_(grid.node_count()), within_(nodes_within(grid)) {
    std::vector<double> links(node_count_);
    for (const Link& link : links_of(grid)) ++links[static_cast<std::size_t>(link.from)];
    link_count_ = std::accumulate(links.begin(), links.end(), 0.0);
    links_of_node_ = sorted_down(std::move(links));
  }

  double hops(const Messages& messages) const {
    std::vector<std::span<const Traffic>> lists;
    for (const Phase& phase : messages.phases()) lists.emplace_back(phase.traffic);
    const auto amount_of = [&](std::size_t r, const Traffic& sent) {
      return messages.amount(messages.phases()[r], sent);
    };
    const auto least = LeastHopsCount(std::move(lists), node_count_, amount_of).count(within_);
    return std::max({least.of_senders, least.of_receivers, least.of_both / 2});
  }

  LowerBound busiest_link(const Messages& messages) const {
    if (messages.are_none()) return {0, "no messages"};
    const LowerBound by_hops{hops(messages) / link_count_, "hops"};
    const LowerBound by_ports{ports(messages), "ports"};
    return by_hops.value > by_ports.value ? by_hops : by_ports;
  }

 private:
  double ports(const Messages& messages) const {
    std::vector<double> sent(node_count_);
    std::vector<double> received(node_count_);
    messages.for_each([&](Rank from, Rank to, double amount) {
      sent[label(from)] += amount;
      received[label(to)] += amount;
    });
    return std::max(busiest_port(std::move(sent)), busiest_port(std::move(received)));
  }

  /// Of the k + 1 busiest ranks one sits on a node with no more links than the node of (k + 1)-th most links.
  double busiest_port(std::vector<double> messages) const {
    messages = sorted_down(std::move(messages));
    double bound = 0;
    for (std::size_t k = 0; k < messages.size() && messages[k] > 0; ++k) {
      bound = std::max(bound, messages[k] / links_of_node_[k]);
    }
    return bound;
  }

  std::size_t node_count_;
  std::vector<std::size_t> within_;
  std::vector<double> links_of_node_;
  double link_count_ = 0;
};

/// Loads of links are multiples of the size that all messages have.
double whole_messages(double load, const Messages& messages) {
  std::optional<double> size;
  bool all_equal = true;
  messages.for_each([&](Rank, Rank, double amount) {
    if (!size) size = amount;
    all_equal = all_equal && amount == *size;
  });
  if (!size || *size == 0 || !all_equal) return load;
  return std::ceil(load / *size - 1e-9) * *size;
}

/// The least messages per link that leave some slab of nodes, where every rank sends to all of its cube neighbours: m labels
/// have together at least d m - 2 (ones in the binary numbers below m) neighbours outside. Source: Harper 1964.
double busiest_cut(const Grid& grid) {
  const auto dimensions = static_cast<double>(std::countr_zero(grid.node_count()));
  std::vector<double> ones_below(grid.node_count() + 1);
  for (std::uint32_t m = 0; m < grid.node_count(); ++m) ones_below[m + 1] = ones_below[m] + std::popcount(m);
  double bound = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::size_t face = grid.node_count() / grid.extent(axis);
    for (std::size_t slabs = 1; slabs < grid.extent(axis); ++slabs) {
      const auto size = slabs * face;
      const double leaving = dimensions * static_cast<double>(size) - 2 * ones_below[size];
      bound = std::max(bound, leaving / static_cast<double>(grid.has_wrap_link(axis) ? 2 * face : face));
    }
  }
  return bound;
}

/// Of the phases that are cube dimensions, if all dimensions are among them; else 0.
double cube_cut(const Grid& grid, std::span<const Phase> phases) {
  if (!std::has_single_bit(grid.node_count()) || grid.node_count() == 1) return 0;
  const int bits = std::countr_zero(grid.node_count());
  std::vector<double> messages(static_cast<std::size_t>(bits));
  for (const Phase& phase : phases) {
    const auto affine = recognise_affine(phase.traffic);
    if (!affine || !affine->is_cube_dimension(bits)) continue;
    const auto dimension = std::countr_zero(affine->origin.from ^ affine->origin.to);
    messages[static_cast<std::size_t>(dimension)] += phase.weight * affine->messages;
  }
  // Of every dimension as many messages as all of them have.
  const double common = *std::min_element(messages.begin(), messages.end());
  return common > 0 ? common * busiest_cut(grid) : 0;
}

/// The busiest link of all phases together.
LowerBound of_all(const Bounds& bounds, const Grid& grid, std::span<const Phase> phases) {
  auto bound = bounds.busiest_link(together(phases));
  bound.source += " of all phases";
  const double cut = cube_cut(grid, phases);
  if (cut > bound.value) bound = {cut, "cut of the cube"};
  bound.value = whole_messages(bound.value, together(phases));
  return bound;
}

LowerBound of_sum(const Bounds& bounds, const Grid& grid, std::span<const Phase> phases) {
  LowerBound sum{0, "per phase"};
  bool any_by_hops = false;
  for (const Phase& phase : phases) {
    const auto bound = bounds.busiest_link(alone(phase));
    sum.value += phase.weight * whole_messages(bound.value, alone(phase));
    any_by_hops = any_by_hops || bound.source == "hops";
  }
  sum.source = any_by_hops ? "hops or ports of each phase" : "ports of each phase";
  const auto all = of_all(bounds, grid, phases);
  // The busiest links of phases, added up, are no less than the busiest link of their sum.
  return all.value > sum.value ? all : sum;
}

LowerBound of_union(const Bounds& bounds, const Grid& grid, std::span<const Phase> phases) {
  auto best = of_all(bounds, grid, phases);
  for (const Phase& phase : phases) {
    const auto bound = bounds.busiest_link(alone(phase));
    const double value = phase.weight * whole_messages(bound.value, alone(phase));
    if (value > best.value) best = {value, bound.source + " of phase " + phase.name};
  }
  return best;
}

}  // namespace

LowerBound lower_bound(const Grid& grid, std::span<const Phase> phases, MappingObjective objective,
                       std::size_t per_node) {
  const auto groups = between_groups("lower_bound", grid, phases, per_node);
  const Bounds bounds(grid);
  switch (objective) {
    case MappingObjective::busiest_links:
      return of_sum(bounds, grid, groups);
    case MappingObjective::busiest_link_together:
      return of_union(bounds, grid, groups);
    case MappingObjective::hop_bytes:
      return {bounds.hops(together(groups)), "hops"};
  }
  throw std::invalid_argument("lower_bound: unknown objective");
}

}  // namespace cubefold
