#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Names the rule that turns the rank bits of an axis into a coordinate on that axis. With d_j bits on axis j:
///
/// | embedding | coordinate                                      | neighbours in one cube dimension         |
/// |-----------|-------------------------------------------------|------------------------------------------|
/// | identity  | node = rank, on any grid                        | as standard where extents are 2^k        |
/// | standard  | the bits themselves                             | 2^position apart, optimal on meshes      |
/// | xor       | bit d_j-2 replaced by bit d_j-1 xor bit d_j-2   | as standard; 2^(d_j-2) for the top bit   |
/// |           |                                                 | of a wrapped axis: optimal on rings      |
/// | by_weight | place in the list by popcount ascending, labels | at varying distances, the longest small  |
/// |           | descending                                      |                                          |
/// | gray      | index of the bits in the reflected Gray code    | at varying distances                     |
///
/// Sources: [Xor] sections 2.3 and 3; by_weight after Harper, gray after Ma and Tao.
enum class Embedding : std::uint8_t { identity, standard, xor_, by_weight, gray };

/// Returns the names of all embeddings in placement rules, in the order of Embedding.
CUBEFOLD_API std::vector<std::string_view> embedding_names();

/// Says which rank bits each of c axes gets: the next d_j bits (blocked), or every c-th bit, where full axes are
/// skipped (cyclic).
enum class BitAssignment : std::uint8_t { blocked, cyclic };

/// Describes how ranks are placed on any grid that the rule fits. The text form is
///
///     EMBEDDING[/EMBEDDING...][,bits=cyclic | ,bits=0-1-0-1][,order=0-3-1-2]    or    nodes=3-1-0-2
struct PlacementRule {
  /// Holds one embedding per axis, axis 0 first, or a single one for all axes.
  std::vector<Embedding> embeddings{Embedding::identity};
  BitAssignment bits = BitAssignment::blocked;

  /// Reorders the rank bits before the embedding: new bit k = old bit order[k]. An empty order leaves the bits in
  /// place.
  std::vector<int> order{};

  /// Gives the axis of each bit, after `order`. An axis fills up from its lowest bit. A list that is not empty replaces
  /// `bits`.
  std::vector<int> axis_of_bit{};

  /// Gives the node of each rank, a bijection on any grid. A table that is not empty replaces all other members.
  std::vector<GridNode> nodes{};

  bool operator==(const PlacementRule&) const = default;
};

/// Returns the embedding on an axis. Requires that the rule has one embedding, or one for that axis.
inline Embedding embedding_on(const PlacementRule& rule, int axis) {
  return rule.embeddings.size() == 1 ? rule.embeddings[0] : rule.embeddings[static_cast<std::size_t>(axis)];
}

/// Describes where a rank bit goes: position 0 is the lowest bit of the coordinate on the axis.
struct BitPlace {
  int axis;
  int position;

  bool operator==(const BitPlace&) const = default;
};

/// Returns the place of every rank bit, lowest bit first, with `order` applied and before the embedding changes
/// coordinates. Throws std::invalid_argument for extents that are no powers of two, for an order that is no permutation
/// of the rank bits, for a list of axes that does not have one entry per rank bit, and for an axis that gets another
/// number of bits than it has. Costs O(bits * axes). Source: [Calmant] 2.3 for the cyclic assignment.
CUBEFOLD_API std::vector<BitPlace> bit_places(const Grid& grid, const PlacementRule& rule);

/// Reads the text form of a placement rule. Throws std::invalid_argument that quotes the text and names the rule it
/// breaks.
CUBEFOLD_API PlacementRule parse_placement(std::string_view text);

/// Returns the text form that parse_placement() reads back as the same rule.
CUBEFOLD_API std::string to_string(const PlacementRule& rule);

}  // namespace cubefold
