#include "lines_phase.hpp"

#include "lines_rounds.hpp"

namespace cubefold {

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
