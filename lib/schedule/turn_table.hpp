#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "layer.hpp"

namespace cubefold {

/// Steps of layers as a table over residues: a node's turn of a layer depends only on the sum of its coordinates, each
/// modulo the largest residue count of its axis. Moving along an axis the sum takes every residue of that axis's layers
/// once, so that a table of as many entries as the busiest link has messages serves every node of every grid of that
/// shape, however large.
class TurnTable {
 public:
  /// Layers of an axis after each other, axes at the same time if each link has a port of its own and else after each
  /// other. The best there is for all ports, and for a single axis.
  static TurnTable sequential(std::vector<Layer> layers, Ports ports);

  /// One-port table of that many steps, by branch and bound: the turn with the fewest steps left to it comes next. Nothing
  /// if there is none, or if none is found by that many branches. O(turns^2) each.
  /// `wide` has the highest layers of all axes repeat after as many residues as the longest one of them: more freedom,
  /// and more turns.
  static std::optional<TurnTable> search(std::vector<Layer> layers, std::uint32_t step_count, bool wide,
                                         std::size_t branches);

  const std::vector<Layer>& layers() const { return layers_; }
  std::uint32_t step_count() const { return step_count_; }

  /// Coordinates of the node, one per axis of the grid. O(layers).
  std::uint32_t step_of(std::size_t layer, std::uint32_t turn,
                        std::span<const std::uint32_t> coordinates) const;

 private:
  TurnTable(std::vector<Layer> layers, bool wide);

  std::size_t index_of(std::size_t layer, std::uint32_t residue, std::uint32_t turn) const {
    return begins_[layer] + std::size_t{residue} * layers_[layer].turn_count() + turn;
  }
  std::uint32_t fill(std::size_t layer, std::uint32_t begin, Ports ports);

  std::vector<Layer> layers_;
  std::vector<std::uint32_t> moduli_;  ///< of a layer: residues of the sum that its table tells apart
  std::vector<std::size_t> begins_;    ///< of a layer in steps_
  std::vector<std::uint32_t> steps_;
  std::uint32_t step_count_ = 0;
};

}  // namespace cubefold
