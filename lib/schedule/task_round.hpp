#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "layer.hpp"

namespace cubefold {

/// A closed form for at most one layer an axis on one port, singles and pairs or else no pairs: as many steps as the
/// busiest link or a node's messages ask for, whichever is more. <i, x> for every x <= 2c under the cyclic dealing.
///
/// [Calmant] 4.2 gives every axis its own two steps, in an order that turns by one from node to neighbouring node. Printed,
/// that is one step too long where an odd number of messages is what counts, and two steps where three axes meet in two pairs
/// of steps. Here two singles share a pair of steps, and an odd number of messages has one single by itself in a step of
/// its own, which its residue names; the others have the pairs of steps that are left. Without pairs every turn, of rings
/// as well, has one step, in the same rotating order.
class TaskRound {
 public:
  /// Requires no two layers on one axis, and none round a ring if there is a pair.
  explicit TaskRound(std::vector<Layer> layers);

  const std::vector<Layer>& layers() const { return layers_; }
  std::uint32_t step_count() const { return step_count_; }

  /// Coordinates of the node, one per axis of the grid. O(layers).
  std::uint32_t step_of(std::size_t layer, std::uint32_t turn,
                        std::span<const std::uint32_t> coordinates) const;

 private:
  bool is_apart(std::size_t layer) const { return layer == apart_; }
  std::uint32_t rotation(std::span<const std::uint32_t> coordinates) const;
  std::uint32_t half_of(std::size_t layer, std::uint32_t turn,
                        std::span<const std::uint32_t> coordinates) const;

  std::vector<Layer> layers_;  ///< pairs first
  std::size_t pair_count_;
  std::vector<std::uint32_t> first_turns_;  ///< of a layer, counted over those before it
  std::size_t apart_;                       ///< the single with a step of its own; number of layers for none
  std::uint32_t step_count_;
};

}  // namespace cubefold
