#pragma once

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Complete exchange of 2^d ranks in which every block travels once: in step s = 0 .. 2^d - 2 every rank swaps one block
/// with the rank whose label differs by xor s + 1. 2^d - 1 steps, as many start-ups, and as many blocks sent per rank:
/// with one port none sends less. Free of link conflicts on hypercubes, and on tori of extent 4 with balanced ties, under
/// `standard` and `xor` in any order; elsewhere the messages of a step can share links.
/// Throws std::invalid_argument unless 0 <= dimension_count <= 31. O(4^d).
CUBEFOLD_API Schedule direct_exchange(int dimension_count);

/// part_of(direct_exchange(dimension_count), rank) in O(2^d). Throws std::invalid_argument for a rank that is not below
/// 2^d, and as above.
CUBEFOLD_API Schedule direct_exchange_part(int dimension_count, Rank rank);

}  // namespace cubefold
