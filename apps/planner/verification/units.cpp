#include "planner/verification/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace cubefold::planner {

namespace {

/// The number digits * 10^exponent.
struct Decimal {
  Whole digits = 0;
  int exponent = 0;
};

/// Returns the shortest decimal that rounds to this double. Requires a number of at least 0.
Decimal decimal_of(double number) {
  const std::string text = fmt::format("{}", std::abs(number));  // -0 is at least 0, too
  const auto end = std::min(text.find('e'), text.size());
  const auto point = std::min(text.find('.'), end);
  Decimal result;
  for (std::size_t i = 0; i < end; ++i) {
    if (i != point) result.digits = 10 * result.digits + static_cast<Whole>(text[i] - '0');
  }
  if (point < end) result.exponent -= static_cast<int>(end - point - 1);
  if (end < text.size()) result.exponent += std::stoi(text.substr(end + 1));
  return result;
}

Decimal product(double weight, double messages) {
  const Decimal a = decimal_of(weight);
  const Decimal b = decimal_of(messages);
  return {a.digits * b.digits, a.exponent + b.exponent};
}

}  // namespace

Units::Units(std::span<const CheckedPhase> phases, double most_hops, bool has_rates) {
  const int most_digits = has_rates ? 33 : 37;
  int least_exponent = std::numeric_limits<int>::max();
  double least = std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const CheckedPhase& phase : phases) {
    double last = 0;
    for (const SentMessages& sent : phase.messages) {
      const double amount = phase.weight * sent.messages;
      sum += amount * most_hops;
      if (sent.messages == last || amount == 0) continue;
      last = sent.messages;
      least = std::min(least, amount);
      least_exponent = std::min(least_exponent, product(phase.weight, sent.messages).exponent);
    }
  }
  if (sum == 0) return;
  if (has_rates) least_exponent -= 3;
  exponent_ = std::max(least_exponent, static_cast<int>(std::ceil(std::log10(sum))) - most_digits);
  if (exponent_ == least_exponent || least >= number(1000)) return;
  throw std::invalid_argument(fmt::format(
      "weight times messages are {:.3g} and {:.3g} over all hops: too far apart for exact sums", least, sum));
}

Whole Units::of(double weight, double messages) const {
  Decimal amount = product(weight, messages);
  for (; amount.exponent > exponent_ && amount.digits > 0; --amount.exponent) amount.digits *= 10;
  Whole one = 1;
  for (; amount.exponent < exponent_; ++amount.exponent) one *= 10;
  return (amount.digits + one / 2) / one;
}

double Units::number(Whole units) const {
  return std::stod(fmt::format("{}e{}", units, exponent_));
}

Whole ceil_quotient(Whole amount, Whole parts) {
  return amount / parts + (amount % parts == 0 ? 0 : 1);
}

}  // namespace cubefold::planner
