#include "cubefold/lcc/contention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "union_loads.hpp"

namespace cubefold {

namespace {

/// Returns T_i of every dimension i for y = A x + b.
std::vector<std::uint64_t> of_gather(const Lcc& lcc) {
  const int n = lcc.bit_count();
  const auto pivots = lcc.a().leading_pivots();
  const auto still = lcc.still_bits();
  std::vector<std::uint64_t> result(pivots.size());
  for (int i = 0; i < n; ++i) {
    if (((still >> i) & 1) != 0) continue;
    const auto dependent =
        std::count_if(pivots.begin(), pivots.begin() + i, [&](int row) { return row > i; });
    result[static_cast<std::size_t>(i)] = std::uint64_t{1} << dependent;
  }
  return result;
}

std::uint64_t added(std::uint64_t sum, std::uint64_t contention) {
  if (sum + contention < sum) throw std::invalid_argument("value_of: the sum of contention exceeds 2^64 - 1");
  return sum + contention;
}

}  // namespace

std::vector<std::uint64_t> contention(const Lcc& lcc) {
  if (lcc.gives() == Gives::destination) return of_gather(lcc);
  std::vector<int> backwards(static_cast<std::size_t>(lcc.bit_count()));
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  auto result = of_gather(reordered(lcc, backwards));
  std::reverse(result.begin(), result.end());
  return result;
}

std::vector<std::uint64_t> contention_together(std::span<const Lcc> phases) {
  const int n = same_bit_count("contention_together", phases);
  const UnionLoads loads(phases);
  std::vector<std::uint64_t> result;
  result.reserve(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) result.push_back(loads.busiest(low_bits(i), i));
  return result;
}

std::uint64_t value_of(std::span<const Lcc> phases, Objective objective) {
  const auto n = static_cast<std::size_t>(same_bit_count("value_of", phases));
  if (objective == Objective::together) {
    const auto loads = contention_together(phases);
    return n == 0 ? 0 : *std::max_element(loads.begin(), loads.end());
  }
  std::vector<std::uint64_t> sums(n);
  std::uint64_t worst = 0;
  for (const Lcc& lcc : phases) {
    const auto of_phase = contention(lcc);
    for (std::size_t i = 0; i < n; ++i) {
      sums[i] = added(sums[i], of_phase[i]);
      worst = std::max(worst, of_phase[i]);
    }
  }
  switch (objective) {
    case Objective::worst:
      return worst;
    case Objective::together:
      break;
    case Objective::busiest_dimension:
      return n == 0 ? 0 : *std::max_element(sums.begin(), sums.end());
    case Objective::total:
      return std::accumulate(sums.begin(), sums.end(), std::uint64_t{0}, added);
  }
  throw std::invalid_argument("value_of: unknown objective");
}

}  // namespace cubefold
