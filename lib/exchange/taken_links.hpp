#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace cubefold {

/// Marks the links of an axis that are taken, with one bit for each direction and each coordinate that a link leads
/// from.
class TakenLinks {
 public:
  explicit TakenLinks(std::uint32_t extent)
      : extent_(extent), taken_{Words((extent + 63) / 64), Words((extent + 63) / 64)} {}

  /// Takes the links of a message and returns true. If one of them is taken already, takes none and returns false.
  /// Costs O(1 + hops / 64).
  bool take(std::uint32_t from, std::int64_t steps) {
    Words& words = taken_[steps < 0 ? 1 : 0];
    const std::int64_t hops = std::abs(steps);
    const std::int64_t first = steps < 0 ? (from - hops + 1 + extent_) % extent_ : from;
    const std::int64_t before_end = std::min(hops, extent_ - first);
    const auto is_free = [&](std::size_t i, std::uint64_t mask) { return (words[i] & mask) == 0; };
    if (!visit(first, before_end, is_free) || !visit(0, hops - before_end, is_free)) return false;
    const auto set = [&](std::size_t i, std::uint64_t mask) { return (words[i] |= mask) != 0; };
    visit(first, before_end, set);
    visit(0, hops - before_end, set);
    return true;
  }

 private:
  using Words = std::vector<std::uint64_t>;

  /// Calls holds(word index, mask) for `count` bits from `first` on until it returns false. Returns whether it never
  /// did.
  template <typename Holds>
  static bool visit(std::int64_t first, std::int64_t count, Holds holds) {
    while (count > 0) {
      const std::int64_t bit = first % 64;
      const std::int64_t here = std::min(count, 64 - bit);
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - here) << bit;
      if (!holds(static_cast<std::size_t>(first / 64), mask)) return false;
      first += here;
      count -= here;
    }
    return true;
  }

  std::int64_t extent_;
  std::array<Words, 2> taken_;
};

}  // namespace cubefold
