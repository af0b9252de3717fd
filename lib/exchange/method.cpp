#include "cubefold/exchange/method.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <stdexcept>

#include "algorithm.hpp"
#include "routed_phase.hpp"
#include "text/known_names.hpp"

namespace cubefold {

namespace {

constexpr std::array descriptors{
#define CUBEFOLD_ADDRESS(name) &name##_algorithm,
    CUBEFOLD_EXCHANGE_ALGORITHMS(CUBEFOLD_ADDRESS)
#undef CUBEFOLD_ADDRESS
};

const ExchangeDescriptor& descriptor_of(ExchangeAlgorithm algorithm) {
  const auto index = static_cast<std::size_t>(algorithm);
  if (index >= descriptors.size())
    throw std::invalid_argument(fmt::format("exchange algorithm {} does not exist", index));
  return *descriptors[index];
}

ExchangeInputs inputs_of(const ExchangeMethod& method, const Placement& placement,
                         const NetworkRules& network) {
  const ExchangeAlgorithmInfo& info = descriptor_of(method.algorithm).info;
  if (info.needs_axes && placement.grid().route_table() != nullptr) {
    throw std::invalid_argument(fmt::format("{} needs the links of a mesh or torus; {} has other links",
                                            info.name, to_string(placement.grid())));
  }
  return {placement, method.numbers, network.ports, network.tie};
}

std::vector<std::uint32_t> read_numbers(std::string_view text, std::string_view whole) {
  std::vector<std::uint32_t> numbers;
  while (true) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto used = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || (used < text.size() && text[used] != '-')) {
      throw std::invalid_argument(
          fmt::format("exchange method '{}': '{}' is no list of numbers as 4-2", whole, text));
    }
    if (number == 0) throw std::invalid_argument(fmt::format("exchange method '{}': 0 is below 1", whole));
    numbers.push_back(number);
    if (used == text.size()) return numbers;
    text.remove_prefix(used + 1);
  }
}

void require_count(const ExchangeAlgorithmInfo& info, std::size_t count, std::string_view whole) {
  if (count >= info.fewest_numbers && count <= info.most_numbers) return;
  std::string rule = "no number";
  if (info.most_numbers > 0) {
    rule = fmt::format("{}, as {}",
                       info.fewest_numbers == 0 ? "no number or one"
                       : info.most_numbers == 1 ? "one number"
                                                : "numbers",
                       info.examples);
  }
  throw std::invalid_argument(fmt::format("exchange method '{}': {} takes {}", whole, info.name, rule));
}

/// Offers an algorithm without numbers if every extent is a power of two or at most `longest_other`. Otherwise offers
/// nothing.
std::vector<Numbers> on_extents(const Grid& grid, std::uint32_t longest_other) {
  const bool fits = std::all_of(grid.axes().begin(), grid.axes().end(), [&](const Axis& axis) {
    return std::has_single_bit(axis.extent) || axis.extent <= longest_other;
  });
  return std::vector<Numbers>(fits ? 1 : 0);
}

}  // namespace

std::vector<Numbers> on_all_grids(const Grid& /*grid*/) {
  return std::vector<Numbers>(1);
}

std::vector<Numbers> on_powers_of_two(const Grid& grid) {
  return on_extents(grid, 0);
}

std::vector<Numbers> on_extents_with_permutations(const Grid& grid) {
  if (grid.route_table() != nullptr) return std::vector<Numbers>(RoutedPhase::is_quick(grid) ? 1 : 0);
  return on_extents(grid, 256);
}

std::vector<Numbers> on_request_only(const Grid& /*grid*/) {
  return {};
}

std::vector<ExchangeMethod> exchange_methods(const Grid& grid) {
  std::vector<ExchangeMethod> methods;
  for (std::size_t index = 0; index < descriptors.size(); ++index) {
    if (descriptors[index]->info.needs_axes && grid.route_table() != nullptr) continue;
    for (auto& numbers : descriptors[index]->choices(grid))
      methods.push_back({static_cast<ExchangeAlgorithm>(index), std::move(numbers)});
  }
  return methods;
}

std::vector<ExchangeMethod> compared_methods(const Grid& grid) {
  auto methods = exchange_methods(grid);
  std::erase_if(methods,
                [](const auto& method) { return !descriptor_of(method.algorithm).info.is_compared; });
  return methods;
}

std::vector<ExchangeAlgorithmInfo> exchange_algorithms() {
  std::vector<ExchangeAlgorithmInfo> result;
  result.reserve(std::size(descriptors));
  for (const ExchangeDescriptor* descriptor : descriptors) result.push_back(descriptor->info);
  return result;
}

std::string to_string(const ExchangeMethod& method) {
  const auto name = descriptor_of(method.algorithm).info.name;
  return method.numbers.empty() ? std::string(name)
                                : fmt::format("{}:{}", name, fmt::join(method.numbers, "-"));
}

ExchangeMethod parse_exchange_method(std::string_view text) {
  const auto colon = text.find(':');
  const auto name = text.substr(0, colon);
  std::vector<std::string_view> names;
  for (std::size_t index = 0; index < descriptors.size(); ++index) {
    const ExchangeAlgorithmInfo& info = descriptors[index]->info;
    names.push_back(info.name);
    if (info.name != name) continue;
    ExchangeMethod method{static_cast<ExchangeAlgorithm>(index), {}};
    if (colon != std::string_view::npos) method.numbers = read_numbers(text.substr(colon + 1), text);
    require_count(info, method.numbers.size(), text);
    return method;
  }
  throw std::invalid_argument(unknown_name("exchange method", name, names));
}

Schedule exchange_schedule(const ExchangeMethod& method, const Placement& placement,
                           const NetworkRules& rules) {
  return descriptor_of(method.algorithm).parts(inputs_of(method, placement, rules)).whole();
}

Schedule exchange_part(const ExchangeMethod& method, const Placement& placement, const NetworkRules& rules,
                       Rank rank) {
  return descriptor_of(method.algorithm).parts(inputs_of(method, placement, rules)).part(rank);
}

ExchangeCost exchange_cost(const ExchangeMethod& method, const Placement& placement,
                           const NetworkRules& rules) {
  try {
    return cost_of(descriptor_of(method.algorithm), inputs_of(method, placement, rules));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("exchange method '{}': {}", to_string(method), error.what()));
  }
}

}  // namespace cubefold
