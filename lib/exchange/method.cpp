#include "cubefold/exchange/method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <stdexcept>

#include "cubefold/names/known_names.hpp"

namespace cubefold {

namespace {

using enum ExchangeAlgorithm;

/// How many numbers a name takes: none, one, one or none, or one and more.
enum class Numbers : std::uint8_t { none, one, maybe, some };

struct Entry {
  ExchangeAlgorithm algorithm;
  std::string_view name;
  Numbers numbers = Numbers::none;
};

constexpr std::array entries{
    Entry{cc_cube, "cc-cube", Numbers::maybe},
    Entry{direct, "direct"},
    Entry{axes, "axes"},
    Entry{axis_rotated, "axis-rotated"},
    Entry{mixed_radix, "mixed-radix", Numbers::some},
    Entry{binary, "binary"},
    Entry{quadrant, "quadrant"},
    Entry{modified_quadrant, "modified-quadrant"},
    Entry{cyclic, "cyclic"},
    Entry{hybrid, "hybrid", Numbers::one},
    Entry{store_and_forward, "store-and-forward"},
    Entry{bruck, "bruck", Numbers::one},
    Entry{shifted, "shifted"},
    Entry{linear, "linear"},
};

const Entry& entry_of(ExchangeAlgorithm algorithm) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.algorithm == algorithm; });
  if (found == entries.end()) {
    throw std::invalid_argument(
        fmt::format("exchange algorithm {} has no name", static_cast<int>(algorithm)));
  }
  return *found;
}

std::string wanted(const Entry& entry) {
  switch (entry.numbers) {
    case Numbers::none:
      break;
    case Numbers::one:
      return fmt::format("one number, as {}:4", entry.name);
    case Numbers::maybe:
      return fmt::format("no number, or one of packets, as {}:8", entry.name);
    case Numbers::some:
      return fmt::format("numbers, as {}:4-2", entry.name);
  }
  return "no number";
}

std::vector<std::uint32_t> read_numbers(std::string_view text, std::string_view whole) {
  std::vector<std::uint32_t> numbers;
  while (true) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto used = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || (used < text.size() && text[used] != '-'))
      throw std::invalid_argument(
          fmt::format("exchange method '{}': '{}' is no list of numbers as 4-2", whole, text));
    numbers.push_back(number);
    if (used == text.size()) return numbers;
    text.remove_prefix(used + 1);
  }
}

bool fits(Numbers numbers, std::size_t count) {
  switch (numbers) {
    case Numbers::none:
      return count == 0;
    case Numbers::one:
      return count == 1;
    case Numbers::maybe:
      return count <= 1;
    case Numbers::some:
      break;
  }
  return count > 0;
}

/// Permutations of an axis are found by formula where its extent is a power of two, and else by search, which takes the
/// cube of it and more: 0.1 s here, minutes for 1000.
constexpr std::uint32_t longest_searched_extent = 256;

bool has_permutations_soon(const Grid& grid) {
  return std::all_of(grid.axes().begin(), grid.axes().end(), [](const Axis& axis) {
    return std::has_single_bit(axis.extent) || axis.extent <= longest_searched_extent;
  });
}

bool all_powers_of_two(const Grid& grid) {
  return std::all_of(grid.axes().begin(), grid.axes().end(),
                     [](const Axis& axis) { return std::has_single_bit(axis.extent); });
}

}  // namespace

std::vector<ExchangeMethod> exchange_methods(const Grid& grid) {
  std::vector<ExchangeMethod> methods;
  if (has_permutations_soon(grid)) methods = {{direct, {}}, {axes, {}}, {axis_rotated, {}}};
  methods.push_back({store_and_forward, {}});
  const auto rank_count = grid.node_count();
  for (std::uint32_t radix = 2; radix < rank_count && radix <= 16; radix *= 2)
    methods.push_back({bruck, {radix}});
  methods.push_back({linear, {}});
  if (!all_powers_of_two(grid)) return methods;
  for (const auto algorithm : {cc_cube, binary, quadrant, modified_quadrant, cyclic})
    methods.push_back({algorithm, {}});
  std::uint32_t longest = 1;
  for (const Axis& axis : grid.axes()) longest = std::max(longest, axis.extent);
  for (std::uint32_t radix = 4; radix < longest; radix *= 2) methods.push_back({hybrid, {radix}});
  return methods;
}

std::string to_string(const ExchangeMethod& method) {
  const auto name = entry_of(method.algorithm).name;
  return method.numbers.empty() ? std::string(name)
                                : fmt::format("{}:{}", name, fmt::join(method.numbers, "-"));
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
    if (!fits(entry.numbers, method.numbers.size())) {
      throw std::invalid_argument(
          fmt::format("exchange method '{}': {} takes {}", text, name, wanted(entry)));
    }
    if (entry.algorithm == cc_cube && !method.numbers.empty() && method.numbers.front() == 0)
      throw std::invalid_argument(fmt::format("exchange method '{}': 0 packets are below 1", text));
    return method;
  }
  throw std::invalid_argument(unknown_name("exchange method", name, exchange_algorithm_names()));
}

}  // namespace cubefold
