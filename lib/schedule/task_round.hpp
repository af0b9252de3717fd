#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layer.hpp"

namespace cubefold {

/// A closed form for at most one layer an axis on one port, in as many steps as the busiest link or a node's messages ask
/// for, whichever is more: T. <i, x> for every x <= 2c under the cyclic dealing.
///
/// With the turns of a node numbered through its layers, turn number t goes in step
///
///     (sum over axes of w_j g_j  +  t)  mod T,      g_j the node's residue on axis j,
///
/// w_j the steps that a residue takes on a link: 2 for a pair, 1 for a single or ring pair, 1/2, rounded down, where even
/// and odd residues pass each other. A node's turns follow one another, and are no more than T. Along axis j only g_j
/// changes, and the residues' turns w_j g_j + t follow one another too.
///
/// [Calmant] 4.2 turns by whole pairs of steps, 2 (sum of g_j + axis), mod LB / 2 of them: one step too long where LB is
/// odd, and with conflicts where there are fewer pairs of steps than axes.
class TaskRound {
 public:
  /// Requires no two layers on one axis.
  explicit TaskRound(std::vector<Layer> layers);

  const std::vector<Layer>& layers() const { return layers_; }
  std::uint32_t step_count() const { return step_count_; }

  /// Coordinates of the node, one per axis of the grid. O(layers).
  std::uint32_t step_of(std::size_t layer, std::uint32_t turn,
                        std::span<const std::uint32_t> coordinates) const;

  /// The steps in which any node sends in a dimension of the layer; in a layer of two dimensions they are the same for both.
  /// Ascending. O(steps * layers * log residues).
  std::vector<std::uint32_t> steps_of(std::size_t layer) const;

 private:
  std::vector<Layer> layers_;
  std::vector<std::uint32_t> first_turns_;  ///< of a layer, counted through those before it
  std::uint32_t step_count_ = 0;
};

}  // namespace cubefold
