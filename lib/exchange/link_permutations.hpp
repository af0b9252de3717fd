#pragma once

#include <cstdint>
#include <vector>

namespace cubefold {

/// A permutation of [0, n), as the value that each value goes to. Every function below makes number k of n permutations
/// that between them take every value to every value once, in O(n), and requires k < n. The cycles of a permutation
/// make up few classes without a link in common.
using Permutation = std::vector<std::uint32_t>;

/// For an open line of n = 4 j nodes: every permutation has n / 4 messages over the busiest link.
///
/// Halves h = 0, 1; a perfect matching f of the places of a half, and of every matched pair one place the tail, the
/// other the head. Tails stay in their half, heads change it:
///
///     x + h n/2  ->  f(x) + (h xor [x is a head]) n/2
///
/// Both choices of tails, for every matching of a 1-factorisation, and the identity for f with half of the places as
/// tails. A cycle has the four nodes x, f(x), x + n/2, f(x) + n/2 and crosses the middle once each way.
Permutation line_permutation(std::uint32_t n, std::uint32_t k);

/// For a ring of n = 8 j nodes whose ties are balanced: n / 8 messages over every link, each way, in every permutation
/// if n is a power of two and on average over them if not. A cycle is x, x + d, x + n/2, x + n/2 + d, once round.
Permutation ring_permutation(std::uint32_t n, std::uint32_t k);

/// x xor k. Requires a power of two.
Permutation xor_permutation(std::uint32_t n, std::uint32_t k);

/// x + k mod n: the messages of permutation k load a line by min(k, n - k).
Permutation shift_permutation(std::uint32_t n, std::uint32_t k);

/// For rings of even n: even places go one way and odd ones the other, by the same distance.
Permutation counter_shift_permutation(std::uint32_t n, std::uint32_t k);

}  // namespace cubefold
