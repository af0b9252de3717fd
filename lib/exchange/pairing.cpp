#include "pairing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <stdexcept>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

namespace {

/// A step of swing: nodes at even coordinates of the axis go up so far, modulo the extent, and the others down.
struct SwingStep {
  int axis;
  std::uint32_t distance;
};

/// Returns rho_k modulo an extent, which is a power of two.
std::uint32_t swing_distance(std::uint32_t step, std::uint32_t extent) {
  std::uint32_t distance = 1;
  for (std::uint32_t k = 0; k < step; ++k) distance = 1 - 2 * distance;
  return distance % extent;
}

std::vector<SwingStep> swing_steps(const Grid& grid) {
  if (grid.route_table() != nullptr)
    throw std::invalid_argument(fmt::format("swing: {} has no axes", to_string(grid)));
  std::uint32_t longest = 1;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (!std::has_single_bit(grid.extent(axis))) {
      throw std::invalid_argument(
          fmt::format("swing: extent {} of {} is no power of two", grid.extent(axis), to_string(grid)));
    }
    longest = std::max(longest, grid.extent(axis));
  }
  std::vector<SwingStep> steps;
  for (std::uint32_t k = 0; longest >> k > 1; ++k) {
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      if (grid.extent(axis) >> k > 1) steps.push_back({axis, swing_distance(k, grid.extent(axis))});
    }
  }
  return steps;
}

GridNode swing_partner(const Grid& grid, GridNode node, const SwingStep& step) {
  const std::uint32_t extent = grid.extent(step.axis);
  const std::uint32_t coordinate = grid.coordinate(node, step.axis);
  const std::uint32_t up = coordinate % 2 == 0 ? step.distance : extent - step.distance;
  const std::size_t others = static_cast<std::size_t>(node) - coordinate * grid.stride(step.axis);
  return static_cast<GridNode>(others + (coordinate + up) % extent * grid.stride(step.axis));
}

}  // namespace

Pairing Pairing::cube(std::size_t rank_count) {
  if (!std::has_single_bit(rank_count))
    throw std::invalid_argument(fmt::format("cube: {} ranks are no power of two", rank_count));
  return {rank_count, static_cast<std::size_t>(std::bit_width(rank_count)) - 1,
          [](Rank rank, std::size_t step) { return neighbour(rank, static_cast<int>(step)); }};
}

Pairing Pairing::swing(const Placement& placement) {
  auto steps = swing_steps(placement.grid());
  const std::size_t step_count = steps.size();
  return {placement.rank_count(), step_count,
          [placement, steps = std::move(steps)](Rank rank, std::size_t step) {
            return placement.rank_of(swing_partner(placement.grid(), placement.node_of(rank), steps[step]));
          }};
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
