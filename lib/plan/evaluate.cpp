#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "../topology/link_differences.hpp"
#include "cubefold/plan/mapping.hpp"
#include "walk.hpp"

namespace cubefold {

namespace {

void require_amount(const Phase& phase, double amount, const char* what) {
  if (std::isfinite(amount) && amount >= 0) return;
  throw std::invalid_argument(
      fmt::format("evaluate: {} {} of phase '{}' is not a finite number from 0", what, amount, phase.name));
}

void require_phase(const Phase& phase, std::size_t rank_count) {
  require_amount(phase, phase.weight, "weight");
  for (const Traffic& sent : phase.traffic) {
    require_amount(phase, sent.messages, "traffic");
    const auto rank = label(sent.from) < rank_count ? label(sent.to) : label(sent.from);
    if (rank < rank_count) continue;
    throw std::invalid_argument(fmt::format("evaluate: phase '{}' has rank {}, but there are {} ranks",
                                            phase.name, rank, rank_count));
  }
}

void require_nodes(const Grid& grid, std::span<const GridNode> node_of_rank) {
  for (const GridNode node : node_of_rank) {
    if (static_cast<std::size_t>(node) < grid.node_count()) continue;
    throw std::invalid_argument(
        fmt::format("evaluate: {} has no node {}", to_string(grid), static_cast<std::size_t>(node)));
  }
}

/// What one phase costs, without its weight.
struct PhaseTotals {
  double busiest = 0;
  double messages = 0;
  double hops = 0;
};

/// The size that all messages are whole multiples of, few enough to be added in any order without rounding: their own
/// if it is the same, or else 1. Nothing if they are not.
std::optional<double> common_size(const Phase& phase) {
  if (phase.traffic.empty()) return 1;
  const double first = phase.traffic.front().messages;
  const bool all_equal = std::all_of(phase.traffic.begin(), phase.traffic.end(),
                                     [&](const Traffic& sent) { return sent.messages == first; });
  const double size = all_equal && first > 0 ? first : 1;
  double count = 0;
  for (const Traffic& sent : phase.traffic) {
    const double messages = sent.messages / size;
    count += messages;
    if (messages != std::floor(messages) || count > 0x1p53) return std::nullopt;
  }
  return size;
}

/// Adds up what phases put on links.
class Adder {
 public:
  Adder(const Grid& grid, std::span<const GridNode> node_of_rank, Tie tie)
      : grid_(grid), node_of_rank_(node_of_rank), tie_(tie), together_(link_index_count(grid)) {}

  PhaseTotals add(const Phase& phase) {
    require_phase(phase, node_of_rank_.size());
    PhaseTotals totals;
    const auto on_link = [&](std::size_t link, double load) {
      totals.busiest = std::max(totals.busiest, load);
      totals.hops += load;
      together_[link] += phase.weight * load;
    };
    for_each_route(phase, [&](GridNode, GridNode, double messages) { totals.messages += messages; });
    if (const auto size = common_size(phase)) {
      count(phase, *size, on_link);
    } else {
      walk_all(phase, on_link);
    }
    return totals;
  }

  double busiest_link_together() const {
    return together_.empty() ? 0 : *std::max_element(together_.begin(), together_.end());
  }

 private:
  template <typename Visit>
  void for_each_route(const Phase& phase, Visit visit) const {
    for (const Traffic& sent : phase.traffic) {
      const GridNode from = node_of_rank_[label(sent.from)];
      const GridNode to = node_of_rank_[label(sent.to)];
      if (from != to) visit(from, to, sent.messages);
    }
  }

  /// Whole messages as differences between links, which takes no longer for those that go far.
  template <typename Visit>
  void count(const Phase& phase, double size, Visit on_link) {
    differences_.assign(together_.size(), 0);
    for_each_route(phase, [&](GridNode from, GridNode to, double messages) {
      add_route(grid_, from, to, tie_, static_cast<std::uint64_t>(messages / size), differences_);
    });
    for_each_load(grid_, differences_, [&](const Link& link, std::uint64_t count) {
      if (count != 0) on_link(link_index(grid_, link), static_cast<double>(count) * size);
    });
  }

  /// Messages of any sizes link by link, because differences of their sums would be rounded.
  template <typename Visit>
  void walk_all(const Phase& phase, Visit on_link) const {
    std::vector<double> loads(together_.size());
    for_each_route(phase, [&](GridNode from, GridNode to, double messages) {
      walk(grid_, from, to, tie_, [&](std::size_t link) { loads[link] += messages; });
    });
    for (std::size_t link = 0; link < loads.size(); ++link) on_link(link, loads[link]);
  }

  const Grid& grid_;
  std::span<const GridNode> node_of_rank_;
  Tie tie_;
  std::vector<double> together_;
  std::vector<std::uint64_t> differences_;
};

double value_of(const MappingValues& values, std::span<const Phase> phases, MappingObjective objective) {
  double sum = 0;
  switch (objective) {
    case MappingObjective::busiest_links:
      for (std::size_t r = 0; r < phases.size(); ++r) sum += phases[r].weight * values.busiest_link[r];
      return sum;
    case MappingObjective::busiest_link_together:
      return values.busiest_link_together;
    case MappingObjective::hop_bytes:
      return values.hop_bytes;
  }
  throw std::invalid_argument("evaluate: unknown objective");
}

}  // namespace

MappingValues evaluate(const Grid& grid, std::span<const GridNode> node_of_rank,
                       std::span<const Phase> phases, MappingObjective objective, Tie tie) {
  require_nodes(grid, node_of_rank);
  MappingValues values;
  Adder adder(grid, node_of_rank, tie);
  double messages = 0;
  for (const Phase& phase : phases) {
    const auto totals = adder.add(phase);
    values.busiest_link.push_back(totals.busiest);
    values.hop_bytes += phase.weight * totals.hops;
    messages += phase.weight * totals.messages;
  }
  values.busiest_link_together = adder.busiest_link_together();
  values.average_hops = messages > 0 ? values.hop_bytes / messages : 0;
  values.objective = value_of(values, phases, objective);
  return values;
}

}  // namespace cubefold
