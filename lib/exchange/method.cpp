#include "cubefold/exchange/method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "cubefold/exchange/axis_rotated.hpp"
#include "cubefold/exchange/cc_cube.hpp"
#include "cubefold/exchange/direct.hpp"
#include "cubefold/exchange/mixed_radix.hpp"

namespace cubefold {

namespace {

using enum ExchangeAlgorithm;

/// How many numbers a name takes: none, one, or one and more.
enum class Numbers : std::uint8_t { none, one, some };

struct Entry {
  ExchangeAlgorithm algorithm;
  std::string_view name;
  Numbers numbers = Numbers::none;
};

constexpr std::array entries{
    Entry{cc_cube, "cc-cube"},
    Entry{direct, "direct"},
    Entry{axes, "axes"},
    Entry{axis_rotated, "axis-rotated"},
    Entry{mixed_radix, "mixed-radix", Numbers::some},
    Entry{binary, "binary"},
    Entry{quadrant, "quadrant"},
    Entry{modified_quadrant, "modified-quadrant"},
    Entry{cyclic, "cyclic"},
    Entry{hybrid, "hybrid", Numbers::one},
};

const Entry& entry_of(ExchangeAlgorithm algorithm) {
  return *std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.algorithm == algorithm; });
}

std::vector<std::uint32_t> read_numbers(std::string_view text, std::string_view whole) {
  std::vector<std::uint32_t> numbers;
  while (true) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto used = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || (used < text.size() && text[used] != '-'))
      throw std::invalid_argument(fmt::format("exchange method '{}': '{}' is no list of numbers as 4-2", whole, text));
    numbers.push_back(number);
    if (used == text.size()) return numbers;
    text.remove_prefix(used + 1);
  }
}

/// The phases of those methods that have digits.
std::optional<std::vector<RadixPhase>> phases_of(const ExchangeMethod& method, const Grid& grid) {
  switch (method.algorithm) {
    case axes:
      return axis_phases(grid);
    case mixed_radix:
      return coarse_to_fine(grid, method.numbers);
    case binary:
      return binary_phases(grid);
    case quadrant:
      return quadrant_phases(grid);
    case modified_quadrant:
      return modified_quadrant_phases(grid);
    case cyclic:
      return cyclic_phases(grid);
    case hybrid:
      return hybrid_phases(grid, method.numbers.at(0));
    case cc_cube:
    case direct:
    case axis_rotated:
      break;
  }
  return std::nullopt;
}

bool all_powers_of_two(const Grid& grid) {
  return std::all_of(grid.axes().begin(), grid.axes().end(), [](const Axis& axis) { return std::has_single_bit(axis.extent); });
}

}  // namespace

std::vector<ExchangeMethod> exchange_methods(const Grid& grid) {
  std::vector<ExchangeMethod> methods{{direct, {}}, {axes, {}}, {axis_rotated, {}}};
  if (!all_powers_of_two(grid)) return methods;
  for (const auto algorithm : {cc_cube, binary, quadrant, modified_quadrant, cyclic}) methods.push_back({algorithm, {}});
  std::uint32_t longest = 1;
  for (const Axis& axis : grid.axes()) longest = std::max(longest, axis.extent);
  for (std::uint32_t radix = 4; radix < longest; radix *= 2) methods.push_back({hybrid, {radix}});
  return methods;
}

std::string to_string(const ExchangeMethod& method) {
  const auto name = entry_of(method.algorithm).name;
  return method.numbers.empty() ? std::string(name) : fmt::format("{}:{}", name, fmt::join(method.numbers, "-"));
}

std::vector<std::string_view> exchange_algorithm_names() {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

ExchangeMethod parse_exchange_method(std::string_view text) {
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  for (const Entry& entry : entries) {
    if (entry.name != name) continue;
    ExchangeMethod method{entry.algorithm, {}};
    if (colon != std::string_view::npos) method.numbers = read_numbers(text.substr(colon + 1), text);
    const std::size_t count = method.numbers.size();
    if (entry.numbers == Numbers::none ? count != 0 : entry.numbers == Numbers::one ? count != 1 : count == 0) {
      throw std::invalid_argument(fmt::format("exchange method '{}': {} takes {}", text, name,
                                              entry.numbers == Numbers::none  ? "no number"
                                              : entry.numbers == Numbers::one ? "one number, as hybrid:4"
                                                                              : "numbers, as mixed-radix:4-2"));
    }
    return method;
  }
  throw std::invalid_argument(
      fmt::format("unknown exchange method '{}'; known: {}", text, fmt::join(exchange_algorithm_names(), ", ")));
}

Schedule exchange_schedule(const ExchangeMethod& method, const Placement& placement, const NetworkRules& rules) {
  const auto [ports, tie] = rules;
  if (method.algorithm == cc_cube) return cc_cube_exchange(dimension_count(placement));
  if (method.algorithm == direct) return direct_exchange(placement, ports, tie);
  if (method.algorithm == axis_rotated) return axis_rotated_exchange(placement, ports, tie);
  return mixed_radix_exchange(placement, *phases_of(method, placement.grid()), ports, tie);
}

Schedule exchange_part(const ExchangeMethod& method, const Placement& placement, const NetworkRules& rules, Rank rank) {
  const auto [ports, tie] = rules;
  if (method.algorithm == cc_cube) return cc_cube_exchange_part(dimension_count(placement), rank);
  if (method.algorithm == direct) return direct_exchange_part(placement, ports, tie, rank);
  if (method.algorithm == axis_rotated) return axis_rotated_exchange_part(placement, ports, tie, rank);
  return mixed_radix_exchange_part(placement, *phases_of(method, placement.grid()), ports, tie, rank);
}

}  // namespace cubefold
