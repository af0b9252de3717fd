#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cubefold/plan/mapping.hpp"
#include "walk.hpp"

namespace cubefold {

namespace {

void require_amount(const Phase& phase, double amount, const char* what) {
  if (std::isfinite(amount) && amount >= 0) return;
  throw std::invalid_argument(
      fmt::format("evaluate: {} {} of phase '{}' is not a finite number from 0", what, amount, phase.name));
}

GridNode node_of(std::span<const GridNode> node_of_rank, const Phase& phase, Rank rank) {
  if (label(rank) < node_of_rank.size()) return node_of_rank[label(rank)];
  throw std::invalid_argument(fmt::format("evaluate: phase '{}' has rank {}, but there are {} ranks",
                                          phase.name, label(rank), node_of_rank.size()));
}

void require_nodes(const Grid& grid, std::span<const GridNode> node_of_rank) {
  for (const GridNode node : node_of_rank) {
    if (static_cast<std::size_t>(node) < grid.node_count()) continue;
    throw std::invalid_argument(
        fmt::format("evaluate: {} has no node {}", to_string(grid), static_cast<std::size_t>(node)));
  }
}

double largest(const std::vector<double>& loads) {
  return loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
}

/// The loads of one phase, and what its messages have in common with those of others.
class PhaseLoads {
 public:
  PhaseLoads(const Grid& grid, Tie tie) : grid_(grid), tie_(tie), loads_(link_index_count(grid)) {}

  void add(GridNode from, GridNode to, double messages) {
    if (from == to) return;
    messages_ += messages;
    walk(grid_, from, to, tie_, [&](std::size_t link) {
      loads_[link] += messages;
      hops_ += messages;
    });
  }

  const std::vector<double>& loads() const { return loads_; }
  double messages() const { return messages_; }
  double hops() const { return hops_; }

 private:
  const Grid& grid_;
  Tie tie_;
  std::vector<double> loads_;
  double messages_ = 0;
  double hops_ = 0;
};

PhaseLoads loads_of(const Grid& grid, std::span<const GridNode> node_of_rank, const Phase& phase, Tie tie) {
  require_amount(phase, phase.weight, "weight");
  PhaseLoads result(grid, tie);
  for (const Traffic& sent : phase.traffic) {
    require_amount(phase, sent.messages, "traffic");
    result.add(node_of(node_of_rank, phase, sent.from), node_of(node_of_rank, phase, sent.to), sent.messages);
  }
  return result;
}

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
  std::vector<double> together(link_index_count(grid));
  double messages = 0;
  for (const Phase& phase : phases) {
    const auto of_phase = loads_of(grid, node_of_rank, phase, tie);
    values.busiest_link.push_back(largest(of_phase.loads()));
    values.hop_bytes += phase.weight * of_phase.hops();
    messages += phase.weight * of_phase.messages();
    for (std::size_t link = 0; link < together.size(); ++link)
      together[link] += phase.weight * of_phase.loads()[link];
  }
  values.busiest_link_together = largest(together);
  values.average_hops = messages > 0 ? values.hop_bytes / messages : 0;
  values.objective = value_of(values, phases, objective);
  return values;
}

}  // namespace cubefold
