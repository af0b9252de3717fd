#include "lines_phase.hpp"

#include <algorithm>

#include "axis_permutations.hpp"

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

/// Gives each axis of the round steps of its own, one axis after the other.
void take_turns(LinesRound& round) {
  for (auto& along : round.along) {
    along.begin = round.step_count;
    round.step_count += along.class_count;
  }
}

/// Lets all axes of the round share steps. Along axis number j of the round a node sends j steps before the one that
/// the sum of its classes names, so that it never sends along two axes in one step.
void share_steps(LinesRound& round) {
  round.step_count = std::max(most_classes(round), round.along.size());
  for (std::size_t j = 0; j < round.along.size(); ++j) round.along[j].begin = round.step_count - j;
}

}  // namespace

LinesRounds::LinesRounds(const Grid& grid, Ports ports, Tie tie) {
  std::vector<Shapes> shapes;
  std::size_t round_count = 0;
  for (int j = 0; j < grid.axis_count(); ++j) {
    const std::uint32_t extent = grid.extent(j);
    if (extent == 1) continue;
    axes_.push_back(j);
    shapes.push_back(permutation_shapes(grid.axes()[static_cast<std::size_t>(j)], {extent, extent}, tie));
    round_count = std::max<std::size_t>(round_count, extent);
  }
  adds_classes_ = ports == Ports::one && std::all_of(shapes.begin(), shapes.end(), all_closed);
  for (std::size_t k = 0; k < round_count; ++k) {
    LinesRound round = round_of(shapes, k);
    round.first_step = step_count_;
    if (adds_classes_) {
      share_steps(round);
    } else if (ports == Ports::one) {
      take_turns(round);
    } else {
      round.step_count = most_classes(round);
    }
    step_count_ += round.step_count;
    rounds_.push_back(std::move(round));
  }
}

LinesPhase::LinesPhase(const Grid& grid, Ports ports, Tie tie)
    : grid_(grid), rounds_(std::make_shared<LinesRounds>(grid, ports, tie)) {
  for (const int axis : rounds_->axes()) {
    const std::uint32_t extent = grid.extent(axis);
    permutations_.push_back(
        axis_permutations(grid.axes()[static_cast<std::size_t>(axis)], {extent, extent}, tie));
  }
}

std::size_t LinesPhase::step_count() const {
  return rounds_->step_count();
}

Moves LinesPhase::moves_of(GridNode node) const {
  const auto own = grid_.coordinates(node);
  Moves moves;
  for (std::size_t k = 0; k < rounds_->rounds().size(); ++k) {
    const LinesRound& round = rounds_->rounds()[k];
    const auto class_on = [&](std::size_t j, const auto& coordinates) -> std::size_t {
      return permutations_[j][k].class_of[coordinates[static_cast<std::size_t>(rounds_->axes()[j])]];
    };
    const auto step_of = [&](const LinesRound::Along& along, const auto& from) {
      std::size_t classes = rounds_->adds_classes() ? 0 : class_on(along.axis, from);
      for (const auto& other : round.along)
        classes += rounds_->adds_classes() ? class_on(other.axis, from) : 0;
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
  sort_by_step(moves);
  return moves;
}

}  // namespace cubefold
