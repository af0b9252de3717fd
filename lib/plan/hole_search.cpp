#include <algorithm>
#include <utility>

#include "cubefold/topology/grid.hpp"
#include "table_search.hpp"

namespace cubefold {

std::vector<GridNode> strips(const Grid& grid, int axis, std::uint32_t width) {
  auto axes = grid.axes();
  axes[static_cast<std::size_t>(axis)].extent = 1;
  const Grid layer(axes);
  auto lines = snake(layer, (axis + 1) % grid.axis_count());
  std::vector<GridNode> nodes;
  for (std::uint32_t first = 0; first < grid.extent(axis); first += width) {
    const std::uint32_t end = std::min(first + width, grid.extent(axis));
    for (const GridNode line : lines) {
      const auto begin = static_cast<std::size_t>(grid.node_at(layer.coordinates(line)));
      for (std::uint32_t x = first; x < end; ++x)
        nodes.push_back(static_cast<GridNode>(begin + x * grid.stride(axis)));
    }
    std::ranges::reverse(lines);
  }
  return nodes;
}

namespace {

/// Returns the nodes of a grid in the order that nodes of its whole network have. Hosts on one node keep theirs.
std::vector<GridNode> nodes_along(const std::vector<GridNode>& of_whole, const WholeNetwork& whole,
                                  std::size_t node_count) {
  std::vector<std::size_t> position_of(of_whole.size());
  for (std::size_t i = 0; i < of_whole.size(); ++i) position_of[static_cast<std::size_t>(of_whole[i])] = i;
  std::vector<GridNode> nodes;
  for (std::uint32_t node = 0; node < node_count; ++node) nodes.push_back(GridNode{node});
  std::ranges::stable_sort(nodes, {}, [&](GridNode node) {
    return position_of[static_cast<std::size_t>(whole.node_of_vertex[static_cast<std::size_t>(node)])];
  });
  return nodes;
}

std::vector<Rank> all_ranks(std::size_t count) {
  std::vector<Rank> ranks;
  for (std::uint32_t rank = 0; rank < count; ++rank) ranks.push_back(Rank{rank});
  return ranks;
}

/// Returns the ranks by their coordinates on one axis of their own grid. Equal ones have the order of its nodes.
std::vector<Rank> ranks_by_axis(const GridGraph& graph, int axis) {
  auto ranks = all_ranks(graph.node_of_rank.size());
  std::ranges::sort(ranks, {}, [&](Rank rank) {
    const GridNode node = graph.node_of_rank[label(rank)];
    return std::pair(graph.grid.coordinate(node, axis), node);
  });
  return ranks;
}

/// Returns the ranks in ascending order, in the order of their chain, and by each coordinate on their own grid.
std::vector<std::vector<Rank>> rank_orders(const BestPlacement& placements,
                                           const std::optional<GridGraph>& graph) {
  const std::size_t count = placements.grid().node_count();
  std::vector<std::vector<Rank>> orders{all_ranks(count), chain(placements.groups(), count)};
  if (!graph) return orders;
  for (int axis = 0; axis < graph->grid.axis_count(); ++axis) orders.push_back(ranks_by_axis(*graph, axis));
  return orders;
}

}  // namespace

void follow_strips(BestPlacement& placements, const std::optional<GridGraph>& graph) {
  const Grid& grid = placements.grid();
  if (grid.route_table() == nullptr || grid.route_table()->switch_count() == 0) return;
  const WholeNetwork whole = whole_network_of(grid);
  placements.begin_search("ranks along strips of the whole network");
  const auto orders = rank_orders(placements, graph);
  double work = 0;
  for (int axis = 0; axis < whole.grid.axis_count(); ++axis) {
    for (std::uint32_t width = 1; width <= whole.grid.extent(axis); ++width) {
      const auto places = nodes_along(strips(whole.grid, axis, width), whole, grid.node_count());
      for (const auto& ranks : orders) {
        if (placements.is_over() || work > part_of_effort(placements) / 2) return;
        placements.offer(ranks_at(places, ranks));
        work += work_of_entry(placements);
      }
    }
  }
}

}  // namespace cubefold
