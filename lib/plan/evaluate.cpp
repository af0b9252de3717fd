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

/// The loads of links under a phase, in units of its amounts.
struct PhaseLoads {
  std::vector<Whole> loads;
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

PhaseLoads loads_by_table(const RouteTable& table, std::span<const GridNode> node_of_rank, const Phase& phase,
                          PhaseAmounts amount_of) {
  PhaseLoads result{std::vector<Whole>(table.links().size())};
  for_each_message(node_of_rank, phase, amount_of, [&](GridNode from, GridNode to, Whole amount) {
    result.messages += amount;
    const auto add = [&](std::size_t link) {
      result.loads[link] += amount;
      result.hops += amount;
    };
    for_each_link_of_route(table, static_cast<std::size_t>(from), static_cast<std::size_t>(to), add);
  });
  return result;
}

PhaseLoads loads_of(const Grid& grid, std::span<const GridNode> node_of_rank, const Phase& phase,
                    PhaseAmounts amount_of, Tie tie) {
  if (const RouteTable* table = grid.route_table())
    return loads_by_table(*table, node_of_rank, phase, amount_of);
  PhaseLoads result{std::vector<Whole>(link_index_count(grid))};
  std::vector<Whole> differences(link_index_count(grid));
  for_each_message(node_of_rank, phase, amount_of, [&](GridNode from, GridNode to, Whole amount) {
    result.messages += amount;
    add_route(grid, from, to, tie, amount, differences);
  });
  for_each_load(grid, differences, [&](const Link& link, Whole load) {
    result.loads[link_index(grid, link)] = load;
    result.hops += load;
  });
  return result;
}

/// Returns the messages on the busiest link of a phase, without its weight.
double busiest_link_alone(const Grid& grid, std::span<const GridNode> node_of_rank, const Phase& phase,
                          Tie tie) {
  const Phase alone{phase.name, 1, phase.traffic};
  const Amounts amounts("evaluate", grid, {&alone, 1});
  return amounts.value(
      LinkRates(grid).longest_time(loads_of(grid, node_of_rank, alone, amounts.of(alone), tie).loads));
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
  for (const Phase& phase : phases) {
    if (phase.weight == 0) {
      values.busiest_link.push_back(busiest_link_alone(grid, node_of_rank, phase, tie));
      continue;
    }
    const auto of_phase = loads_of(grid, node_of_rank, phase, amounts.of(phase), tie);
    const Whole busiest = rates.longest_time(of_phase.loads);
    values.busiest_link.push_back(are_exact_alone ? amounts.messages(busiest, phase)
                                                  : busiest_link_alone(grid, node_of_rank, phase, tie));
    messages += of_phase.messages;
    hops += of_phase.hops;
    busiest_links += busiest;
    for (std::size_t link = 0; link < together.size(); ++link) together[link] += of_phase.loads[link];
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
