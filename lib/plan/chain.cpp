#include "chain.hpp"

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
      // What is left counts the times that the axis has been gone along.
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

}  // namespace cubefold
