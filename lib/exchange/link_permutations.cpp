#include "link_permutations.hpp"

#include <bit>
#include <functional>

namespace cubefold {

namespace {

Permutation permutation_of(std::uint32_t n, const std::function<std::uint32_t(std::uint32_t)>& target) {
  Permutation permutation;
  for (std::uint32_t x = 0; x < n; ++x) permutation.push_back(target(x));
  return permutation;
}

/// Returns a round of a tournament of n players, n even, by the circle method: the last player keeps its place and the
/// others rotate.
Permutation matching(std::uint32_t n, std::uint32_t round) {
  const std::uint32_t circle = n - 1;
  return permutation_of(n, [&](std::uint32_t x) {
    if (x == circle) return round;
    const std::uint32_t other = (2 * round + circle - x) % circle;
    return other == x ? circle : other;
  });
}

Permutation crossing_permutation(const Permutation& matching,
                                 const std::function<bool(std::uint32_t)>& is_head) {
  const auto half = static_cast<std::uint32_t>(matching.size());
  return permutation_of(2 * half, [&](std::uint32_t node) {
    const bool upper = node >= half;
    const std::uint32_t x = node % half;
    return matching[x] + (upper != is_head(x) ? half : 0);
  });
}

/// Returns whether the places that steps of `distance` visit alternate between two classes all round a ring of `half`
/// places. The lowest set bit of the distance tells the classes apart, since every step flips that bit of the place.
bool alternates(std::uint32_t distance, std::uint32_t half) {
  return std::countr_zero(distance) < std::countr_zero(half);
}

/// Returns whether the lowest set bit of the distance is also set in x.
bool has_lowest_bit_of(std::uint32_t distance, std::uint32_t x) {
  return (x >> std::countr_zero(distance) & 1) != 0;
}

/// Returns the permutation of a ring that moves each node by its distance: up if up(x) holds and down otherwise.
Permutation permutation_round(std::uint32_t n, const std::function<bool(std::uint32_t)>& up,
                              const std::function<std::uint32_t(std::uint32_t)>& distance) {
  return permutation_of(n,
                        [&](std::uint32_t x) { return (x + (up(x) ? distance(x) : n - distance(x))) % n; });
}

/// Returns the permutation in which half of the nodes of each parity stay and half move to the opposite node.
Permutation opposite_permutation(std::uint32_t n, std::uint32_t stays) {
  return permutation_round(
      n, [](std::uint32_t x) { return x % 2 == 0; },
      [&](std::uint32_t x) { return x / 2 % 2 == stays ? 0 : n / 2; });
}

/// Returns the permutation in which the distances d and n/2 - d alternate, so that two of each go once round the ring.
/// If they cannot alternate, all nodes move by d.
Permutation even_permutation(std::uint32_t n, std::uint32_t d, bool evens_go_up) {
  const std::uint32_t half = n / 2;
  const auto up = [&](std::uint32_t x) { return (x % 2 == 0) == evens_go_up; };
  return permutation_round(n, up, [&](std::uint32_t x) {
    // Nodes of one parity are an even number of steps apart, and so the parity itself is no part of the pattern.
    return alternates(d, half) && has_lowest_bit_of(d, x - x % 2) ? half - d : d;
  });
}

/// Returns the permutation whose distances depend on remainders mod 4. Nodes with remainder r move up by d, and the
/// nodes that they reach move up by n/2 - d. Nodes with remainder r + 2 move down by n/2 - d, and the nodes that they
/// reach move down by d.
Permutation odd_permutation(std::uint32_t n, std::uint32_t d, std::uint32_t r) {
  const std::uint32_t half = n / 2;
  return permutation_round(
      n, [&](std::uint32_t x) { return x % 4 == r || x % 4 == (r + d) % 4; },
      [&](std::uint32_t x) { return x % 4 == r || x % 4 == (r + d + 2) % 4 ? d : half - d; });
}

}  // namespace

Permutation line_permutation(std::uint32_t n, std::uint32_t k) {
  const std::uint32_t half = n / 2;
  if (k < 2) {
    const Permutation identity = permutation_of(half, [](std::uint32_t x) { return x; });
    return crossing_permutation(identity, [&](std::uint32_t x) { return (x >= half / 2) == (k == 0); });
  }
  const Permutation pairs = matching(half, (k - 2) / 2);
  return crossing_permutation(pairs, [&](std::uint32_t x) { return (pairs[x] < x) == (k % 2 == 0); });
}

// The order is: two permutations of opposite nodes; then the even distances below n/2 except 0, with even nodes up and
// then with odd nodes up; then the odd distances, with r = 0 and then with r = 2.
Permutation ring_permutation(std::uint32_t n, std::uint32_t k) {
  if (k < 2) return opposite_permutation(n, k);
  const std::uint32_t even_count = n / 4 - 1;
  const std::uint32_t odd_count = n / 4;
  const std::uint32_t even = k - 2;
  if (even < 2 * even_count) return even_permutation(n, 2 + 2 * (even % even_count), even < even_count);
  const std::uint32_t odd = even - 2 * even_count;
  return odd_permutation(n, 1 + 2 * (odd % odd_count), odd < odd_count ? 0 : 2);
}

Permutation xor_permutation(std::uint32_t n, std::uint32_t k) {
  return permutation_of(n, [&](std::uint32_t x) { return x ^ k; });
}

Permutation shift_permutation(std::uint32_t n, std::uint32_t k) {
  return permutation_of(n, [&](std::uint32_t x) { return (x + k) % n; });
}

Permutation counter_shift_permutation(std::uint32_t n, std::uint32_t k) {
  return permutation_of(n, [&](std::uint32_t x) { return (x + (x % 2 == 0 ? k : n - k)) % n; });
}

}  // namespace cubefold
