// Grids with the same links may have different names: a ring of 4 is also a square of two axes of 2.

#include <algorithm>
#include <utility>

#include "grid_recognition.hpp"

namespace cubefold {

namespace {

/// The axes of the recognised grid that are not used yet.
struct FreeAxes {
  const Grid& grid;
  std::vector<bool> is_used = std::vector<bool>(grid.axes().size());

  /// Returns an axis of this extent and marks it as used, or returns nothing.
  std::optional<int> take(std::uint32_t extent, bool is_ring) {
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      const auto index = static_cast<std::size_t>(axis);
      if (is_used[index] || grid.extent(axis) != extent || grid.has_wrap_link(axis) != is_ring) continue;
      is_used[index] = true;
      return axis;
    }
    return std::nullopt;
  }

  bool all_used() const { return std::ranges::find(is_used, false) == is_used.end(); }
};

/// Returns the axes of the found grid that make an axis of another grid: one axis, two for a ring of 4, or none for an
/// extent of 1. Returns nothing if they are not there.
std::optional<std::vector<int>> axes_for(const Grid& wanted, int axis, FreeAxes& free) {
  const std::uint32_t extent = wanted.extent(axis);
  if (extent == 1) return std::vector<int>{};
  const bool is_ring_of_four = extent == 4 && wanted.has_wrap_link(axis);
  const auto one = is_ring_of_four ? free.take(2, false) : free.take(extent, wanted.has_wrap_link(axis));
  if (!one) return std::nullopt;
  if (!is_ring_of_four) return std::vector{*one};
  const auto other = free.take(2, false);
  if (!other) return std::nullopt;
  return std::vector{*one, *other};
}

/// Returns the coordinate on the axis that these axes of the found grid make. Round a ring of 4, the pairs of
/// coordinates follow the Gray code.
std::uint32_t coordinate_on(const Grid& grid, GridNode node, const std::vector<int>& axes) {
  if (axes.empty()) return 0;
  const std::uint32_t first = grid.coordinate(node, axes[0]);
  if (axes.size() == 1) return first;
  return grid.coordinate(node, axes[1]) == 0 ? first : 3 - first;
}

}  // namespace

std::optional<RecognisedGrid> as_grid(const RecognisedGrid& found, const Grid& wanted) {
  FreeAxes free{found.grid};
  std::vector<std::vector<int>> parts;
  for (int axis = 0; axis < wanted.axis_count(); ++axis) {
    auto axes = axes_for(wanted, axis, free);
    if (!axes) return std::nullopt;
    parts.push_back(std::move(*axes));
  }
  if (!free.all_used()) return std::nullopt;
  RecognisedGrid result{wanted, {}};
  result.node_of_vertex.reserve(found.node_of_vertex.size());
  for (const GridNode node : found.node_of_vertex) {
    std::vector<std::uint32_t> at;
    at.reserve(parts.size());
    for (const auto& axes : parts) at.push_back(coordinate_on(found.grid, node, axes));
    result.node_of_vertex.push_back(wanted.node_at(at));
  }
  return result;
}

Grid with_rings_of_four(const Grid& grid) {
  std::vector<Axis> axes;
  std::size_t twos = 0;
  for (const Axis& axis : grid.axes()) {
    if (axis.extent == 2) {
      ++twos;
      continue;
    }
    if (axis.ends == Ends::open) return grid;
    axes.push_back(axis);
  }
  if (axes.empty()) return grid;
  axes.insert(axes.end(), twos / 2, {4, Ends::wrapped});
  axes.insert(axes.end(), twos % 2, {2, Ends::open});
  std::ranges::stable_sort(axes, {}, &Axis::extent);
  return Grid(std::move(axes));
}

}  // namespace cubefold
