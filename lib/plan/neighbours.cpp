#include "neighbours.hpp"

#include <algorithm>
#include <cstddef>

#include "cubefold/topology/route_table.hpp"
#include "route_hops.hpp"

namespace cubefold {

namespace {

/// Returns the vertices to which links lead from the ring and that have not been met before.
std::vector<std::size_t> next_ring(const RouteTable& table, const std::vector<std::size_t>& ring,
                                   std::vector<bool>& is_met) {
  std::vector<std::size_t> next;
  for (const std::size_t vertex : ring) {
    for (std::size_t link = table.first_link(vertex); link < table.first_link(vertex + 1); ++link) {
      const std::size_t end = table.links()[link].to;
      if (is_met[end]) continue;
      is_met[end] = true;
      next.push_back(end);
    }
  }
  return next;
}

}  // namespace

std::vector<std::vector<GridNode>> nearest_nodes(const Grid& grid) {
  const RouteTable& table = *grid.route_table();
  std::vector<std::vector<GridNode>> nearest(grid.node_count());
  for (std::size_t node = 0; node < nearest.size(); ++node) {
    std::vector<bool> is_met(table.vertex_count());
    is_met[node] = true;
    for (std::vector<std::size_t> ring{node}; !ring.empty() && nearest[node].empty();) {
      ring = next_ring(table, ring, is_met);
      for (const std::size_t vertex : ring)
        if (vertex < nearest.size()) nearest[node].push_back(static_cast<GridNode>(vertex));
    }
  }
  return nearest;
}

std::vector<GridNode> tour(const Grid& grid) {
  const RouteHops hops(grid);
  std::vector<GridNode> nodes{GridNode{0}};
  std::vector<GridNode> left;
  for (std::uint32_t node = 1; node < grid.node_count(); ++node) left.push_back(GridNode{node});
  while (!left.empty()) {
    const auto near = [&](GridNode node) { return hops.either_way(nodes.back(), node); };
    const auto next = std::ranges::min_element(left, {}, near);
    nodes.push_back(*next);
    left.erase(next);
  }
  return nodes;
}

}  // namespace cubefold
