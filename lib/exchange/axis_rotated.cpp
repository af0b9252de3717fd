#include "cubefold/exchange/axis_rotated.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "cubefold/exchange/lines_phase.hpp"
#include "grid_phases.hpp"

namespace cubefold {

namespace {

std::vector<int> long_axes(const Grid& grid) {
  std::vector<int> axes;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (grid.extent(axis) > 1) axes.push_back(axis);
  }
  return axes;
}

std::size_t first_axis(const Grid& grid, GridNode source, GridNode destination, std::size_t axis_count) {
  std::size_t sum = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    sum += grid.coordinate(source, axis) + grid.coordinate(destination, axis);
  return sum % axis_count;
}

std::vector<std::uint32_t> all_coordinates(const Grid& grid, int axis) {
  std::vector<std::uint32_t> all(grid.extent(axis));
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

/// The message runs along the axis at place `along` of the long ones; blocks that begin with axis `along - phase` take
/// it now.
GridPhase::Load load_along(const Grid& grid, const std::vector<int>& axes, std::size_t phase,
                           std::size_t along, GridNode from, GridNode to) {
  const std::size_t first = (along + axes.size() - phase) % axes.size();
  GridPhase::Load load;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    load.sources.push_back({grid.coordinate(from, axis)});
    load.destinations.push_back({grid.coordinate(to, axis)});
  }
  for (std::size_t turn = 0; turn < axes.size(); ++turn) {
    const int axis = axes[(first + turn) % axes.size()];
    if (turn < phase) load.sources[static_cast<std::size_t>(axis)] = all_coordinates(grid, axis);
    if (turn > phase) load.destinations[static_cast<std::size_t>(axis)] = all_coordinates(grid, axis);
  }
  load.takes = [grid, first, count = axes.size()](GridNode source, GridNode destination) {
    return first_axis(grid, source, destination, count) == first;
  };
  return load;
}

std::vector<GridPhase> rotated_phases(const Grid& grid, Ports ports, Tie tie) {
  const auto axes = long_axes(grid);
  const auto lines = std::make_shared<LinesPhase>(grid, ports, tie);
  std::vector<GridPhase> phases;
  for (std::size_t phase = 0; phase < axes.size(); ++phase) {
    const auto load_of = [grid, axes, phase](GridNode from, GridNode to) {
      const auto differs = [&](int axis) { return grid.coordinate(from, axis) != grid.coordinate(to, axis); };
      const auto along = std::find_if(axes.begin(), axes.end(), differs) - axes.begin();
      return load_along(grid, axes, phase, static_cast<std::size_t>(along), from, to);
    };
    phases.push_back(
        {lines->step_count(), [lines](GridNode node) { return lines->moves_of(node); }, load_of});
  }
  return phases;
}

}  // namespace

Schedule axis_rotated_exchange(const Placement& placement, Ports ports, Tie tie) {
  return schedule_of(placement, rotated_phases(placement.grid(), ports, tie));
}

Schedule axis_rotated_exchange_part(const Placement& placement, Ports ports, Tie tie, Rank rank) {
  return part_of(placement, rotated_phases(placement.grid(), ports, tie), rank);
}

}  // namespace cubefold
