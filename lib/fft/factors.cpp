#include "factors.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "digit_values.hpp"

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

std::size_t largest_share(std::size_t extent, std::size_t process_count, bool mirrored) {
  if (!mirrored) return divided_up(extent, process_count);
  return std::min(extent, 2 * divided_up(divided_up(extent, 2), process_count));
}

struct Shares {
  std::size_t of_first;   ///< points of the busiest process where the first factor is spread
  std::size_t of_second;  ///< ... where the second is
};

Shares shares_of(const Factors& factors, std::size_t process_count, const FactorRules& rules) {
  return {largest_share(factors.first, process_count, rules.first_mirrored) * factors.second,
          largest_share(factors.second, process_count, false) * factors.first};
}

std::size_t cost_of(const Factors& factors, std::size_t process_count, const FactorRules& rules) {
  const Shares shares = shares_of(factors, process_count, rules);
  return shares.of_first + shares.of_second;
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
  const Shares shares = shares_of(factors, process_count, rules);
  return std::max(shares.of_first, shares.of_second);
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
  // Without padding if that can be; else a sixty-fourth more is a small price for transforms that fit into a cache.
  const std::size_t most = least * process_count == 2 * point_count ? least : least + least / 64;
  std::optional<Factors> best;
  for (const Factors& factors : candidates) {
    if (cost_of(factors, process_count, rules) > most) continue;
    if (!best || nearer(factors, *best)) best = factors;
  }
  return best;
}

namespace {

/// The least number from `least` on without prime factors above 5.
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

}  // namespace cubefold::fft
