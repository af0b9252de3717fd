#include "digit_phase.hpp"

#include <bit>
#include <memory>
#include <optional>
#include <utility>

#include "whole_phase.hpp"

namespace cubefold {

namespace {

/// Returns the axes of a phase that is to be a WholePhase.
std::optional<std::vector<int>> axes_of_whole_phase(const Grid& grid, const std::vector<Digit>& digits) {
  std::vector<int> axes;
  bool has_other_extents = false;
  if (digits.size() != grid.axes().size()) return std::nullopt;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::uint32_t radix = digits[static_cast<std::size_t>(axis)].radix;
    if (radix == 1) continue;
    if (radix != grid.extent(axis) || radix > 256) return std::nullopt;
    has_other_extents |= !std::has_single_bit(radix);
    axes.push_back(axis);
  }
  return has_other_extents ? std::optional(axes) : std::nullopt;
}

template <typename Phase>
GridPhase as_grid_phase(std::shared_ptr<const Phase> phase) {
  return {phase->step_count(), [phase](GridNode node) { return phase->moves_of(node); }, {}};
}

}  // namespace

GridPhase digit_phase(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                      ProductPhase::Sharing sharing) {
  if (auto axes = axes_of_whole_phase(grid, digits))
    return as_grid_phase(std::make_shared<const WholePhase>(grid, std::move(*axes), ports, tie));
  return as_grid_phase(std::make_shared<const ProductPhase>(grid, digits, ports, tie, sharing));
}

std::size_t digit_phase_steps(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                              ProductPhase::Sharing sharing) {
  if (auto axes = axes_of_whole_phase(grid, digits))
    return WholePhase(grid, std::move(*axes), ports, tie).step_count();
  return ProductRounds(grid, digits, ports, tie, sharing).step_count();
}

std::vector<Digit> whole_axis(const Grid& grid, int axis) {
  std::vector<Digit> digits(grid.axes().size(), {1, 1});
  digits[static_cast<std::size_t>(axis)] = {grid.extent(axis), grid.extent(axis)};
  return digits;
}

}  // namespace cubefold
