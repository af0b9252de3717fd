#include "cubefold/lcc/contention.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "gf2/column_echelon.hpp"

namespace cubefold {

namespace {

std::uint64_t smallest_worst(const Lcc& lcc) {
  const int n = lcc.bit_count();
  if (lcc.still_bits() == low_bits(n)) return 0;
  return std::uint64_t{1} << std::max(0, n - 1 - lcc.a().rank());
}

/// Returns an order for y = A x + b, chosen from the last place down. With the set S of bits left, bit j in the last
/// place has T = 2^(|S| - 1 - rank A[S, S - j]). If a column j is a sum of others, this choice has T = 2^(nullity - 1)
/// and leaves a block whose nullity is no larger. If there is no such column, the block is nonsingular, every bit has T
/// = 1, and the nullity left is at most 1. So the exponent never exceeds max(0, n-1 - rank A). [Lcc] moves still bits
/// to the last places first, which is not needed.
std::vector<int> descending(const Lcc& lcc) {
  auto rest = low_bits(lcc.bit_count());
  ColumnEchelon block(lcc.a(), rest);
  std::vector<int> order(static_cast<std::size_t>(lcc.bit_count()));
  for (auto place = order.size(); place-- > 0;) {
    const auto dependent = block.dependent_columns();
    const auto unit = std::bit_floor(dependent != 0 ? dependent : rest);
    order[place] = std::countr_zero(unit);
    block.remove(order[place]);
    rest ^= unit;
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
  order = descending(lcc);
  if (lcc.gives() == Gives::source) std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace cubefold
