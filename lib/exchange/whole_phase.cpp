#include "whole_phase.hpp"

#include <algorithm>
#include <utility>

#include "cubefold/topology/link_loads.hpp"

namespace cubefold {

namespace {

/// Returns the lists of kinds that are worth trying, one kind for each axis. With all ports, each axis may have groups
/// that go one way or both ways.
std::vector<std::vector<PatternKind>> kinds_to_try(std::size_t axis_count, Ports ports) {
  std::vector<std::vector<PatternKind>> lists;
  for (const auto kind :
       {PatternKind::quarters, PatternKind::fifths, PatternKind::ninths, PatternKind::whole}) {
    lists.emplace_back(axis_count, kind);
  }
  if (ports == Ports::one || axis_count > DirectionPacking::most_axes) return lists;
  for (std::size_t one_way = 1; one_way < std::size_t{1} << axis_count; ++one_way) {
    auto& kinds = lists.emplace_back(axis_count, PatternKind::halves);
    for (std::size_t j = 0; j < axis_count; ++j)
      if ((one_way >> j & 1) != 0) kinds[j] = PatternKind::one_way;
  }
  return lists;
}

PatternProduct shortest_product(const Grid& grid, Ports ports, Tie tie) {
  std::vector<AxisPattern> halves;
  halves.reserve(grid.axes().size());
  for (const Axis& axis : grid.axes()) halves.push_back(*axis_pattern(axis, tie, PatternKind::halves));
  auto best = PatternProduct::of(halves, ports);
  for (const auto& kinds : kinds_to_try(grid.axes().size(), ports)) {
    auto patterns = halves;
    bool is_new = false;
    for (std::size_t j = 0; j < kinds.size(); ++j) {
      if (kinds[j] == PatternKind::halves) continue;
      auto pattern = axis_pattern(grid.axes()[j], tie, kinds[j]);
      if (!pattern) continue;
      patterns[j] = std::move(*pattern);
      is_new = true;
    }
    if (!is_new) continue;
    auto product = PatternProduct::of(std::move(patterns), ports);
    if (product && (!best || product->step_count() < best->step_count())) best = std::move(product);
  }
  return std::move(best.value());
}

Grid grid_of(const Grid& grid, const std::vector<int>& axes) {
  std::vector<Axis> chosen;
  chosen.reserve(axes.size());
  for (const int axis : axes) chosen.push_back(grid.axes()[static_cast<std::size_t>(axis)]);
  return Grid(std::move(chosen));
}

/// Returns the messages over the busiest link if every node sends one message to every other node.
std::size_t messages_on_busiest_link(const Grid& grid, Tie tie) {
  std::size_t most = 0;
  for (const Axis& axis : grid.axes()) {
    const Grid line({axis});
    LinkLoads loads(line, tie);
    for (std::uint32_t from = 0; from < axis.extent; ++from) {
      for (std::uint32_t to = 0; to < axis.extent; ++to)
        loads.add(static_cast<GridNode>(from), static_cast<GridNode>(to));
    }
    most = std::max<std::size_t>(most, loads.busiest() * grid.node_count() / axis.extent);
  }
  return most;
}

constexpr std::size_t most_nodes_of_orbits = 400;

}  // namespace

WholePhase::WholePhase(Grid grid, std::vector<int> axes, Ports ports, Tie tie)
    : grid_(std::move(grid)),
      axes_(std::move(axes)),
      axes_grid_(grid_of(grid_, axes_)),
      product_(shortest_product(axes_grid_, ports, tie)) {
  if (ports == Ports::one || axes_grid_.node_count() > most_nodes_of_orbits) return;
  const std::size_t most_steps = messages_on_busiest_link(axes_grid_, tie) * 11 / 10;
  if (product_.step_count() > most_steps) orbits_ = OrbitSteps::of(axes_grid_, tie, most_steps);
}

std::size_t WholePhase::step_of(const std::vector<std::uint32_t>& source,
                                const std::vector<std::uint32_t>& destination) const {
  if (orbits_) return orbits_->step_of(axes_grid_.node_at(source), axes_grid_.node_at(destination));
  return product_.step_of(source, destination);
}

Moves WholePhase::moves_of(GridNode node) const {
  auto at = grid_.coordinates(node);
  std::vector<std::uint32_t> own;
  own.reserve(axes_.size());
  for (const int axis : axes_) own.push_back(at[static_cast<std::size_t>(axis)]);
  Moves moves;
  for (std::size_t i = 0; i < axes_grid_.node_count(); ++i) {
    const auto other = axes_grid_.coordinates(static_cast<GridNode>(i));
    if (other == own) continue;
    for (std::size_t j = 0; j < axes_.size(); ++j) at[static_cast<std::size_t>(axes_[j])] = other[j];
    const GridNode peer = grid_.node_at(at);
    moves.sends.push_back({step_of(own, other), peer});
    moves.receives.push_back({step_of(other, own), peer});
  }
  sort_by_step(moves);
  return moves;
}

}  // namespace cubefold
