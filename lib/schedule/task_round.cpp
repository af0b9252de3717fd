#include "task_round.hpp"

#include <algorithm>

namespace cubefold {

namespace {

std::uint32_t residue_of(const Layer& layer, std::span<const std::uint32_t> coordinates) {
  return coordinates[static_cast<std::size_t>(layer.axis)] & (layer.residue_count() - 1);
}

/// The highest bit of the residue, which tells apart the two that share a pair of steps.
std::uint32_t high_bit(const Layer& layer, std::span<const std::uint32_t> coordinates) {
  return layer.position == 0 ? 0 : residue_of(layer, coordinates) >> (layer.position - 1);
}

}  // namespace

TaskRound::TaskRound(std::vector<Layer> layers) : layers_(std::move(layers)), apart_(layers_.size()) {
  const auto singles = std::stable_partition(layers_.begin(), layers_.end(),
                                             [](const Layer& l) { return l.kind == LayerKind::pair; });
  pair_count_ = static_cast<std::size_t>(singles - layers_.begin());
  std::uint32_t turns = 0;
  step_count_ = 0;
  for (const Layer& layer : layers_) {
    first_turns_.push_back(turns);
    turns += layer.turn_count();
    step_count_ = std::max(step_count_, layer.link_steps());
  }
  step_count_ = std::max(step_count_, turns);
  if (pair_count_ > 0 && step_count_ % 2 == 1) apart_ = layers_.size() - 1;
}

// On a line of an axis it takes as many consecutive values as the axis has residues, or halves of residues.
std::uint32_t TaskRound::rotation(std::span<const std::uint32_t> coordinates) const {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    if (is_apart(i)) continue;
    const Layer& layer = layers_[i];
    const auto residue = residue_of(layer, coordinates);
    const bool by_halves = pair_count_ > 0 && layer.kind == LayerKind::single && layer.position > 0;
    if (layer.alternates)
      sum += residue / 2;
    else
      sum += by_halves ? residue & (layer.residue_count() / 2 - 1) : residue;
  }
  return sum;
}

std::uint32_t TaskRound::half_of(std::size_t layer, std::uint32_t turn,
                                 std::span<const std::uint32_t> coordinates) const {
  if (layer < pair_count_) return turn;
  const auto place = layer - pair_count_;
  const auto partner = pair_count_ + (place ^ 1);
  auto half = static_cast<std::uint32_t>(place & 1) ^ high_bit(layers_[layer], coordinates);
  if (partner < layers_.size() && !is_apart(partner)) half ^= high_bit(layers_[partner], coordinates);
  return half;
}

std::uint32_t TaskRound::step_of(std::size_t layer, std::uint32_t turn,
                                 std::span<const std::uint32_t> coordinates) const {
  if (is_apart(layer)) return residue_of(layers_[layer], coordinates);
  const auto index = static_cast<std::uint32_t>(layer);
  if (pair_count_ == 0) return (rotation(coordinates) + first_turns_[layer] + turn) % step_count_;

  const auto pairs = static_cast<std::uint32_t>(pair_count_);
  const auto unit = layer < pair_count_ ? index : pairs + (index - pairs) / 2;
  const auto slot = (rotation(coordinates) + unit) % (step_count_ / 2);
  const auto step = 2 * slot + half_of(layer, turn, coordinates);
  const bool gives_way = apart_ < layers_.size() && step >= residue_of(layers_[apart_], coordinates);
  return gives_way ? step + 1 : step;
}

}  // namespace cubefold
