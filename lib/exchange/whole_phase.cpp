#include "whole_phase.hpp"

#include <optional>
#include <utility>

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

PatternProduct shortest_product(const Grid& grid, const std::vector<int>& axes, Ports ports, Tie tie) {
  std::vector<AxisPattern> halves;
  for (const int axis : axes)
    halves.push_back(*axis_pattern(grid.axes()[static_cast<std::size_t>(axis)], tie, PatternKind::halves));
  auto best = PatternProduct::of(halves, ports);
  for (const auto& kinds : kinds_to_try(axes.size(), ports)) {
    auto patterns = halves;
    bool is_new = false;
    for (std::size_t j = 0; j < axes.size(); ++j) {
      if (kinds[j] == PatternKind::halves) continue;
      auto pattern = axis_pattern(grid.axes()[static_cast<std::size_t>(axes[j])], tie, kinds[j]);
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

}  // namespace

WholePhase::WholePhase(const Grid& grid, std::vector<int> axes, Ports ports, Tie tie)
    : grid_(grid), axes_(std::move(axes)), product_(shortest_product(grid, axes_, ports, tie)) {}

Moves WholePhase::moves_of(GridNode node) const {
  std::vector<std::uint32_t> own;
  for (const int axis : axes_) own.push_back(grid_.coordinate(node, axis));
  Moves moves;
  std::vector<std::uint32_t> other(axes_.size(), 0);
  std::size_t peer = static_cast<std::size_t>(node);
  for (std::size_t j = 0; j < axes_.size(); ++j) peer -= own[j] * grid_.stride(axes_[j]);
  for (std::size_t j = 0; j < axes_.size();) {
    if (other != own) {
      moves.sends.push_back({product_.step_of(own, other), static_cast<GridNode>(peer)});
      moves.receives.push_back({product_.step_of(other, own), static_cast<GridNode>(peer)});
    }
    for (j = 0; j < axes_.size(); ++j) {
      peer += grid_.stride(axes_[j]);
      if (++other[j] < grid_.extent(axes_[j])) break;
      peer -= other[j] * grid_.stride(axes_[j]);
      other[j] = 0;
    }
  }
  sort_by_step(moves);
  return moves;
}

}  // namespace cubefold
