#include "programs.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "layouts.hpp"

namespace cubefold::fft {

namespace {

void multiply_in(std::vector<std::size_t>& divisors, std::size_t prime, int times) {
  const std::size_t without = divisors.size();
  std::size_t power = 1;
  for (int time = 0; time < times; ++time) {
    power *= prime;
    for (std::size_t i = 0; i < without; ++i) divisors.push_back(divisors[i] * power);
  }
}

std::vector<std::size_t> divisors_of(std::size_t number) {
  std::vector<std::size_t> divisors{1};
  for (std::size_t prime = 2; prime <= number / prime; prime += prime == 2 ? 1 : 2) {
    int times = 0;
    for (; number % prime == 0; number /= prime) ++times;
    multiply_in(divisors, prime, times);
  }
  if (number > 1) multiply_in(divisors, number, 1);
  return divisors;
}

std::size_t largest_share(std::size_t extent, std::size_t process_count, bool in_pairs) {
  if (!in_pairs) return divided_up(extent, process_count);
  return std::min(extent, 2 * divided_up(divided_up(extent, 2), process_count));
}

/// Returns the points of the busiest process while the first factor is spread, and while the second is.
std::pair<std::size_t, std::size_t> shares_of(const Factors& factors, std::size_t process_count,
                                              const FactorRules& rules) {
  return {largest_share(factors.first, process_count, rules.first_in_pairs) * factors.second,
          largest_share(factors.second, process_count, false) * factors.first};
}

std::size_t cost_of(const Factors& factors, std::size_t process_count, const FactorRules& rules) {
  const auto [of_first, of_second] = shares_of(factors, process_count, rules);
  return of_first + of_second;
}

bool keep_rules(const Factors& factors, std::size_t process_count, const FactorRules& rules) {
  return (!rules.first_divides || factors.first % process_count == 0) &&
         (!rules.second_divides || factors.second % process_count == 0);
}

bool nearer(const Factors& a, const Factors& b) {
  const std::size_t larger_of_a = std::max(a.first, a.second);
  const std::size_t larger_of_b = std::max(b.first, b.second);
  return larger_of_a != larger_of_b ? larger_of_a < larger_of_b : a.first < b.first;
}

}  // namespace

std::size_t busiest_count(const Factors& factors, std::size_t process_count, const FactorRules& rules) {
  const auto [of_first, of_second] = shares_of(factors, process_count, rules);
  return std::max(of_first, of_second);
}

std::optional<Factors> line_factors(std::size_t point_count, std::size_t process_count,
                                    const FactorRules& rules) {
  std::vector<Factors> candidates;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::size_t divisor : divisors_of(point_count)) {
    const Factors factors{divisor, point_count / divisor};
    if (!keep_rules(factors, process_count, rules)) continue;
    candidates.push_back(factors);
    least = std::min(least, cost_of(factors, process_count, rules));
  }
  // No padding is allowed if it can be avoided. Otherwise 1/64 more is a small price for factors whose transforms fit
  // into a cache.
  const std::size_t most = least * process_count == 2 * point_count ? least : least + least / 64;
  std::optional<Factors> best;
  for (const Factors& factors : candidates) {
    if (cost_of(factors, process_count, rules) > most) continue;
    if (!best || nearer(factors, *best)) best = factors;
  }
  return best;
}

namespace {

/// Returns the smallest number from `least` on without prime factors above 5.
std::size_t smooth_from(std::size_t least) {
  std::size_t best = 1;
  while (best < least) best *= 2;
  for (std::size_t fives = 1; fives < best; fives *= 5) {
    for (std::size_t odd = fives; odd < best; odd *= 3) {
      std::size_t number = odd;
      while (number < least) number *= 2;
      best = std::min(best, number);
    }
  }
  return best;
}

}  // namespace

Factors convolution_factors(std::size_t least_count, std::size_t process_count) {
  const std::size_t smooth = smooth_from(divided_up(least_count, process_count * process_count));
  Factors best{1, smooth};
  for (const std::size_t divisor : divisors_of(smooth)) {
    if (nearer({divisor, smooth / divisor}, best)) best = {divisor, smooth / divisor};
  }
  return {best.first * process_count, best.second * process_count};
}

namespace {

IndexDimension spread(IndexDimension dimension, Spread how) {
  dimension.spread = how;
  return dimension;
}

/// These return the dimensions of the line, from j = j1 N2 + j2 and k = k1 + N1 k2. The transforms over j1 put k1 into
/// its place in memory.
IndexDimension j1_of(const SplitLine& line) {
  return {line.factors.first, line.factors.second};
}
IndexDimension j2_of(const SplitLine& line) {
  return {line.factors.second, 1};
}
IndexDimension k1_of(const SplitLine& line) {
  return {line.factors.first, 1};
}
IndexDimension k2_of(const SplitLine& line) {
  return {line.factors.second, line.factors.first};
}

TransformStage first_transforms(const SplitLine& line) {
  const IndexDimension j1 = j1_of(line);
  const IndexDimension j2 = spread(j2_of(line), line.column_spread);
  const bool swaps = line.columns_first;
  return {.before = line_layout(swaps ? j2 : j1, swaps ? j1 : j2, line.process_count),
          .after = line_layout(j1, j2, line.process_count),
          .dimension = swaps ? 1U : 0U,
          .sources = swaps ? std::vector<std::size_t>{1, 0} : std::vector<std::size_t>{0, 1},
          .transform = line.transform,
          .twiddle = Twiddle{.dimension = 1, .order = line.factors.first * line.factors.second},
          .factor = line.factor};
}

TransformStage second_transforms(const SplitLine& line) {
  const IndexDimension k1 = spread(k1_of(line), line.row_spread);
  const IndexDimension k2 = k2_of(line);
  const bool swaps = !line.rows_first;
  return {.before = line_layout(spread(j1_of(line), line.row_spread), j2_of(line), line.process_count),
          .after = line_layout(swaps ? k2 : k1, swaps ? k1 : k2, line.process_count),
          .dimension = 1,
          .sources = swaps ? std::vector<std::size_t>{1, 0} : std::vector<std::size_t>{0, 1},
          .transform = line.transform,
          .twiddle = std::nullopt};
}

}  // namespace

Layout line_layout(const IndexDimension& slow, const IndexDimension& fast, std::size_t process_count) {
  return {{slow, fast}, {process_count}};
}

std::vector<Stage> line_stages(const SplitLine& line) {
  const TransformStage first = first_transforms(line);
  const TransformStage second = second_transforms(line);
  std::vector<Stage> stages;
  if (line.comes_in_rows) {
    const Layout rows = line_layout(spread(j1_of(line), Spread::block), j2_of(line), line.process_count);
    stages.emplace_back(ExchangeStage{.before = rows, .after = first.before});
  }
  stages.emplace_back(first);
  stages.emplace_back(ExchangeStage{.before = first.after, .after = second.before});
  stages.emplace_back(second);
  if (line.last) {
    const Layout last = line_layout(spread(k2_of(line), *line.last), k1_of(line), line.process_count);
    stages.emplace_back(ExchangeStage{.before = second.after, .after = last});
  }
  return stages;
}

Program program_of(std::vector<Stage> stages) {
  Layout input = layout_before(stages.front());
  Layout output = layout_after(stages.back());
  return {.input = std::move(input), .stages = std::move(stages), .output = std::move(output)};
}

}  // namespace cubefold::fft
