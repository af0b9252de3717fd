#include "program/network_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace cubefold::program {

namespace {

constexpr double bits_per_byte = 8;

/// Names a unit at the end of a number and how much it is.
using Unit = std::pair<std::string_view, double>;
constexpr std::array<Unit, 4> rate_units{{{"gbit", 1e9}, {"mbit", 1e6}, {"kbit", 1e3}, {"bit", 1}}};
constexpr std::array<Unit, 4> time_units{{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};

/// Returns the amount that a text names by a number and a unit, or nothing.
std::optional<double> amount_of(std::string_view text, const Unit& unit) {
  if (!text.ends_with(unit.first)) return std::nullopt;
  text.remove_suffix(unit.first.size());
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number * unit.second))
    return std::nullopt;
  return number * unit.second;
}

template <typename Units>
std::optional<double> quantity(std::string_view text, const Units& units) {
  for (const Unit& unit : units)
    if (const auto amount = amount_of(text, unit)) return amount;
  return std::nullopt;
}

double time_from_0(const std::string& text, std::optional<double> seconds) {
  if (seconds && *seconds >= 0) return *seconds;
  throw std::invalid_argument(fmt::format("'{}' is not a time from 0 up such as 1.5us or 800ns", text));
}

/// Returns an amount in the largest unit of which it has at least one, or in the first unit.
template <typename Units>
std::string shown_in(double amount, const Units& units) {
  for (const auto& [name, size] : units)
    if (amount >= size * (1 - 1e-12)) return fmt::format("{:.4g} {}", amount / size, name);
  return fmt::format("{:.4g} {}", amount / units.back().second, units.back().first);
}

std::string shown_rate(double tau) {
  constexpr std::array<Unit, 4> units{{{"Gbit/s", 1e9}, {"Mbit/s", 1e6}, {"kbit/s", 1e3}, {"bit/s", 1}}};
  return tau > 0 ? shown_in(bits_per_byte / tau, units) : "any rate";
}

std::string shown_time(double seconds) {
  constexpr std::array<Unit, 4> units{{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
  return seconds > 0 ? shown_in(seconds, units) : "0 us";
}

/// Returns the rate of a link as a number that was rounded where it is no more exact, or null.
nlohmann::ordered_json rate_json(double tau) {
  if (tau <= 0) return nullptr;
  return std::stod(fmt::format("{:.14g}", bits_per_byte / tau));
}

}  // namespace

NetworkTimes times_of(const ExchangeModel& model) {
  return {model.tau_seconds_per_byte, model.alpha_seconds, model.gap_seconds, model.barrier_seconds};
}

ExchangeModel model_of(const NetworkTimes& times, const NetworkRules& rules, Queues queues) {
  const bool has_typical_gap = queues == Queues::lossless && !times.gap_seconds;
  const double gap = has_typical_gap ? times.alpha_seconds / 4 : times.gap();
  return {times.alpha_seconds, gap, times.tau_seconds_per_byte, times.barrier_seconds, rules, queues};
}

double parse_rate(const std::string& text) {
  const auto rate = quantity(text, rate_units);
  if (rate && *rate > 0) return bits_per_byte / *rate;
  throw std::invalid_argument(fmt::format("'{}' is not a rate above 0 such as 200gbit or 800mbit", text));
}

double parse_time(const std::string& text) {
  return time_from_0(text, quantity(text, time_units));
}

double parse_time_or_seconds(const std::string& text) {
  const auto seconds = amount_of(text, {"", 1});
  return time_from_0(text, seconds ? seconds : quantity(text, time_units));
}

std::string to_string(const NetworkTimes& times) {
  std::vector<std::string> rates;
  for (const double tau : times.tau_seconds_per_byte) rates.push_back(shown_rate(tau));
  return fmt::format("links of {} (tau {} s/B), latency {} (alpha), gap {}, barrier {}",
                     fmt::join(rates, ", "), fmt::join(times.tau_seconds_per_byte, ","),
                     shown_time(times.alpha_seconds), shown_time(times.gap()),
                     shown_time(times.barrier_seconds));
}

nlohmann::ordered_json as_json(const NetworkTimes& times) {
  auto rates = nlohmann::ordered_json::array();
  for (const double tau : times.tau_seconds_per_byte) rates.push_back(rate_json(tau));
  return {{"rate_bits_per_second", rates}, {"latency_seconds", times.alpha_seconds},
          {"gap_seconds", times.gap()},    {"barrier_seconds", times.barrier_seconds},
          {"alpha", times.alpha_seconds},  {"tau", times.tau_seconds_per_byte}};
}

}  // namespace cubefold::program
