#include "cubefold/plan/mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "axis_loads.hpp"
#include "best_placement.hpp"
#include "cubefold/plan/phase.hpp"
#include "rule_search.hpp"
#include "table_search.hpp"

namespace cubefold {

namespace {

bool are_affine(std::span<const Phase> phases) {
  return std::all_of(phases.begin(), phases.end(), [](const Phase& phase) {
    return phase.traffic.empty() || recognise_affine(phase.traffic).has_value();
  });
}

/// Returns whether every group sends the same number of messages to every other group in each phase. All placements
/// then have the same value.
bool are_complete_exchanges(std::span<const Phase> groups, std::size_t group_count) {
  return std::all_of(groups.begin(), groups.end(), [group_count](const Phase& phase) {
    const auto has_first_amount = [&](const Traffic& sent) {
      return sent.messages == phase.traffic.front().messages;
    };
    return phase.traffic.size() == group_count * (group_count - 1) &&
           std::all_of(phase.traffic.begin(), phase.traffic.end(), has_first_amount);
  });
}

/// Offers the best rule that searches over embeddings per axis and orders of bits find.
void search_bits(BestPlacement& placements) {
  const MappingOptions& options = placements.options();
  AxisLoads loads(placements.grid(), placements.groups(), options.objective, options.tie);
  const auto effort = static_cast<double>(options.effort);
  const double work = work_of_exhaustive_search(placements.grid(), loads);
  const bool look_at_all = work <= effort;
  placements.begin_search("local search over embeddings per axis and orders of bits");
  // If tables are searched as well, they get most of the effort.
  const double part = options.rules_only ? effort : effort / 8;
  const auto climbed = look_at_all ? bit_search(placements.grid(), loads, work, 20, options.seed)
                                   : bit_search(placements.grid(), loads, part, 1'000'000, options.seed);
  placements.offer(to_string(placements.grid(), climbed.rule));
  if (!look_at_all) return;
  const auto all = exhaustive_search(placements.grid(), loads, in_units(placements.values()));
  if (all.is_complete) placements.rename("exhaustive over embeddings per axis and orders of bits");
  if (all.rule) placements.offer(to_string(placements.grid(), *all.rule));
}

void require_all_nodes(const Grid& grid, const std::vector<std::vector<GridNode>>& starts) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    std::vector<bool> is_taken(grid.node_count());
    const auto takes = [&](GridNode node) {
      const auto index = static_cast<std::size_t>(node);
      if (index >= is_taken.size() || is_taken[index]) return false;
      is_taken[index] = true;
      return true;
    };
    if (starts[i].size() == grid.node_count() && std::all_of(starts[i].begin(), starts[i].end(), takes))
      continue;
    throw std::invalid_argument(
        fmt::format("choose_placement: start {} does not list each of the {} nodes of {} once", i,
                    grid.node_count(), to_string(grid)));
  }
}

/// Returns the number of hosts on each node if with_hosts() made the grid with equally many, or 0 otherwise.
std::size_t hosts_on_each(const Grid& grid, const WholeNetwork& whole) {
  const std::size_t hosts = grid.node_count() / whole.grid.node_count();
  if (!has_hosts(whole) || hosts == 0) return 0;
  for (std::size_t host = 0; host < grid.node_count(); ++host)
    if (static_cast<std::size_t>(whole.node_of_vertex[host]) != host / hosts) return 0;
  return hosts;
}

/// Offers the placement that is best for the links between switches with equally many hosts. The links of hosts, which
/// may be the busiest under every placement, do not count there. The function uses an eighth of the effort.
void place_on_switches(BestPlacement& placements, std::span<const Phase> phases) {
  const WholeNetwork whole = whole_network_of(placements.grid());
  const std::size_t hosts = hosts_on_each(placements.grid(), whole);
  if (hosts == 0) return;
  placements.begin_search("ranks on the switches, without the links of their hosts");
  MappingOptions options = placements.options();
  const std::size_t per_host = options.per_node;
  options.per_node *= hosts;
  options.starts.clear();
  options.rules_only = false;
  options.effort /= 8;
  const Mapping mapping = choose_placement(whole.grid, phases, options);
  std::vector<std::size_t> next_host(whole.grid.node_count());
  std::vector<GridNode> host_of_group;
  for (std::size_t rank = 0; rank < mapping.node_of_rank.size(); rank += per_host) {
    const auto node = static_cast<std::size_t>(mapping.node_of_rank[rank]);
    host_of_group.push_back(static_cast<GridNode>(node * hosts + next_host[node]++));
  }
  placements.offer(std::move(host_of_group));
}

void search(BestPlacement& placements, std::span<const Phase> phases) {
  placements.offer("identity");
  if (are_complete_exchanges(placements.groups(), placements.grid().node_count())) {
    placements.begin_search("nothing, because all placements have the same value");
    return;
  }
  place_on_switches(placements, phases);
  const bool has_rules = extents_are_powers_of_two(placements.grid());
  const bool counts_by_axes = has_rules && placements.grid().route_table() == nullptr;
  if (has_rules) {
    for (const char* name : {"xor", "by-weight"}) placements.offer(name);
  }
  for (const auto& start : placements.options().starts) placements.offer(start);
  // The loads of affine phases are cheap to count under a rule, axis by axis. For other phases tables are built first,
  // which may reach the bound, and which may be rules. With a route table, loads do not follow from axes.
  const bool rules_first = counts_by_axes && are_affine(placements.groups());
  if (rules_first) search_bits(placements);
  if (rules_first && placements.is_of_rules_only()) return;
  const bool swaps_may_gain = !placements.is_over() && build_tables(placements);
  if (!placements.is_over() && counts_by_axes && !rules_first) search_bits(placements);
  if (!placements.is_over() && swaps_may_gain && !placements.is_of_rules_only()) swap_nodes(placements);
}

}  // namespace

bool is_better(const MappingValues& one, const MappingValues& other) {
  return std::pair(one.exact_objective, one.exact_hop_bytes) <
         std::pair(other.exact_objective, other.exact_hop_bytes);
}

Mapping choose_placement(const Grid& grid, std::span<const Phase> phases, const MappingOptions& options) {
  if (phases.empty()) throw std::invalid_argument("choose_placement: there are no phases");
  require_all_nodes(grid, options.starts);
  BestPlacement placements(grid, phases, options);
  search(placements, phases);
  return placements.mapping();
}

Placement place(const Grid& grid, std::string_view text, std::size_t per_node) {
  constexpr std::string_view prefix = "auto:";
  if (!text.starts_with(prefix)) return {grid, parse_placement(text)};
  const auto phases =
      parse_phases(text.substr(prefix.size()), grid.node_count() * per_node, per_node == 1 ? &grid : nullptr);
  // A single rank has no dimensions, so `cube` has no phases.
  if (phases.empty()) return {grid, parse_placement("identity")};
  MappingOptions options;
  options.rules_only = true;
  options.per_node = per_node;
  return {grid, parse_placement(choose_placement(grid, phases, options).placement)};
}

}  // namespace cubefold
