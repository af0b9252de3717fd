#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "layer.hpp"

namespace cubefold {

/// A turn of the nodes whose sum of coordinates has that residue modulo `modulus`.
struct Turn {
  std::size_t layer;
  std::uint32_t residue;
  std::uint32_t modulus;
  std::uint32_t turn;
};

/// Every turn of every layer, layer by layer and residue by residue.
std::vector<Turn> turns_of(const std::vector<Layer>& layers, const std::vector<std::uint32_t>& moduli);

/// Whether two turns would meet in one step on a one-port grid: at a node that has both, or on a link.
bool meet(const Turn& a, const Turn& b, const std::vector<Layer>& layers);

/// A step below step_count for each turn, none that meet in the same one. Exact where `branches` suffice, always the same
/// answer. After Brelaz's DSATUR: the turn with the fewest steps left comes next, and among these the one that
/// meets most. O(branches * (turns + meetings of a turn * steps)).
std::optional<std::vector<std::uint32_t>> colour_turns(const std::vector<Turn>& turns,
                                                       const std::vector<Layer>& layers,
                                                       std::uint32_t step_count, std::size_t branches);

}  // namespace cubefold
