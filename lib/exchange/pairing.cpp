#include "pairing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

namespace cubefold {

namespace {

/// The step number `step` of an axis.
struct AxisStep {
  int axis;
  std::uint32_t step;
};

/// Returns rho_k modulo an extent, which is a power of two.
std::uint32_t swing_distance(std::uint32_t step, std::uint32_t extent) {
  std::uint32_t distance = 1;
  for (std::uint32_t k = 0; k < step; ++k) distance = 1 - 2 * distance;
  return distance % extent;
}

std::uint32_t swing_partner(std::uint32_t coordinate, std::uint32_t step, std::uint32_t extent) {
  const std::uint32_t distance = swing_distance(step, extent);
  return (coordinate + (coordinate % 2 == 0 ? distance : extent - distance)) % extent;
}

std::uint32_t cube_partner(std::uint32_t coordinate, std::uint32_t step, std::uint32_t /*extent*/) {
  return coordinate ^ (std::uint32_t{1} << step);
}

/// Returns the steps of all axes. Throws std::invalid_argument unless all extents are powers of two.
std::vector<AxisStep> steps_of(const Grid& grid, const AxisOrder& order, const char* name) {
  const std::vector<int> axes = axes_in(order, grid);
  std::uint32_t longest = 1;
  for (const int axis : axes) {
    if (!std::has_single_bit(grid.extent(axis))) {
      throw std::invalid_argument(
          fmt::format("{}: extent {} of {} is no power of two", name, grid.extent(axis), to_string(grid)));
    }
    longest = std::max(longest, grid.extent(axis));
  }
  std::vector<AxisStep> steps;
  for (std::uint32_t k = 0; longest >> k > 1; ++k) {
    for (const int axis : axes)
      if (grid.extent(axis) >> k > 1) steps.push_back({axis, k});
  }
  return steps;
}

/// The partner of a coordinate in a step of an axis of this extent.
using CoordinatePartner = std::uint32_t (*)(std::uint32_t coordinate, std::uint32_t step,
                                            std::uint32_t extent);

GridNode partner_of(const Grid& grid, GridNode node, const AxisStep& step, bool is_mirrored,
                    CoordinatePartner partner) {
  const std::uint32_t extent = grid.extent(step.axis);
  const std::uint32_t coordinate = grid.coordinate(node, step.axis);
  const auto seen = [&](std::uint32_t c) { return is_mirrored ? (extent - c) % extent : c; };
  const std::size_t others = static_cast<std::size_t>(node) - coordinate * grid.stride(step.axis);
  return static_cast<GridNode>(others +
                               seen(partner(seen(coordinate), step.step, extent)) * grid.stride(step.axis));
}

}  // namespace

std::vector<int> axes_in(const AxisOrder& order, const Grid& grid) {
  std::vector<int> axes;
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    if (grid.extent(axis) > 1) axes.push_back(axis);
  if (!axes.empty()) {
    const auto first = axes.begin() + static_cast<std::ptrdiff_t>(order.first_axis % axes.size());
    std::rotate(axes.begin(), first, axes.end());
  }
  return axes;
}

Pairing Pairing::cube(std::size_t rank_count) {
  if (!std::has_single_bit(rank_count))
    throw std::invalid_argument(fmt::format("cube: {} ranks are no power of two", rank_count));
  return {rank_count, static_cast<std::size_t>(std::bit_width(rank_count)) - 1,
          [](Rank rank, std::size_t step) { return neighbour(rank, static_cast<int>(step)); }};
}

Pairing Pairing::by_axes(const Placement& placement, const AxisOrder& order, const char* name,
                         CoordinatePartner partner) {
  auto steps = steps_of(placement.grid(), order, name);
  const std::size_t step_count = steps.size();
  return {placement.rank_count(), step_count,
          [placement, steps = std::move(steps), is_mirrored = order.is_mirrored, partner](Rank rank,
                                                                                          std::size_t step) {
            const GridNode node = placement.node_of(rank);
            return placement.rank_of(partner_of(placement.grid(), node, steps[step], is_mirrored, partner));
          }};
}

Pairing Pairing::cube_of_nodes(const Placement& placement, const AxisOrder& order) {
  return by_axes(placement, order, "cube", cube_partner);
}

Pairing Pairing::swing(const Placement& placement, const AxisOrder& order) {
  return by_axes(placement, order, "swing", swing_partner);
}

void Pairing::add_partners(std::vector<Rank>& ranks, std::size_t step) const {
  const std::size_t count = ranks.size();
  for (std::size_t i = 0; i < count; ++i) ranks.push_back(partner(ranks[i], step));
}

std::vector<Rank> Pairing::destinations(Rank rank, std::size_t step) const {
  std::vector<Rank> ranks{rank};
  for (; step < step_count_; ++step) add_partners(ranks, step);
  return ranks;
}

std::vector<Rank> Pairing::origins(Rank rank, std::size_t step) const {
  std::vector<Rank> ranks{rank};
  while (step-- > 0) add_partners(ranks, step);
  return ranks;
}

}  // namespace cubefold
