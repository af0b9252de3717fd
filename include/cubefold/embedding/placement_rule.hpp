#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// The rule that turns a rank's share of bits into a coordinate on its axis. With d_j bits on axis j:
///
/// | embedding | coordinate                                      | neighbours in one cube dimension         |
/// |-----------|-------------------------------------------------|------------------------------------------|
/// | identity  | node = rank, on any grid                        | as standard where extents are 2^k        |
/// | standard  | the bits themselves                             | 2^position apart, optimal on meshes      |
/// | xor       | bit d_j-2 replaced by bit d_j-1 xor bit d_j-2   | the same, 2^(d_j-2) for the top bit of a |
/// |           |                                                 | wrapped axis: optimal on rings           |
/// | by_weight | place in the list by popcount ascending, labels | at varying distances, the longest small  |
/// |           | descending                                      |                                          |
/// | gray      | index of the bits in the reflected Gray code    | at varying distances                     |
///
/// Sources: [Xor] sections 2.3 and 3; by_weight after Harper, gray after Ma and Tao.
enum class Embedding : std::uint8_t { identity, standard, xor_, by_weight, gray };

/// Which rank bits an axis gets: the next d_j (blocked), or every c-th with full axes skipped (cyclic).
enum class BitDealing : std::uint8_t { blocked, cyclic };

/// How ranks are placed, for any grid that it fits. The text form is
/// `EMBEDDING[,bits=cyclic][,order=0-3-1-2]`.
struct PlacementRule {
  Embedding embedding = Embedding::identity;
  BitDealing bits = BitDealing::blocked;

  /// Applied before the embedding: new bit k = old bit order[k]. Empty: bits stay.
  std::vector<int> order;

  bool operator==(const PlacementRule&) const = default;
};

/// Reads the text form. Throws std::invalid_argument that quotes the text and names the rule it breaks.
CUBEFOLD_API PlacementRule parse_placement(std::string_view text);

/// The text form that parse_placement() reads back as the same rule.
CUBEFOLD_API std::string to_string(const PlacementRule& rule);

}  // namespace cubefold
