#include "folding.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace cubefold {

namespace {

std::uint32_t excess_of(std::uint32_t extent) {
  return extent - std::bit_floor(extent);
}

std::vector<int> folded_axes(const Grid& grid, const AxisOrder& order) {
  std::vector<int> axes = axes_in(order, grid);
  std::erase_if(axes, [&](int axis) { return excess_of(grid.extent(axis)) == 0; });
  return axes;
}

Placement inner_placement(const Placement& outer) {
  std::vector<Axis> axes = outer.grid().axes();
  const auto is_power = [](const Axis& axis) { return excess_of(axis.extent) == 0; };
  if (std::ranges::all_of(axes, is_power)) return outer;
  for (Axis& axis : axes) axis.extent = std::bit_floor(axis.extent);
  return {Grid(std::move(axes)), {}};
}

}  // namespace

Folding::Folding(const Placement& placement, const AxisOrder& order)
    : outer_(placement), axes_(folded_axes(placement.grid(), order)), inner_(inner_placement(placement)) {}

std::uint32_t Folding::excess(int axis) const {
  return excess_of(outer_.grid().extent(axis));
}

Rank Folding::outer_rank(Rank inner) const {
  if (axes_.empty()) return inner;
  const Grid& grid = outer_.grid();
  const GridNode inner_node = inner_.node_of(inner);
  std::size_t node = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::uint32_t c = inner_.grid().coordinate(inner_node, axis);
    node += (c < excess(axis) ? 2 * c : c + excess(axis)) * grid.stride(axis);
  }
  return outer_.rank_of(static_cast<GridNode>(node));
}

std::optional<Rank> Folding::inner_rank(Rank outer) const {
  if (axes_.empty()) return outer;
  const GridNode node = outer_.node_of(outer);
  if (has_left(node, step_count())) return std::nullopt;
  std::size_t inner = 0;
  for (int axis = 0; axis < outer_.grid().axis_count(); ++axis) {
    const std::uint32_t c = outer_.grid().coordinate(node, axis);
    inner += (c < 2 * excess(axis) ? c / 2 : c - excess(axis)) * inner_.grid().stride(axis);
  }
  return inner_.rank_of(static_cast<GridNode>(inner));
}

bool Folding::leaves(GridNode node, int axis) const {
  const std::uint32_t c = outer_.grid().coordinate(node, axis);
  return c % 2 == 1 && c < 2 * excess(axis);
}

bool Folding::has_left(GridNode node, std::size_t step) const {
  return std::any_of(axes_.begin(), axes_.begin() + static_cast<std::ptrdiff_t>(step),
                     [&](int axis) { return leaves(node, axis); });
}

/// Returns the node that leaves to this node along an axis, or nothing.
std::optional<GridNode> Folding::folded_node(GridNode node, int axis) const {
  const std::uint32_t c = outer_.grid().coordinate(node, axis);
  if (c % 2 == 1 || c >= 2 * excess(axis)) return std::nullopt;
  return static_cast<GridNode>(static_cast<std::size_t>(node) + outer_.grid().stride(axis));
}

std::optional<Rank> Folding::receiver(Rank from, std::size_t step) const {
  const GridNode node = outer_.node_of(from);
  const int axis = axes_[step];
  if (has_left(node, step) || !leaves(node, axis)) return std::nullopt;
  return outer_.rank_of(static_cast<GridNode>(static_cast<std::size_t>(node) - outer_.grid().stride(axis)));
}

std::optional<Rank> Folding::sender(Rank to, std::size_t step) const {
  const GridNode node = outer_.node_of(to);
  const auto from = folded_node(node, axes_[step]);
  if (!from || has_left(node, step)) return std::nullopt;
  return outer_.rank_of(*from);
}

std::vector<Rank> Folding::members(Rank rank, std::size_t step) const {
  std::vector<GridNode> nodes{outer_.node_of(rank)};
  for (std::size_t s = 0; s < step; ++s) {
    const std::size_t count = nodes.size();
    for (std::size_t i = 0; i < count; ++i)
      if (const auto folded = folded_node(nodes[i], axes_[s])) nodes.push_back(*folded);
  }
  std::vector<Rank> ranks;
  ranks.reserve(nodes.size());
  for (const GridNode node : nodes) ranks.push_back(outer_.rank_of(node));
  return ranks;
}

std::size_t Folding::member_count(Rank rank, std::size_t step) const {
  const GridNode node = outer_.node_of(rank);
  std::size_t count = 1;
  for (std::size_t s = 0; s < step; ++s)
    if (folded_node(node, axes_[s])) count *= 2;
  return count;
}

}  // namespace cubefold
