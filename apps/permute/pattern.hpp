#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "cubefold/embedding/rank.hpp"

/// The permutation of p ranks that a pattern names: entry r is the rank to which rank r sends.
///
/// | pattern      | destination of rank r                                               | needs          |
/// |--------------|---------------------------------------------------------------------|----------------|
/// | bit-reversal | bit i of r becomes bit d-1-i                                        | p = 2^d        |
/// | reverse-flip | the same with all bits complemented                                 | p = 2^d        |
/// | transpose:AxB| element (i, j) of A rows, r = i B + j, goes to (j, i) of B rows     | p = A B        |
/// | neighbour:K  | r xor 2^K                                                           | p = 2^d, K < d |
/// | shift:K      | r + K modulo p                                                      | K < p          |
///
/// Throws std::invalid_argument that quotes the pattern and names the rule it breaks. O(p).
/// Source: [Lcc] sections 1 and 6.1 for the first three.
std::vector<cubefold::Rank> destinations(std::string_view pattern, std::size_t rank_count);
