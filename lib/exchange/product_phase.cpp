#include "product_phase.hpp"

#include "product_rounds.hpp"

namespace cubefold {

ProductPhase::ProductPhase(const Grid& grid, const std::vector<Digit>& digits, Ports ports, Tie tie,
                           Sharing sharing)
    : grid_(grid), rounds_(std::make_shared<ProductRounds>(grid, digits, ports, tie, sharing)) {
  for (const auto& active : rounds_->axes()) {
    const auto axis = static_cast<std::size_t>(active.axis);
    permutations_.push_back(axis_permutations(grid.axes()[axis], digits[axis], tie));
  }
}

std::size_t ProductPhase::step_count() const {
  return rounds_->step_count();
}

Moves ProductPhase::moves_of(GridNode node) const {
  Moves moves;
  const auto own = grid_.coordinates(node);
  rounds_->for_each_combination([&](const auto& round, const auto& combination) {
    auto destination = own;
    auto source = own;
    std::size_t sent = round.later;
    std::size_t received = round.later;
    for (std::size_t j = 0; j < combination.size(); ++j) {
      const AxisPermutation& permutation = permutations_[j][combination[j]];
      const auto axis = static_cast<std::size_t>(rounds_->axes()[j].axis);
      destination[axis] = permutation.to[own[axis]];
      source[axis] = permutation.from[own[axis]];
      sent += permutation.class_of[own[axis]];
      received += permutation.class_of[source[axis]];
    }
    const auto step = [&](std::size_t sum) { return round.first_step + sum % round.classes; };
    if (destination != own) moves.sends.push_back({step(sent), grid_.node_at(destination)});
    if (source != own) moves.receives.push_back({step(received), grid_.node_at(source)});
  });
  sort_by_step(moves);
  return moves;
}

}  // namespace cubefold
