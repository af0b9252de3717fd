#include "pattern_phase.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cubefold/topology/link_loads.hpp"

namespace cubefold {

namespace {

/// The patterns of an axis, by kind.
using PatternsOfAxis = std::map<PatternKind, AxisPattern>;

std::vector<PatternsOfAxis> all_patterns(const Grid& grid, Ports ports, Tie tie) {
  std::vector<PatternsOfAxis> patterns;
  for (const Axis& axis : grid.axes()) {
    auto& own = patterns.emplace_back();
    for (const auto kind : {PatternKind::halves, PatternKind::quarters, PatternKind::fifths,
                            PatternKind::ninths, PatternKind::single, PatternKind::one_way}) {
      if (kind == PatternKind::one_way && ports == Ports::one) continue;
      if (auto pattern = axis_pattern(axis, tie, kind)) own.emplace(kind, std::move(*pattern));
    }
  }
  return patterns;
}

/// Returns the lists of kinds to try, one kind for each axis: `halves` on all axes; each other kind on all axes that
/// have it; and groups that go one way on each set of axes that have them.
std::vector<std::vector<PatternKind>> kinds_to_try(const std::vector<PatternsOfAxis>& patterns) {
  std::vector<std::vector<PatternKind>> lists(1,
                                              std::vector<PatternKind>(patterns.size(), PatternKind::halves));
  for (const auto kind :
       {PatternKind::quarters, PatternKind::fifths, PatternKind::ninths, PatternKind::single}) {
    auto kinds = lists.front();
    for (std::size_t j = 0; j < kinds.size(); ++j)
      if (patterns[j].contains(kind)) kinds[j] = kind;
    if (kinds != lists.front()) lists.push_back(std::move(kinds));
  }
  if (patterns.size() > DirectionPacking::most_axes) return lists;
  std::vector<std::vector<PatternKind>> one_way(1, lists.front());
  for (std::size_t j = 0; j < patterns.size(); ++j) {
    if (!patterns[j].contains(PatternKind::one_way)) continue;
    const std::size_t count = one_way.size();
    for (std::size_t i = 0; i < count; ++i) one_way.emplace_back(one_way[i])[j] = PatternKind::one_way;
  }
  lists.insert(lists.end(), one_way.begin() + 1, one_way.end());
  return lists;
}

PatternProduct shortest_product(const Grid& grid, Ports ports, Tie tie) {
  const auto patterns = all_patterns(grid, ports, tie);
  std::optional<PatternProduct> best;
  for (const auto& kinds : kinds_to_try(patterns)) {
    std::vector<AxisPattern> chosen;
    for (std::size_t j = 0; j < kinds.size(); ++j) chosen.push_back(patterns[j].at(kinds[j]));
    auto product = PatternProduct::of(std::move(chosen), ports);
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

constexpr std::size_t most_nodes_of_orbits = 400;

std::uint64_t busiest_link(const Axis& axis, Tie tie) {
  LinkLoads loads(Grid({axis}), tie);
  for (std::uint32_t from = 0; from < axis.extent; ++from) {
    for (std::uint32_t to = 0; to < axis.extent; ++to)
      loads.add(static_cast<GridNode>(from), static_cast<GridNode>(to));
  }
  return loads.busiest();
}

}  // namespace

std::size_t least_steps(const Grid& grid, const std::vector<int>& axes, Ports ports, Tie tie) {
  const Grid chosen = grid_of(grid, axes);
  std::size_t steps = ports == Ports::one ? chosen.node_count() - 1 : 0;
  for (const Axis& axis : chosen.axes())
    steps = std::max<std::size_t>(steps, busiest_link(axis, tie) * chosen.node_count() / axis.extent);
  return steps;
}

PatternPhase::PatternPhase(Grid grid, std::vector<int> axes, Ports ports, Tie tie)
    : grid_(std::move(grid)),
      axes_(std::move(axes)),
      axes_grid_(grid_of(grid_, axes_)),
      product_(shortest_product(axes_grid_, ports, tie)) {
  const std::size_t least = least_steps(grid_, axes_, ports, tie);
  if (product_.step_count() > least && axes_grid_.node_count() <= most_nodes_of_orbits)
    orbits_ = OrbitSteps::of(axes_grid_, {ports, tie}, product_.step_count() - 1, least);
}

std::size_t PatternPhase::step_of(const std::vector<std::uint32_t>& source,
                                  const std::vector<std::uint32_t>& destination) const {
  if (orbits_) return orbits_->step_of(axes_grid_.node_at(source), axes_grid_.node_at(destination));
  return product_.step_of(source, destination);
}

Moves PatternPhase::moves_of(GridNode node) const {
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
