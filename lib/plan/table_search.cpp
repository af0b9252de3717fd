#include "table_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "cubefold/topology/route.hpp"
#include "moving_loads.hpp"
#include "neighbours.hpp"
#include "partner_graph.hpp"

namespace cubefold {

std::vector<GridNode> snake(const Grid& grid, int fastest) {
  std::vector<GridNode> nodes;
  for (std::size_t n = 0; n < grid.node_count(); ++n) {
    std::size_t rest = n;
    std::size_t node = 0;
    for (int k = 0; k < grid.axis_count(); ++k) {
      const int axis = (fastest + k) % grid.axis_count();
      const std::size_t x = rest % grid.extent(axis);
      rest /= grid.extent(axis);
      // The remaining quotient is the number of times that the order has passed along this axis; every other pass is
      // reversed.
      node += (rest % 2 == 0 ? x : grid.extent(axis) - 1 - x) * grid.stride(axis);
    }
    nodes.push_back(static_cast<GridNode>(node));
  }
  return nodes;
}

std::vector<Rank> chain(std::span<const Phase> phases, std::size_t rank_count) {
  const PartnerGraph graph(phases, rank_count);
  std::vector<Rank> ranks;
  std::vector<bool> is_met(rank_count);
  for (const auto& component : graph.components()) {
    for (const auto rank : graph.met_from(component.back(), is_met)) ranks.push_back(static_cast<Rank>(rank));
  }
  return ranks;
}

double part_of_effort(const BestPlacement& placements) {
  return static_cast<double>(placements.options().effort) / 8;
}

double work_of_entry(const BestPlacement& placements) {
  double work = 0;
  for (const Phase& phase : placements.groups()) {
    work += 50 * static_cast<double>(phase.traffic.size());
    work += 5 * static_cast<double>(link_index_count(placements.grid()));
  }
  return work;
}

std::vector<GridNode> ranks_at(const std::vector<GridNode>& places, const std::vector<Rank>& ranks) {
  std::vector<GridNode> nodes(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) nodes[label(ranks[i])] = places[i];
  return nodes;
}

namespace {

/// Returns roughly the nanoseconds of recognise_grid() without and with diagonals.
double work_of_recognition(const PartnerGraph& graph) {
  const auto partners = static_cast<double>(graph.most_partners());
  return static_cast<double>(graph.rank_count()) * partners * partners * (40 + 2 * partners);
}

/// The grid on which ranks send to their neighbours.
struct PhasesGrid {
  GridGraph graph;
  bool is_of_all_phases;
};

/// Returns the grid of all phases together, or of the first phase that has one, or nothing.
std::optional<PhasesGrid> grid_of_phases(const BestPlacement& placements) {
  const auto groups = placements.groups();
  double work = 0;
  const auto grid_of = [&](std::span<const Phase> phases) -> std::optional<GridGraph> {
    const PartnerGraph graph(phases, placements.grid().node_count());
    work += work_of_recognition(graph);
    if (work > 2 * part_of_effort(placements)) return std::nullopt;
    auto grid = recognise_grid(graph);
    return grid ? std::move(grid) : recognise_full_stencil(graph);
  };
  if (auto grid = grid_of(groups)) return PhasesGrid{*std::move(grid), true};
  for (std::size_t r = 0; groups.size() > 1 && r < groups.size(); ++r)
    if (auto grid = grid_of(groups.subspan(r, 1))) return PhasesGrid{*std::move(grid), false};
  return std::nullopt;
}

/// Returns the node whose coordinates are the sums of those of two nodes, modulo the extents.
GridNode shifted(const Grid& grid, GridNode node, GridNode by) {
  std::size_t sum = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    sum += (grid.coordinate(node, axis) + grid.coordinate(by, axis)) % grid.extent(axis) * grid.stride(axis);
  return static_cast<GridNode>(sum);
}

/// Offers the embeddings of the phases' own grid into the machine.
void fold(BestPlacement& placements, const GridGraph& graph) {
  placements.begin_search(fmt::format("ways to fold {}, the phases' own grid", to_string(graph.grid)));
  double work = 0;
  for_each_folding(graph.grid, placements.grid(), [&](const std::vector<GridNode>& node_of_guest) {
    std::vector<GridNode> nodes;
    for (const GridNode guest : graph.node_of_rank)
      nodes.push_back(node_of_guest[static_cast<std::size_t>(guest)]);
    placements.offer(std::move(nodes));
    work += work_of_entry(placements);
    return !placements.is_over() && work < part_of_effort(placements);
  });
}

/// Returns the node of every rank if ranks are numbered along the axes in this order, the first one fastest.
std::vector<GridNode> numbered_along(const Grid& grid, const std::vector<int>& axes) {
  std::vector<GridNode> nodes;
  for (std::size_t rank = 0; rank < grid.node_count(); ++rank) {
    std::size_t rest = rank;
    std::size_t node = 0;
    for (const int axis : axes) {
      node += rest % grid.extent(axis) * grid.stride(axis);
      rest /= grid.extent(axis);
    }
    nodes.push_back(static_cast<GridNode>(node));
  }
  return nodes;
}

/// Offers the placements of ranks that are numbered along the axes in any order. MPI_Cart_create numbers the last axis
/// fastest, and nodes are numbered with axis 0 fastest.
void order_axes(BestPlacement& placements) {
  constexpr int most_axes = 4;
  const Grid& grid = placements.grid();
  if (grid.route_table() != nullptr || grid.axis_count() > most_axes) return;
  placements.begin_search("ranks numbered along the axes in all orders");
  std::vector<int> axes(static_cast<std::size_t>(grid.axis_count()));
  std::iota(axes.begin(), axes.end(), 0);
  while (!placements.is_over() && std::next_permutation(axes.begin(), axes.end()))
    placements.offer(numbered_along(grid, axes));
}

/// Offers placements of connected ranks one behind the other along snakes through the machine.
void line_up(BestPlacement& placements) {
  placements.begin_search("partners one behind the other");
  const Grid& grid = placements.grid();
  const auto ranks = chain(placements.groups(), grid.node_count());
  for (int axis = 0; axis < grid.axis_count() && !placements.is_over(); ++axis)
    placements.offer(ranks_at(snake(grid, axis), ranks));
  if (grid.route_table() != nullptr && !placements.is_over()) placements.offer(ranks_at(tour(grid), ranks));
}

/// Offers the best placement so far, shifted along the axes. On a torus with cut cables or other irregular links, the
/// shift decides who uses what is left of them. On a regular torus all shifts have the same value, and the axes of a
/// network with holes only number what is left.
void shift(BestPlacement& placements) {
  const Grid& grid = placements.grid();
  if (grid.route_table() == nullptr || grid.route_table()->switch_count() > 0) return;
  placements.begin_search("shifts of the best so far");
  const auto best = placements.nodes();
  double work = 0;
  for (std::uint32_t by = 1; by < grid.node_count() && !placements.is_over(); ++by) {
    auto nodes = best;
    for (GridNode& node : nodes) node = shifted(grid, node, GridNode{by});
    placements.offer(std::move(nodes));
    work += work_of_entry(placements);
    if (work > part_of_effort(placements) / 2) return;
  }
}

void swap_from(BestPlacement& placements, const std::vector<GridNode>& start, double work_limit) {
  const MappingOptions& options = placements.options();
  MovingLoads loads(placements.grid(), placements.groups(), options.objective, options.tie);
  placements.offer(swap_search(placements.grid(), loads, start,
                               {options.seed, in_units(placements.bound().exact_value), work_limit}));
}

/// Returns roughly the nanoseconds that best_of_all() takes. Of 8 nodes there are 40320 placements. A swap moves the
/// messages of two ranks.
double work_of_all_bijections(const BestPlacement& placements) {
  const auto nodes = static_cast<double>(placements.grid().node_count());
  double messages = 0;
  for (const Phase& phase : placements.groups()) messages += static_cast<double>(phase.traffic.size());
  return std::tgamma(nodes + 1) * (100 + 200 * messages / nodes);
}

void look_at_all(BestPlacement& placements) {
  placements.begin_search("all placements");
  const MappingOptions& options = placements.options();
  MovingLoads loads(placements.grid(), placements.groups(), options.objective, options.tie);
  placements.offer(best_of_all(loads, placements.nodes(), in_units(placements.bound().exact_value)));
}

/// Searches from the starts of the options. The best placement so far may be one of them, and is left out.
void swap_from_starts(BestPlacement& placements) {
  const auto& starts = placements.options().starts;
  if (starts.empty()) return;
  placements.begin_search("swaps of two nodes from the given starts");
  const auto best = placements.nodes();
  for (const auto& start : starts) {
    if (placements.is_over()) return;
    if (start != best)
      swap_from(placements, start, part_of_effort(placements) / static_cast<double>(starts.size()));
  }
}

void swap_from_near(BestPlacement& placements) {
  const Grid& grid = placements.grid();
  if (work_of_greedy_nodes(grid, placements.groups()) > part_of_effort(placements)) return;
  placements.begin_search("swaps of two nodes from ranks put near their partners");
  MovingLoads hops(grid, placements.groups(), MappingObjective::hop_bytes, placements.options().tie);
  const auto near = greedy_nodes(grid, placements.groups());
  const SwapSearchOptions until_work_is_done{placements.options().seed, 0, part_of_effort(placements)};
  swap_from(placements, swap_search(grid, hops, near, until_work_is_done), part_of_effort(placements));
}

/// Returns whether ranks that are next to each other in their grid are on neighbouring nodes.
bool keeps_neighbours(const BestPlacement& placements, const GridGraph& graph) {
  std::vector<GridNode> node_of_guest(graph.node_of_rank.size());
  for (std::size_t rank = 0; rank < node_of_guest.size(); ++rank)
    node_of_guest[static_cast<std::size_t>(graph.node_of_rank[rank])] = placements.nodes()[rank];
  const auto links = links_of(graph.grid);
  return std::all_of(links.begin(), links.end(), [&](const Link& link) {
    const auto from = static_cast<std::size_t>(link.from);
    const auto to = static_cast<std::size_t>(end_of(graph.grid, link));
    return distance_hops(placements.grid(), node_of_guest[from], node_of_guest[to]) == 1;
  });
}

/// Returns whether swaps cannot make the placement better: ranks that are neighbours are on neighbouring nodes, and all
/// links are as busy as the busiest one. If the grid is that of all phases, three quarters on average suffice, because
/// the outer links of an open grid carry less.
bool is_beyond_swaps(const BestPlacement& placements, const PhasesGrid& grid) {
  const bool is_busy = grid.is_of_all_phases ? placements.is_mostly_busy() : placements.is_evenly_loaded();
  return is_busy && keeps_neighbours(placements, grid.graph);
}

}  // namespace

bool build_tables(BestPlacement& placements) {
  if (work_of_entry(placements) > part_of_effort(placements)) return true;
  const auto grid = grid_of_phases(placements);
  if (grid) {
    fold(placements, grid->graph);
  } else {
    order_axes(placements);
  }
  if (grid && is_beyond_swaps(placements, *grid)) return false;
  if (!placements.is_over()) follow_strips(placements, grid ? std::optional(grid->graph) : std::nullopt);
  if (!placements.is_over()) line_up(placements);
  if (!placements.is_over()) shift(placements);
  return true;
}

void swap_nodes(BestPlacement& placements) {
  if (work_of_entry(placements) > part_of_effort(placements)) return;
  if (work_of_all_bijections(placements) <= part_of_effort(placements) / 4) return look_at_all(placements);
  placements.begin_search("swaps of two nodes from the best so far");
  swap_from(placements, placements.nodes(), part_of_effort(placements));
  if (!placements.is_over()) swap_from_starts(placements);
  if (!placements.is_over()) swap_from_near(placements);
}

}  // namespace cubefold
