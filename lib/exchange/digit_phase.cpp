#include "digit_phase.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "pattern_phase.hpp"
#include "routed_phase.hpp"

namespace cubefold {

namespace {

constexpr std::uint32_t longest_pattern = 256;
constexpr std::size_t most_pattern_nodes = 65536;

/// Returns the axes of a phase of whole coordinates that a PatternPhase can have, or nothing for other phases.
std::optional<std::vector<int>> whole_axes(const Grid& grid, const std::vector<Digit>& digits) {
  std::vector<int> axes;
  std::size_t node_count = 1;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const Digit& digit = digits[static_cast<std::size_t>(axis)];
    const std::uint32_t extent = grid.extent(axis);
    if (digit.radix == 1) continue;
    if (digit != Digit{extent, extent} || extent > longest_pattern) return std::nullopt;
    node_count *= extent;
    axes.push_back(axis);
  }
  return node_count <= most_pattern_nodes ? std::optional(axes) : std::nullopt;
}

/// Returns the PatternPhase if it takes fewer steps than a ProductPhase, which takes `product_steps`.
std::shared_ptr<const PatternPhase> shorter_pattern_phase(const Grid& grid, const std::vector<Digit>& digits,
                                                          Ports ports, Tie tie, std::size_t product_steps) {
  const auto axes = whole_axes(grid, digits);
  if (!axes || product_steps <= least_steps(grid, *axes, ports, tie)) return nullptr;
  auto phase = std::make_shared<const PatternPhase>(grid, *axes, ports, tie);
  return phase->step_count() < product_steps ? phase : nullptr;
}

std::shared_ptr<const RoutedPhase> routed_phase(const Grid& grid, const std::vector<Digit>& digits,
                                                Ports ports) {
  for (std::size_t axis = 0; axis < digits.size(); ++axis) {
    const std::uint32_t extent = grid.axes()[axis].extent;
    if (digits[axis] == Digit{extent, extent}) continue;
    throw std::invalid_argument(
        fmt::format("digit_phase: {} has phases of all its nodes only", to_string(grid)));
  }
  return std::make_shared<const RoutedPhase>(grid, ports);
}

template <typename Phase>
GridPhase as_grid_phase(std::shared_ptr<const Phase> phase) {
  return {phase->step_count(), [phase](GridNode node) { return phase->moves_of(node); }, {}};
}

}  // namespace

GridPhase digit_phase(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                      ProductPhase::Sharing sharing) {
  if (grid.route_table() != nullptr) return as_grid_phase(routed_phase(grid, digits, ports));
  const std::size_t product_steps = ProductRounds(grid, digits, ports, tie, sharing).step_count();
  if (auto phase = shorter_pattern_phase(grid, digits, ports, tie, product_steps))
    return as_grid_phase(std::move(phase));
  return as_grid_phase(std::make_shared<const ProductPhase>(grid, digits, ports, tie, sharing));
}

std::size_t digit_phase_steps(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                              ProductPhase::Sharing sharing) {
  const std::size_t product_steps = ProductRounds(grid, digits, ports, tie, sharing).step_count();
  const auto phase = shorter_pattern_phase(grid, digits, ports, tie, product_steps);
  return phase ? phase->step_count() : product_steps;
}

std::vector<std::uint64_t> routed_phase_startups(const Grid& grid, const std::vector<Digit>& digits,
                                                 Ports ports) {
  return routed_phase(grid, digits, ports)->startups_of_steps(grid, ports);
}

std::vector<Digit> whole_axis(const Grid& grid, int axis) {
  std::vector<Digit> digits(grid.axes().size(), {1, 1});
  digits[static_cast<std::size_t>(axis)] = {grid.extent(axis), grid.extent(axis)};
  return digits;
}

}  // namespace cubefold
