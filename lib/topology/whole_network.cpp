#include "whole_network.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "cubefold/topology/route_table.hpp"

namespace cubefold {

namespace {

constexpr std::string_view without = ",without=";

/// Returns the nodes that a text like `3-7` names. Requires such a text.
std::vector<GridNode> nodes_named(std::string_view text) {
  std::vector<GridNode> nodes;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at < end; ++at) {
    std::uint32_t node = 0;
    at = std::from_chars(at, end, node).ptr;
    nodes.push_back(GridNode{node});
  }
  return nodes;
}

std::vector<GridNode> all_nodes(const Grid& grid) {
  std::vector<GridNode> nodes;
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) nodes.push_back(GridNode{node});
  return nodes;
}

}  // namespace

WholeNetwork whole_network_of(const Grid& grid) {
  const std::string_view name = grid.name();
  const auto comma = name.rfind(without);
  if (grid.route_table() == nullptr || comma == std::string_view::npos) return {grid, all_nodes(grid)};
  WholeNetwork whole{parse_grid(name.substr(0, comma)), {}};
  const auto missing = nodes_named(name.substr(comma + without.size()));
  for (const GridNode node : all_nodes(whole.grid))
    if (!std::ranges::binary_search(missing, node)) whole.node_of_vertex.push_back(node);
  whole.node_of_vertex.insert(whole.node_of_vertex.end(), missing.begin(), missing.end());
  return whole;
}

}  // namespace cubefold
