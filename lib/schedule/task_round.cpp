#include "task_round.hpp"

#include <algorithm>

namespace cubefold {

TaskRound::TaskRound(std::vector<Layer> layers) : layers_(std::move(layers)) {
  std::uint32_t turns = 0;
  for (const Layer& layer : layers_) {
    first_turns_.push_back(turns);
    turns += layer.turn_count();
    step_count_ = std::max(step_count_, layer.link_steps());
  }
  step_count_ = std::max(step_count_, turns);
}

namespace {

std::uint32_t steps_before(const Layer& layer, std::uint32_t residue) {
  if (layer.alternates) return residue / 2;
  return layer.kind == LayerKind::pair ? 2 * residue : residue;
}

}  // namespace

std::uint32_t TaskRound::step_of(std::size_t layer, std::uint32_t turn,
                                 std::span<const std::uint32_t> coordinates) const {
  std::uint32_t step = first_turns_[layer] + turn;
  for (const Layer& l : layers_) {
    step += steps_before(l, coordinates[static_cast<std::size_t>(l.axis)] & (l.residue_count() - 1));
  }
  return step % step_count_;
}

// Residues of different axes are independent of one another and of the turn, and steps_before() adds up over a residue's bits.
std::vector<std::uint32_t> TaskRound::steps_of(std::size_t layer) const {
  std::vector<bool> used(step_count_);
  for (std::uint32_t turn = 0; turn < layers_[layer].turn_count(); ++turn)
    used[(first_turns_[layer] + turn) % step_count_] = true;
  for (const Layer& l : layers_) {
    for (std::uint32_t bit = 1; bit < l.residue_count(); bit *= 2) {
      const auto without = used;
      for (std::uint32_t step = 0; step < step_count_; ++step) {
        if (without[step]) used[(step + steps_before(l, bit)) % step_count_] = true;
      }
    }
  }
  std::vector<std::uint32_t> steps;
  for (std::uint32_t step = 0; step < step_count_; ++step) {
    if (used[step]) steps.push_back(step);
  }
  return steps;
}

}  // namespace cubefold
