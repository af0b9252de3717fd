#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/schedule/task.hpp"

namespace cubefold {

enum class LayerKind : std::uint8_t {
  single,     ///< one dimension, at distance 2^position
  pair,       ///< two, at distances 2^position and 2^(position+1)
  ring_pair,  ///< the two highest of a ring under xor, both at distance 2^position, a quarter of the ring
  ring_tie,   ///< the highest of a ring under standard, half way round, 2^position
};

/// One or two dimensions of a task that lie on one axis and are scheduled together. Coordinates of equal residue mod
/// 2^position take their turns at the same time; each turn sends one message from a node and receives one. What the turns
/// of a layer take from a link adds up to link_steps(), and layers of an axis fill the link one after the other.
struct Layer {
  int axis;
  LayerKind kind;
  int position;
  int dimension;        ///< the higher one
  int lower_dimension;  ///< -1 where there is only one
  bool alternates;      ///< ring_tie whose even coordinates send up and whose odd ones send down

  bool has(int wanted) const { return wanted == dimension || wanted == lower_dimension; }
  std::uint32_t residue_count() const { return std::uint32_t{1} << position; }
  std::uint32_t turn_count() const { return kind == LayerKind::pair || kind == LayerKind::ring_pair ? 2 : 1; }
  std::uint32_t link_steps() const;

  /// The turn in which a node sends in one of the layer's dimensions: 0 or 1.
  std::uint32_t turn_of(int sent_dimension, std::uint32_t coordinate) const;
};

/// Per axis the layers of the task, from the longest distance to the shortest; nothing where an axis has no such form:
/// placements other than standard and xor, and the highest dimension of an open axis under xor.
/// Source: [Calmant] 3.2 for pairs and singles; rings are ours.
std::optional<std::vector<std::vector<Layer>>> layers_of(const Placement& placement, Task task, Tie tie);

}  // namespace cubefold
