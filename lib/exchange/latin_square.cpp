#include "latin_square.hpp"

#include <bit>
#include <functional>

namespace cubefold {

namespace {

using Row = std::vector<std::uint32_t>;

Row row_of(std::uint32_t n, const std::function<std::uint32_t(std::uint32_t)>& target) {
  Row row;
  for (std::uint32_t x = 0; x < n; ++x) row.push_back(target(x));
  return row;
}

/// Round r of a tournament of n players, n even: the last one stays, the others sit in a circle.
Row matching(std::uint32_t n, std::uint32_t round) {
  const std::uint32_t circle = n - 1;
  return row_of(n, [&](std::uint32_t x) {
    if (x == circle) return round;
    const std::uint32_t other = (2 * round + circle - x) % circle;
    return other == x ? circle : other;
  });
}

Row crossing_row(const Row& matching, const std::function<bool(std::uint32_t)>& is_head) {
  const auto half = static_cast<std::uint32_t>(matching.size());
  return row_of(2 * half, [&](std::uint32_t node) {
    const bool upper = node >= half;
    const std::uint32_t x = node % half;
    return matching[x] + (upper != is_head(x) ? half : 0);
  });
}

/// Whether places that a distance leads to in turn can be told apart as even and odd, all round a ring that is wrapped after
/// `half`. The lowest bit of the distance is then the one that every step flips.
bool alternates(std::uint32_t distance, std::uint32_t half) {
  return std::countr_zero(distance) < std::countr_zero(half);
}

bool has_lowest_bit_of(std::uint32_t distance, std::uint32_t x) {
  return (x >> std::countr_zero(distance) & 1) != 0;
}

/// How far each node of a ring goes; up from nodes for which `up` holds, down from the others.
Row ring_row(std::uint32_t n, const std::function<bool(std::uint32_t)>& up,
             const std::function<std::uint32_t(std::uint32_t)>& distance) {
  return row_of(n, [&](std::uint32_t x) { return (x + (up(x) ? distance(x) : n - distance(x))) % n; });
}

/// Distances d and n/2 - d in turn, so that two of each go once round; where they cannot take turns, d alone.
void add_even_rows(LatinSquare& square, std::uint32_t n, bool evens_go_up) {
  const std::uint32_t half = n / 2;
  const auto up = [&](std::uint32_t x) { return (x % 2 == 0) == evens_go_up; };
  for (std::uint32_t d = 2; d < half; d += 2) {
    square.push_back(ring_row(n, up, [&](std::uint32_t x) {
      // Nodes of one parity have steps of even length among them: the parity itself is no part of the pattern.
      return alternates(d, half) && has_lowest_bit_of(d, x - x % 2) ? half - d : d;
    }));
  }
}

/// Of each parity half of the nodes stay and half go to the other side.
void add_opposite_rows(LatinSquare& square, std::uint32_t n) {
  for (const std::uint32_t stays : {0U, 1U}) {
    square.push_back(ring_row(
        n, [](std::uint32_t x) { return x % 2 == 0; },
        [&](std::uint32_t x) { return x / 2 % 2 == stays ? 0 : n / 2; }));
  }
}

/// Remainders by 4: r begins with d upwards, the odd one it meets goes on; r + 2 begins with n/2 - d downwards.
void add_odd_rows(LatinSquare& square, std::uint32_t n, std::uint32_t r) {
  const std::uint32_t half = n / 2;
  for (std::uint32_t d = 1; d < half; d += 2) {
    square.push_back(ring_row(
        n, [&](std::uint32_t x) { return x % 4 == r || x % 4 == (r + d) % 4; },
        [&](std::uint32_t x) { return x % 4 == r || x % 4 == (r + d + 2) % 4 ? d : half - d; }));
  }
}

}  // namespace

LatinSquare line_square(std::uint32_t n) {
  const std::uint32_t half = n / 2;
  LatinSquare square;
  const Row identity = row_of(half, [](std::uint32_t x) { return x; });
  square.push_back(crossing_row(identity, [&](std::uint32_t x) { return x >= half / 2; }));
  square.push_back(crossing_row(identity, [&](std::uint32_t x) { return x < half / 2; }));
  for (std::uint32_t round = 0; round + 1 < half; ++round) {
    const Row pairs = matching(half, round);
    square.push_back(crossing_row(pairs, [&](std::uint32_t x) { return pairs[x] < x; }));
    square.push_back(crossing_row(pairs, [&](std::uint32_t x) { return pairs[x] > x; }));
  }
  return square;
}

LatinSquare ring_square(std::uint32_t n) {
  LatinSquare square;
  add_opposite_rows(square, n);
  add_even_rows(square, n, true);
  add_even_rows(square, n, false);
  add_odd_rows(square, n, 0);
  add_odd_rows(square, n, 2);
  return square;
}

LatinSquare xor_square(std::uint32_t n) {
  LatinSquare square;
  for (std::uint32_t k = 0; k < n; ++k) square.push_back(row_of(n, [&](std::uint32_t x) { return x ^ k; }));
  return square;
}

LatinSquare shift_square(std::uint32_t n) {
  LatinSquare square;
  for (std::uint32_t k = 0; k < n; ++k)
    square.push_back(row_of(n, [&](std::uint32_t x) { return (x + k) % n; }));
  return square;
}

LatinSquare counter_shift_square(std::uint32_t n) {
  LatinSquare square;
  for (std::uint32_t k = 0; k < n; ++k) {
    square.push_back(row_of(n, [&](std::uint32_t x) { return (x + (x % 2 == 0 ? k : n - k)) % n; }));
  }
  return square;
}

}  // namespace cubefold
