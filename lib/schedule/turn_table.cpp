#include "turn_table.hpp"

#include <algorithm>

#include "turn_colouring.hpp"

namespace cubefold {

namespace {

bool is_highest_of_axis(const std::vector<Layer>& layers, std::size_t layer) {
  return std::all_of(layers.begin(), layers.end(), [&](const Layer& other) {
    return other.axis != layers[layer].axis || other.position <= layers[layer].position;
  });
}

}  // namespace

TurnTable::TurnTable(std::vector<Layer> layers, bool wide) : layers_(std::move(layers)) {
  std::uint32_t widest = 1;
  for (const Layer& layer : layers_) widest = std::max(widest, layer.residue_count());
  std::size_t begin = 0;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    moduli_.push_back(wide && is_highest_of_axis(layers_, i) ? widest : layers_[i].residue_count());
    begins_.push_back(begin);
    begin += std::size_t{moduli_[i]} * layers_[i].turn_count();
  }
  steps_.resize(begin);
}

/// Gives a layer steps of its own from `begin` on; returns the next free one.
std::uint32_t TurnTable::fill(std::size_t layer, std::uint32_t begin, Ports ports) {
  const Layer& l = layers_[layer];
  const auto count = l.residue_count();
  // Up and down on a ring pass each other, but a node with one port takes them in two steps.
  const auto ring_steps = ports == Ports::one ? std::max(count, 2U) : count;
  for (std::uint32_t r = 0; r < count; ++r) {
    for (std::uint32_t turn = 0; turn < l.turn_count(); ++turn) {
      std::uint32_t step = r * l.turn_count() + turn;
      if (l.kind == LayerKind::ring_pair) step = ports == Ports::one ? (r + turn) % ring_steps : r;
      if (l.alternates) step = r / 2;
      steps_[index_of(layer, r, turn)] = begin + step;
    }
  }
  return begin + (l.kind == LayerKind::ring_pair ? ring_steps : l.link_steps());
}

TurnTable TurnTable::sequential(std::vector<Layer> layers, Ports ports) {
  TurnTable table(std::move(layers), false);
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < table.layers_.size(); ++i) {
    const bool next_axis = i > 0 && table.layers_[i].axis != table.layers_[i - 1].axis;
    if (next_axis && ports == Ports::all) begin = 0;
    begin = table.fill(i, begin, ports);
    table.step_count_ = std::max(table.step_count_, begin);
  }
  return table;
}

std::optional<TurnTable> TurnTable::search(std::vector<Layer> layers, std::uint32_t step_count, bool wide,
                                           std::size_t branches) {
  TurnTable table(std::move(layers), wide);
  auto steps = colour_turns(turns_of(table.layers_, table.moduli_), table.layers_, step_count, branches);
  if (!steps) return std::nullopt;
  table.steps_ = std::move(*steps);
  table.step_count_ = step_count;
  return table;
}

std::uint32_t TurnTable::step_of(std::size_t layer, std::uint32_t turn,
                                 std::span<const std::uint32_t> coordinates) const {
  std::uint32_t sum = 0;
  int last_axis = -1;
  for (const Layer& l : layers_) {  // the highest layer of an axis comes first
    if (l.axis == last_axis) continue;
    last_axis = l.axis;
    sum += coordinates[static_cast<std::size_t>(l.axis)] & (l.residue_count() - 1);
  }
  return steps_[index_of(layer, sum & (moduli_[layer] - 1), turn)];
}

}  // namespace cubefold
