#include "lines_phase.hpp"

#include <algorithm>

#include "axis_permutations.hpp"
#include "digit_phase.hpp"

namespace cubefold {

namespace {

using Shapes = std::vector<PermutationShape>;

bool all_closed(const Shapes& shapes) {
  return std::all_of(shapes.begin(), shapes.end(), [](const auto& shape) { return shape.closed; });
}

/// Returns a round with the axes on which permutation k moves somebody. Steps are not assigned yet.
LinesRound round_of(const std::vector<Shapes>& axes, std::size_t k) {
  LinesRound round{};
  for (std::size_t j = 0; j < axes.size(); ++j) {
    if (k < axes[j].size() && !axes[j][k].moves_nobody) round.along.push_back({j, axes[j][k].class_count, 0});
  }
  return round;
}

std::size_t most_classes(const LinesRound& round) {
  std::size_t most = 0;
  for (const auto& along : round.along) most = std::max<std::size_t>(most, along.class_count);
  return most;
}

/// Lets all axes of the round share steps. Along axis number j of the round a node sends j steps before the one that
/// the sum of its classes names, so that it never sends along two axes in one step.
void share_steps(LinesRound& round) {
  round.step_count = std::max(most_classes(round), round.along.size());
  for (std::size_t j = 0; j < round.along.size(); ++j) round.along[j].begin = round.step_count - j;
}

}  // namespace

LinesRounds::LinesRounds(const Grid& grid, Ports ports, Tie tie) {
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    if (grid.extent(axis) > 1) axes_.push_back(axis);
  if (ports == Ports::one) add_shared_rounds(grid, tie);
  if (!adds_classes_) add_axes(grid, ports, tie);
}

/// Adds a round for each number of permutations if all classes are closed.
void LinesRounds::add_shared_rounds(const Grid& grid, Tie tie) {
  std::vector<Shapes> shapes;
  std::size_t round_count = 0;
  for (const int axis : axes_) {
    const std::uint32_t extent = grid.extent(axis);
    shapes.push_back(permutation_shapes(grid.axes()[static_cast<std::size_t>(axis)], {extent, extent}, tie));
    round_count = std::max<std::size_t>(round_count, extent);
  }
  adds_classes_ = std::all_of(shapes.begin(), shapes.end(), all_closed);
  if (!adds_classes_) return;
  for (std::size_t k = 0; k < round_count; ++k) {
    LinesRound round = round_of(shapes, k);
    round.first_step = step_count_;
    share_steps(round);
    step_count_ += round.step_count;
    rounds_.push_back(std::move(round));
  }
}

/// Adds one round with the whole phase of each axis, at the same time or one after the other.
void LinesRounds::add_axes(const Grid& grid, Ports ports, Tie tie) {
  LinesRound round{};
  for (std::size_t j = 0; j < axes_.size(); ++j) {
    const std::size_t steps = digit_phase_steps(grid, whole_axis(grid, axes_[j]), ports, tie);
    const std::size_t begin = ports == Ports::one ? step_count_ : 0;
    round.along.push_back({j, steps, begin});
    step_count_ = std::max(step_count_, begin + steps);
  }
  round.step_count = step_count_;
  rounds_.push_back(std::move(round));
}

LinesPhase::LinesPhase(const Grid& grid, Ports ports, Tie tie)
    : grid_(grid), rounds_(std::make_shared<LinesRounds>(grid, ports, tie)) {
  for (const int axis : rounds_->axes()) {
    const std::uint32_t extent = grid.extent(axis);
    if (rounds_->adds_classes()) {
      permutations_.push_back(
          axis_permutations(grid.axes()[static_cast<std::size_t>(axis)], {extent, extent}, tie));
    } else {
      axis_phases_.push_back(digit_phase(grid, whole_axis(grid, axis), ports, tie));
    }
  }
}

std::size_t LinesPhase::step_count() const {
  return rounds_->step_count();
}

Moves LinesPhase::moves_of(GridNode node) const {
  Moves moves = rounds_->adds_classes() ? moves_in_shared_rounds(node) : moves_along_axes(node);
  sort_by_step(moves);
  return moves;
}

Moves LinesPhase::moves_in_shared_rounds(GridNode node) const {
  const auto own = grid_.coordinates(node);
  Moves moves;
  for (std::size_t k = 0; k < rounds_->rounds().size(); ++k) {
    const LinesRound& round = rounds_->rounds()[k];
    const auto step_of = [&](const LinesRound::Along& along, const auto& from) {
      std::size_t classes = 0;
      for (const auto& other : round.along) {
        const auto axis = static_cast<std::size_t>(rounds_->axes()[other.axis]);
        classes += permutations_[other.axis][k].class_of[from[axis]];
      }
      return round.first_step + round.step_of(along, classes);
    };
    for (const auto& along : round.along) {
      const auto axis = static_cast<std::size_t>(rounds_->axes()[along.axis]);
      auto destination = own;
      auto source = own;
      destination[axis] = permutations_[along.axis][k].to[own[axis]];
      source[axis] = permutations_[along.axis][k].from[own[axis]];
      if (destination != own) moves.sends.push_back({step_of(along, own), grid_.node_at(destination)});
      if (source != own) moves.receives.push_back({step_of(along, source), grid_.node_at(source)});
    }
  }
  return moves;
}

Moves LinesPhase::moves_along_axes(GridNode node) const {
  const LinesRound& round = rounds_->rounds().front();
  Moves moves;
  for (const auto& along : round.along) {
    const Moves of_axis = axis_phases_[along.axis].moves_of(node);
    for (const auto& [step, peer] : of_axis.sends) moves.sends.push_back({round.step_of(along, step), peer});
    for (const auto& [step, peer] : of_axis.receives)
      moves.receives.push_back({round.step_of(along, step), peer});
  }
  return moves;
}

}  // namespace cubefold
