#include "amounts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

#include "link_rates.hpp"

namespace cubefold {

namespace {

constexpr int most_digits = 37;
constexpr int most_digits_with_rates = 33;
constexpr int digits_of_quotients = 3;  ///< further digits for loads that are divided by rates

Decimal decimal_of(double value) {
  constexpr double all_whole_below = 0x1p53;
  if (value < all_whole_below && value == std::floor(value)) return {static_cast<std::uint64_t>(value), 0};
  std::array<char, 32> text{};
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  Decimal result;
  bool is_fraction = false;
  const char* c = text.data();
  for (; *c != 'e'; ++c) {
    if (*c == '.') {
      is_fraction = true;
      continue;
    }
    result.digits = result.digits * 10 + static_cast<std::uint64_t>(*c - '0');
    if (is_fraction) --result.exponent;
  }
  int exponent = 0;
  std::from_chars(c[1] == '+' ? c + 2 : c + 1, written.ptr, exponent);
  result.exponent += exponent;
  return result;
}

Whole power_of_ten(int exponent) {
  Whole power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

/// Returns digits * 10^exponent as a double, rounded once.
double nearest(Whole digits, int exponent) {
  const std::string text = fmt::format("{}e{}", digits, exponent);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void require_amount(const char* caller, const Phase& phase, double amount, const char* what) {
  if (is_amount(amount)) return;
  throw std::invalid_argument(
      fmt::format("{}: {} {} of phase '{}' is {}", caller, what, amount, phase.name, no_amount));
}

/// Returns the hops of the longest route. With a route table, returns a bound: no route meets a vertex twice.
double longest_route_hops(const Grid& grid) {
  double hops = 0;
  if (const RouteTable* table = grid.route_table())
    return std::max(static_cast<double>(table->vertex_count()) - 1, 1.0);
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto extent = grid.extent(axis);
    hops += grid.has_wrap_link(axis) ? extent / 2 : extent - 1;
  }
  return std::max(hops, 1.0);
}

}  // namespace

PhaseAmounts::PhaseAmounts(double weight, int exponent) : weight_(decimal_of(weight)), exponent_(exponent) {}

Whole PhaseAmounts::operator()(double messages) {
  if (messages == last_messages_) return last_amount_;
  const Decimal count = decimal_of(messages);
  const Whole digits = Whole{weight_.digits} * count.digits;
  const int exponent = weight_.exponent + count.exponent - exponent_;
  const Whole unit = power_of_ten(std::abs(exponent));
  last_messages_ = messages;
  last_amount_ = exponent >= 0 ? digits * unit : (digits + unit / 2) / unit;
  return last_amount_;
}

Amounts::Amounts(const char* caller, const Grid& grid, std::span<const Phase> phases) {
  for (const Phase& phase : phases) {
    require_amount(caller, phase, phase.weight, "weight");
    for (const Traffic& sent : phase.traffic) require_amount(caller, phase, sent.messages, "traffic");
  }
  choose_unit(caller, grid, phases);
}

void Amounts::choose_unit(const char* caller, const Grid& grid, std::span<const Phase> phases) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  int smallest_exponent = std::numeric_limits<int>::max();
  double sum = 0;
  double least = infinity;
  const Phase* phase_of_least = nullptr;
  for (const Phase& phase : phases) {
    const int exponent_of_weight = decimal_of(phase.weight).exponent;
    for (const Traffic& sent : phase.traffic) {
      const double amount = phase.weight * sent.messages;
      if (amount == 0) continue;
      smallest_exponent =
          std::min(smallest_exponent, exponent_of_weight + decimal_of(sent.messages).exponent);
      sum += amount;
      if (amount >= least) continue;
      least = amount;
      phase_of_least = &phase;
    }
  }
  if (phase_of_least == nullptr) return;
  sum *= longest_route_hops(grid);
  const bool has_rates = !LinkRates(grid).are_all_one();
  if (has_rates) smallest_exponent -= digits_of_quotients;
  const int digits = has_rates ? most_digits_with_rates : most_digits;
  exponent_ = std::max(smallest_exponent, static_cast<int>(std::ceil(std::log10(sum))) - digits);
  are_rounded_ = exponent_ > smallest_exponent;
  if (!are_rounded_ || least >= nearest(1000, exponent_)) return;
  throw std::invalid_argument(fmt::format(
      "{}: messages times weight are {:.3g} in phase '{}' and {:.3g} over the hops of all: too far "
      "apart for exact sums",
      caller, least, phase_of_least->name, sum));
}

PhaseAmounts Amounts::of(const Phase& phase) const {
  return {phase.weight, exponent_};
}

double Amounts::value(Whole sum) const {
  return nearest(sum, exponent_);
}

double Amounts::messages(Whole sum, const Phase& phase) const {
  const Decimal weight = decimal_of(phase.weight);
  return nearest(sum / weight.digits, exponent_ - weight.exponent);
}

double message_count(const Phase& phase) {
  const Phase alone{phase.name, 1, phase.traffic};
  const Amounts amounts("message_count", Grid({1}, Ends::open), {&alone, 1});
  PhaseAmounts amount_of = amounts.of(alone);
  Whole sum = 0;
  for (const Traffic& sent : alone.traffic) {
    if (sent.from != sent.to) sum += amount_of(sent.messages);
  }
  return amounts.value(sum);
}

}  // namespace cubefold
