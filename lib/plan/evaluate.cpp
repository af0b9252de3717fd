#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "amounts.hpp"
#include "cubefold/plan/mapping.hpp"
#include "link_rates.hpp"
#include "topology/link_differences.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {

namespace {

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

/// The loads of links under a phase, in units of its amounts. The memory serves one phase after the other.
struct PhaseLoads {
  std::vector<Whole> loads;
  std::vector<Whole> differences;  ///< of loads, if the grid has no route table
  Whole messages = 0;
  Whole hops = 0;
};

/// Calls visit(from, to, amount) for every message between two nodes.
template <typename Visit>
void for_each_message(std::span<const GridNode> node_of_rank, const Phase& phase, PhaseAmounts amount_of,
                      Visit visit) {
  for (const Traffic& sent : phase.traffic) {
    const GridNode from = node_of(node_of_rank, phase, sent.from);
    const GridNode to = node_of(node_of_rank, phase, sent.to);
    if (from != to) visit(from, to, amount_of(sent.messages));
  }
}

void count_by_table(const RouteTable& table, std::span<const GridNode> node_of_rank, const Phase& phase,
                    PhaseAmounts amount_of, PhaseLoads& result) {
  result.loads.assign(table.links().size(), 0);
  for_each_message(node_of_rank, phase, amount_of, [&](GridNode from, GridNode to, Whole amount) {
    result.messages += amount;
    const auto add = [&](std::size_t link) {
      result.loads[link] += amount;
      result.hops += amount;
    };
    for_each_link_of_route(table, static_cast<std::size_t>(from), static_cast<std::size_t>(to), add);
  });
}

void count_by_axes(const Grid& grid, std::span<const GridNode> node_of_rank, const Phase& phase,
                   PhaseAmounts amount_of, Tie tie, PhaseLoads& result) {
  result.loads.resize(link_index_count(grid));
  result.differences.assign(link_index_count(grid), 0);
  for_each_message(node_of_rank, phase, amount_of, [&](GridNode from, GridNode to, Whole amount) {
    result.messages += amount;
    add_route(grid, from, to, tie, amount, result.differences);
  });
  for_each_load(grid, result.differences, [&](const Link& link, Whole load) {
    result.loads[link_index(grid, link)] = load;
    result.hops += load;
  });
}

/// Replaces the loads by those of a phase.
void count(const Grid& grid, std::span<const GridNode> node_of_rank, const Phase& phase,
           PhaseAmounts amount_of, Tie tie, PhaseLoads& result) {
  result.messages = 0;
  result.hops = 0;
  if (const RouteTable* table = grid.route_table()) {
    count_by_table(*table, node_of_rank, phase, amount_of, result);
  } else {
    count_by_axes(grid, node_of_rank, phase, amount_of, tie, result);
  }
}

/// Returns the messages on the busiest link of a phase, without its weight. Replaces the loads.
double busiest_link_alone(const Grid& grid, std::span<const GridNode> node_of_rank, const Phase& phase,
                          Tie tie, PhaseLoads& loads) {
  const Phase alone{phase.name, 1, phase.traffic};
  const Amounts amounts("evaluate", grid, {&alone, 1});
  count(grid, node_of_rank, alone, amounts.of(alone), tie, loads);
  return amounts.value(LinkRates(grid).longest_time(loads.loads));
}

}  // namespace

MappingValues evaluate(const Grid& grid, std::span<const GridNode> node_of_rank,
                       std::span<const Phase> phases, MappingObjective objective, Tie tie) {
  require_nodes(grid, node_of_rank);
  const Amounts amounts("evaluate", grid, phases);
  const LinkRates rates(grid);
  const bool are_exact_alone = !amounts.are_rounded() && rates.are_all_one();
  MappingValues values;
  std::vector<Whole> together(link_index_count(grid));
  Whole messages = 0;
  Whole hops = 0;
  Whole busiest_links = 0;
  PhaseLoads of_phase;
  for (const Phase& phase : phases) {
    if (phase.weight == 0) {
      values.busiest_link.push_back(busiest_link_alone(grid, node_of_rank, phase, tie, of_phase));
      continue;
    }
    count(grid, node_of_rank, phase, amounts.of(phase), tie, of_phase);
    const Whole busiest = rates.longest_time(of_phase.loads);
    messages += of_phase.messages;
    hops += of_phase.hops;
    busiest_links += busiest;
    for (std::size_t link = 0; link < together.size(); ++link) together[link] += of_phase.loads[link];
    values.busiest_link.push_back(are_exact_alone
                                      ? amounts.messages(busiest, phase)
                                      : busiest_link_alone(grid, node_of_rank, phase, tie, of_phase));
  }
  const Whole busiest_together = rates.longest_time(together);
  values.busiest_link_together = amounts.value(busiest_together);
  values.hop_bytes = amounts.value(hops);
  values.exact_hop_bytes = exact(hops);
  values.average_hops = messages > 0 ? static_cast<double>(hops) / static_cast<double>(messages) : 0;
  const Whole value = objective == MappingObjective::busiest_links           ? busiest_links
                      : objective == MappingObjective::busiest_link_together ? busiest_together
                                                                             : hops;
  values.objective = amounts.value(value);
  values.exact_objective = exact(value);
  return values;
}

}  // namespace cubefold
