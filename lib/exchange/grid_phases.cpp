#include "grid_phases.hpp"

#include <utility>

namespace cubefold {

namespace {

std::vector<GridNode> nodes_with(const Grid& grid,
                                 const std::vector<std::vector<std::uint32_t>>& coordinates) {
  std::vector<GridNode> nodes{GridNode{0}};
  for (std::size_t axis = coordinates.size(); axis-- > 0;) {
    const std::size_t stride = grid.stride(static_cast<int>(axis));
    std::vector<GridNode> longer;
    longer.reserve(nodes.size() * coordinates[axis].size());
    for (const auto node : nodes) {
      for (const auto at : coordinates[axis]) {
        longer.push_back(static_cast<GridNode>(static_cast<std::size_t>(node) + at * stride));
      }
    }
    nodes = std::move(longer);
  }
  return nodes;
}

Message message_of(const Placement& placement, const GridPhase& phase, GridNode from, GridNode to) {
  const auto load = phase.load_of(from, to);
  const auto destinations = nodes_with(placement.grid(), load.destinations);
  Message message{placement.rank_of(from), placement.rank_of(to), {}};
  for (const auto source : nodes_with(placement.grid(), load.sources)) {
    for (const auto destination : destinations) {
      if (!load.takes || load.takes(source, destination))
        message.blocks.push_back({placement.rank_of(source), placement.rank_of(destination)});
    }
  }
  return message;
}

}  // namespace

ExchangeParts parts_of(const Placement& placement, std::vector<GridPhase> phases) {
  std::size_t step_count = 0;
  for (const auto& phase : phases) step_count += phase.step_count;
  return {placement.rank_count(), step_count, [&placement, phases = std::move(phases)](PartBuilder& part) {
            const GridNode node = placement.node_of(part.rank());
            std::size_t before = 0;
            for (const GridPhase& phase : phases) {
              const Moves moves = phase.moves_of(node);
              for (const Move& move : moves.sends) {
                part.send(before + move.step,
                          [&](Rank) { return message_of(placement, phase, node, move.peer); });
              }
              for (const Move& move : moves.receives) {
                part.receive(before + move.step, placement.rank_of(move.peer),
                             [&](Rank) { return message_of(placement, phase, move.peer, node); });
              }
              before += phase.step_count;
            }
          }};
}

}  // namespace cubefold
