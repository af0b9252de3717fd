#pragma once

#include <cstdint>
#include <vector>

namespace cubefold {

/// Describes a permutation of [0, n) by the value that each value goes to. Each function below builds number k of n
/// permutations that together take every value to every value once, in O(n). Each requires k < n. The cycles of a
/// permutation form few classes that have no link in common.
using Permutation = std::vector<std::uint32_t>;

/// Builds permutation k for an open line of n = 4 j nodes. Every permutation has n / 4 messages over the busiest link.
///
/// The line has halves h = 0, 1. A perfect matching f pairs the places of a half; in every pair one place is the tail
/// and the other one is the head. Tails stay in their half and heads change it:
///
///     x + h n/2  ->  f(x) + (h xor [x is a head]) n/2
///
/// There are two such permutations for every matching of a 1-factorisation, one for each choice of tails. The other two
/// take the identity for f, with one half of the places as tails. A cycle of a matching has the four nodes x, f(x), x +
/// n/2, f(x) + n/2 and crosses the middle once each way.
Permutation line_permutation(std::uint32_t n, std::uint32_t k);

/// Builds permutation k for a ring of n = 8 j nodes with balanced ties. If n is a power of two, every permutation puts
/// n / 8 messages on every link in each direction; otherwise n / 8 is the average over the permutations. A cycle is x,
/// x + d, x + n/2, x + n/2 + d, once round the ring.
Permutation ring_permutation(std::uint32_t n, std::uint32_t k);

/// Builds the permutation x -> x xor k. Requires n to be a power of two.
Permutation xor_permutation(std::uint32_t n, std::uint32_t k);

/// Builds the permutation x -> x + k mod n. Its messages load a line by min(k, n - k).
Permutation shift_permutation(std::uint32_t n, std::uint32_t k);

/// Builds permutation k for a ring of even n: even places move up by k and odd places move down by k.
Permutation counter_shift_permutation(std::uint32_t n, std::uint32_t k);

}  // namespace cubefold
