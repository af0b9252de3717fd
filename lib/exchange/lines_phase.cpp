#include "cubefold/exchange/lines_phase.hpp"

#include <algorithm>

#include "link_sharing.hpp"

namespace cubefold {

LinesPhase::LinesPhase(const Grid& grid, Ports ports, Tie tie) : grid_(grid), ports_(ports) {
  std::size_t round_count = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::uint32_t extent = grid.extent(axis);
    if (extent == 1) continue;
    axes_.push_back(
        {axis, axis_permutations(grid.axes()[static_cast<std::size_t>(axis)], {extent, extent}, tie)});
    round_count = std::max<std::size_t>(round_count, extent);
  }
  const auto closed = [](const ActiveAxis& axis) {
    return std::all_of(axis.permutations.begin(), axis.permutations.end(),
                       [](const auto& each) { return each.closed; });
  };
  take_turns_ = ports == Ports::one && !std::all_of(axes_.begin(), axes_.end(), closed);
  for (std::size_t k = 0; k < round_count; ++k) add_round(k);
}

/// The axis's permutation in a round, or nothing where it moves nobody.
const AxisPermutation* LinesPhase::permutation(std::size_t axis, std::size_t round) const {
  const auto& permutations = axes_[axis].permutations;
  return round < permutations.size() && !is_identity(permutations[round]) ? &permutations[round] : nullptr;
}

void LinesPhase::add_round(std::size_t k) {
  std::size_t most = 0;
  std::size_t sum = 0;
  std::size_t axes = 0;
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    if (permutation(j, k) == nullptr) continue;
    most = std::max<std::size_t>(most, permutation(j, k)->class_count);
    sum += permutation(j, k)->class_count;
    axes = j + 1;
  }
  const std::size_t steps = take_turns_ ? sum : ports_ == Ports::one ? std::max(most, axes) : most;
  rounds_.push_back({step_count_, steps});
  step_count_ += steps;
}

std::size_t LinesPhase::step_of(const std::vector<std::uint32_t>& from, std::size_t axis,
                                std::size_t round) const {
  const auto own_class = [&](std::size_t j) {
    return permutation(j, round)->class_of[from[static_cast<std::size_t>(axes_[j].axis)]];
  };
  const auto& [first_step, step_count] = rounds_[round];
  if (ports_ == Ports::all) return first_step + own_class(axis);
  if (take_turns_) {
    std::size_t before = 0;
    for (std::size_t j = 0; j < axis; ++j) {
      if (permutation(j, round) != nullptr) before += permutation(j, round)->class_count;
    }
    return first_step + before + own_class(axis);
  }
  std::size_t sum = step_count - axis;
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    if (permutation(j, round) != nullptr) sum += own_class(j);
  }
  return first_step + sum % step_count;
}

Moves LinesPhase::moves_of(GridNode node) const {
  const auto own = grid_.coordinates(node);
  Moves moves;
  for (std::size_t round = 0; round < rounds_.size(); ++round) {
    for (std::size_t j = 0; j < axes_.size(); ++j) {
      const AxisPermutation* along = permutation(j, round);
      if (along == nullptr) continue;
      const auto axis = static_cast<std::size_t>(axes_[j].axis);
      auto destination = own;
      auto source = own;
      destination[axis] = along->to[own[axis]];
      source[axis] = along->from[own[axis]];
      if (destination != own) moves.sends.push_back({step_of(own, j, round), grid_.node_at(destination)});
      if (source != own) moves.receives.push_back({step_of(source, j, round), grid_.node_at(source)});
    }
  }
  sort_by_step(moves);
  return moves;
}

}  // namespace cubefold
