#include "cubefold/plan/mapping.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "cubefold/embedding/placement.hpp"

namespace cubefold {

namespace {

bool extents_are_powers_of_two(const Grid& grid) {
  for (const Axis& axis : grid.axes()) {
    if (!std::has_single_bit(axis.extent)) return false;
  }
  return true;
}

std::vector<GridNode> nodes_of_groups(const std::vector<GridNode>& node_of_group, std::size_t per_node) {
  std::vector<GridNode> nodes;
  for (const GridNode node : node_of_group) nodes.insert(nodes.end(), per_node, node);
  return nodes;
}

}  // namespace

Mapping choose_placement(const Grid& grid, std::span<const Phase> phases, const MappingOptions& options) {
  if (phases.empty()) throw std::invalid_argument("choose_placement: there are no phases");
  if (options.per_node == 0) throw std::invalid_argument("choose_placement: per_node 0 is not positive");
  std::optional<Mapping> best;
  for (const char* text : {"identity", "standard", "xor"}) {
    if (best && !extents_are_powers_of_two(grid)) break;
    Mapping mapping{
        text, nodes_of_groups(node_of_rank(Placement(grid, parse_placement(text))), options.per_node),
        {},   {},
        {},   "the named placements"};
    mapping.values = evaluate(grid, mapping.node_of_rank, phases, options.objective, options.tie);
    const auto rank = [](const Mapping& m) { return std::pair(m.values.objective, m.values.hop_bytes); };
    if (!best || rank(mapping) < rank(*best)) best = std::move(mapping);
  }
  best->bound = lower_bound(grid, phases, options.objective, options.per_node);
  if (best->values.objective <= best->bound.value) best->optimal = true;
  return *best;
}

}  // namespace cubefold
