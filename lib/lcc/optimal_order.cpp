#include "cubefold/lcc/optimal_order.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "cubefold/gf2/column_echelon.hpp"

namespace cubefold {

namespace {

std::uint64_t smallest_worst(const Lcc& lcc) {
  const int n = lcc.bit_count();
  if (lcc.still_bits() == low_bits(n)) return 0;
  return std::uint64_t{1} << std::max(0, n - 1 - lcc.a().rank());
}

int highest(std::uint64_t bits) {
  return 63 - std::countl_zero(bits);
}

/// From the last place down, for y = A x + b. With the set S left, bit j in the last place has
/// T = 2^(|S| - 1 - rank A[S, S - j]). A column j that is a sum of others makes that 2^(nullity - 1) and leaves a block
/// whose nullity is no larger; if there is none, the block is nonsingular, any bit has T = 1, and nullity 1 at most is left.
/// So the exponent never exceeds max(0, n-1 - rank A). Still bits cost nothing in the last places, where they leave the
/// nullity as it is.
std::vector<int> from_the_last_down(const Lcc& lcc) {
  auto rest = low_bits(lcc.bit_count());
  auto still = lcc.still_bits();
  ColumnEchelon block(lcc.a(), rest);
  std::vector<int> order(static_cast<std::size_t>(lcc.bit_count()));
  for (auto place = order.rbegin(); place != order.rend(); ++place) {
    const auto dependent = block.dependent_columns();
    *place = highest(still != 0 ? still : dependent != 0 ? dependent : rest);
    const auto unit = std::uint64_t{1} << *place;
    block.remove(*place);
    rest &= ~unit;
    still &= ~unit;
  }
  return order;
}

}  // namespace

std::vector<int> optimal_order(const Lcc& lcc) {
  std::vector<int> order(static_cast<std::size_t>(lcc.bit_count()));
  std::iota(order.begin(), order.end(), 0);
  const auto in_place = contention(lcc);
  if (std::ranges::all_of(in_place, [worst = smallest_worst(lcc)](auto t) { return t <= worst; }))
    return order;
  order = from_the_last_down(lcc);
  if (lcc.gives() == Gives::source) std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace cubefold
