#pragma once

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Complete exchange of 2^d ranks, stage by stage: in step i every rank swaps 2^(d-1) blocks with its
/// neighbour in dimension i, namely those whose source and destination differ in bit i, in descending order
/// of source xor destination (the order that makes pipelining legal). d steps, d start-ups, d 2^(d-1) blocks
/// sent per rank. One-port; a step's messages share links wherever neighbours are more than one hop apart.
/// Throws std::invalid_argument unless 0 <= dimension_count <= 31. O(d 4^d).
/// Source: [Calmant] section 5.1, without its two permutations: a block's slot is its position xor the rank.
CUBEFOLD_API Schedule cc_cube_exchange(int dimension_count);

/// part_of(cc_cube_exchange(dimension_count), rank) in O(d 2^d). Throws std::invalid_argument for a rank that is not
/// below 2^d, and as above.
CUBEFOLD_API Schedule cc_cube_exchange_part(int dimension_count, Rank rank);

}  // namespace cubefold
