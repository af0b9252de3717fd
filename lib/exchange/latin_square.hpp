#pragma once

#include <cstdint>
#include <vector>

namespace cubefold {

/// n permutations of [0, n): row k says where each value goes, and every value goes to every value in one of them.
using LatinSquare = std::vector<std::vector<std::uint32_t>>;

/// For an open line of n = 4 k nodes: every permutation has n / 4 messages over the busiest link.
///
/// Halves h = 0, 1; a perfect matching f of the places of a half, and of every matched pair one place the tail, the other
/// the head. Tails stay in their half, heads change it:
///
///     x + h n/2  ->  f(x) + (h xor [x is a head]) n/2
///
/// Both choices of tails, for every matching of a 1-factorisation, and the identity for f with half of the places as tails.
/// A cycle has the four nodes x, f(x), x + n/2, f(x) + n/2 and crosses the middle once each way.
LatinSquare line_square(std::uint32_t n);

/// For a ring of n = 8 k nodes whose ties are balanced: n / 8 messages over every link, each way, in every permutation if n
/// is a power of two and on average over them if not. A cycle is x, x + d, x + n/2, x + n/2 + d, once round.
LatinSquare ring_square(std::uint32_t n);

/// Row k is x xor k. Requires a power of two.
LatinSquare xor_square(std::uint32_t n);

/// Row k is x + k mod n: the messages of row k load a line by min(k, n - k).
LatinSquare shift_square(std::uint32_t n);

/// For rings of even n: even places go one way and odd ones the other, by the same distance.
LatinSquare counter_shift_square(std::uint32_t n);

}  // namespace cubefold
