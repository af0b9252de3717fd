#include "grid_phases.hpp"

#include <fmt/format.h>

#include <stdexcept>

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

Schedule empty_schedule(const Placement& placement, const std::vector<GridPhase>& phases) {
  std::size_t step_count = 0;
  for (const auto& phase : phases) step_count += phase.step_count;
  return {placement.rank_count(), std::vector<Step>(step_count)};
}

/// Adds the messages that the node sends and, with `both`, those that it receives.
void add_node(Schedule& schedule, const Placement& placement, const std::vector<GridPhase>& phases,
              GridNode node, bool both) {
  std::size_t before = 0;
  for (const auto& phase : phases) {
    const Moves moves = phase.moves_of(node);
    const auto add = [&](std::size_t step, GridNode from, GridNode to) {
      auto message = message_of(placement, phase, from, to);
      if (!message.blocks.empty()) schedule.steps[before + step].push_back(std::move(message));
    };
    for (const auto& [step, peer] : moves.sends) add(step, node, peer);
    if (both) {
      for (const auto& [step, peer] : moves.receives) add(step, peer, node);
    }
    before += phase.step_count;
  }
}

}  // namespace

Schedule schedule_of(const Placement& placement, const std::vector<GridPhase>& phases) {
  Schedule schedule = empty_schedule(placement, phases);
  for (std::size_t node = 0; node < placement.rank_count(); ++node) {
    add_node(schedule, placement, phases, static_cast<GridNode>(node), false);
  }
  return schedule;
}

Schedule part_of(const Placement& placement, const std::vector<GridPhase>& phases, Rank rank) {
  if (label(rank) >= placement.rank_count()) {
    throw std::invalid_argument(fmt::format("rank {} is not below {}, the number of nodes of {}", label(rank),
                                            placement.rank_count(), to_string(placement.grid())));
  }
  Schedule part = empty_schedule(placement, phases);
  add_node(part, placement, phases, placement.node_of(rank), true);
  return part;
}

}  // namespace cubefold
