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

/// Round r of a tournament of n players, n even: the last one stays, the others sit in a circle.
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

/// Whether places that a distance leads to in turn can be told apart as even and odd, all round a ring that is wrapped
/// after `half`. The lowest bit of the distance is then the one that every step flips.
bool alternates(std::uint32_t distance, std::uint32_t half) {
  return std::countr_zero(distance) < std::countr_zero(half);
}

bool has_lowest_bit_of(std::uint32_t distance, std::uint32_t x) {
  return (x >> std::countr_zero(distance) & 1) != 0;
}

/// How far each node of a ring goes; up from nodes for which `up` holds, down from the others.
Permutation permutation_round(std::uint32_t n, const std::function<bool(std::uint32_t)>& up,
                              const std::function<std::uint32_t(std::uint32_t)>& distance) {
  return permutation_of(n,
                        [&](std::uint32_t x) { return (x + (up(x) ? distance(x) : n - distance(x))) % n; });
}

/// Of each parity half of the nodes stay and half go to the other side.
Permutation opposite_permutation(std::uint32_t n, std::uint32_t stays) {
  return permutation_round(
      n, [](std::uint32_t x) { return x % 2 == 0; },
      [&](std::uint32_t x) { return x / 2 % 2 == stays ? 0 : n / 2; });
}

/// Distances d and n/2 - d in turn, so that two of each go once round; where they cannot take turns, d alone.
Permutation even_permutation(std::uint32_t n, std::uint32_t d, bool evens_go_up) {
  const std::uint32_t half = n / 2;
  const auto up = [&](std::uint32_t x) { return (x % 2 == 0) == evens_go_up; };
  return permutation_round(n, up, [&](std::uint32_t x) {
    // Nodes of one parity have steps of even length among them: the parity itself is no part of the pattern.
    return alternates(d, half) && has_lowest_bit_of(d, x - x % 2) ? half - d : d;
  });
}

/// Remainders by 4: r begins with d upwards, the odd one it meets goes on; r + 2 begins with n/2 - d downwards.
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

// Two permutations of opposite nodes; the even distances below n/2 but 0, either parity up; the odd ones, r = 0 and r =
// 2.
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
