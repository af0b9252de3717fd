#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "cubefold/exchange/axis_rotated.hpp"
#include "cubefold/exchange/bruck.hpp"
#include "cubefold/exchange/cc_cube.hpp"
#include "cubefold/exchange/direct.hpp"
#include "cubefold/exchange/linear.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/exchange/store_and_forward.hpp"

namespace cubefold {

namespace {

using enum ExchangeAlgorithm;
using Numbers = std::vector<std::uint32_t>;

/// An algorithm that is a row of phases, each direct among groups.
struct Digits {
  ExchangeAlgorithm algorithm;
  std::vector<RadixPhase> (*phases)(const Grid& grid, const Numbers& numbers);
};

constexpr std::array digits_of_algorithms{
    Digits{direct, [](const Grid& grid, const Numbers&) { return std::vector{whole_phase(grid)}; }},
    Digits{axes, [](const Grid& grid, const Numbers&) { return axis_phases(grid); }},
    Digits{mixed_radix,
           [](const Grid& grid, const Numbers& radices) { return coarse_to_fine(grid, radices); }},
    Digits{binary, [](const Grid& grid, const Numbers&) { return binary_phases(grid); }},
    Digits{quadrant, [](const Grid& grid, const Numbers&) { return quadrant_phases(grid); }},
    Digits{modified_quadrant,
           [](const Grid& grid, const Numbers&) { return modified_quadrant_phases(grid); }},
    Digits{cyclic, [](const Grid& grid, const Numbers&) { return cyclic_phases(grid); }},
    Digits{hybrid, [](const Grid& grid, const Numbers& radix) { return hybrid_phases(grid, radix.at(0)); }},
};

/// What a builder is given.
struct Inputs {
  const Numbers& numbers;
  const Placement& placement;
  NetworkRules rules;
};

/// An algorithm with a builder of its own: the whole, one rank's part, and what it costs.
struct Builder {
  ExchangeAlgorithm algorithm;
  Schedule (*whole)(const Inputs& inputs);
  Schedule (*part)(const Inputs& inputs, Rank rank);
  ExchangeCost (*cost)(const Inputs& inputs);
};

constexpr std::array builders{
    Builder{cc_cube,
            [](const Inputs& in) {
              if (in.numbers.empty()) return cc_cube_exchange(dimension_count(in.placement));
              return pipelined_cc_cube_exchange(in.placement, in.numbers.front(), in.rules.ports,
                                                in.rules.tie);
            },
            [](const Inputs& in, Rank rank) {
              if (in.numbers.empty()) return cc_cube_exchange_part(dimension_count(in.placement), rank);
              return pipelined_cc_cube_exchange_part(in.placement, in.numbers.front(), in.rules.ports,
                                                     in.rules.tie, rank);
            },
            [](const Inputs& in) {
              if (in.numbers.empty()) return cc_cube_exchange_cost(in.placement, in.rules.tie);
              return PipelinedCcCubeCosts(in.placement, in.rules.ports, in.rules.tie).of(in.numbers.front());
            }},
    Builder{
        axis_rotated,
        [](const Inputs& in) { return axis_rotated_exchange(in.placement, in.rules.ports, in.rules.tie); },
        [](const Inputs& in, Rank rank) {
          return axis_rotated_exchange_part(in.placement, in.rules.ports, in.rules.tie, rank);
        },
        [](const Inputs& in) {
          return axis_rotated_exchange_cost(in.placement.grid(), in.rules.ports, in.rules.tie);
        }},
    Builder{store_and_forward,
            [](const Inputs& in) {
              return store_and_forward_exchange(in.placement, in.rules.ports, in.rules.tie);
            },
            [](const Inputs& in, Rank rank) {
              return store_and_forward_exchange_part(in.placement, in.rules.ports, in.rules.tie, rank);
            },
            [](const Inputs& in) {
              return store_and_forward_exchange_cost(in.placement.grid(), in.rules.ports, in.rules.tie);
            }},
    Builder{bruck,
            [](const Inputs& in) {
              return bruck_exchange(in.placement.rank_count(), in.numbers.at(0), in.rules.ports);
            },
            [](const Inputs& in, Rank rank) {
              return bruck_exchange_part(in.placement.rank_count(), in.numbers.at(0), in.rules.ports, rank);
            },
            [](const Inputs& in) {
              return bruck_exchange_cost(in.placement, in.numbers.at(0), in.rules.ports, in.rules.tie);
            }},
    Builder{
        shifted, [](const Inputs& in) { return shifted_exchange(in.placement.rank_count()); },
        [](const Inputs& in, Rank rank) { return shifted_exchange_part(in.placement.rank_count(), rank); },
        [](const Inputs& in) { return shifted_exchange_cost(in.placement, in.rules.ports, in.rules.tie); }},
    Builder{linear, [](const Inputs& in) { return linear_exchange(in.placement.rank_count()); },
            [](const Inputs& in, Rank rank) { return linear_exchange_part(in.placement.rank_count(), rank); },
            [](const Inputs& in) {
              return linear_exchange_cost(in.placement.grid(), in.rules.ports, in.rules.tie);
            }},
};

/// Nothing for an algorithm that stands in the other table.
template <typename Table>
auto row_of(const Table& table, ExchangeAlgorithm algorithm) -> decltype(table.data()) {
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const auto& each) { return each.algorithm == algorithm; });
  return row == table.end() ? nullptr : &*row;
}

}  // namespace

std::vector<RadixPhase> radix_phases(const ExchangeMethod& method, const Grid& grid) {
  if (const auto* digits = row_of(digits_of_algorithms, method.algorithm))
    return digits->phases(grid, method.numbers);
  throw std::invalid_argument(fmt::format("radix_phases: {} has no digits", to_string(method)));
}

Schedule exchange_schedule(const ExchangeMethod& method, const Placement& placement,
                           const NetworkRules& rules) {
  if (const auto* builder = row_of(builders, method.algorithm))
    return builder->whole({method.numbers, placement, rules});
  return mixed_radix_exchange(placement, radix_phases(method, placement.grid()), rules.ports, rules.tie);
}

Schedule exchange_part(const ExchangeMethod& method, const Placement& placement, const NetworkRules& rules,
                       Rank rank) {
  if (const auto* builder = row_of(builders, method.algorithm))
    return builder->part({method.numbers, placement, rules}, rank);
  return mixed_radix_exchange_part(placement, radix_phases(method, placement.grid()), rules.ports, rules.tie,
                                   rank);
}

ExchangeCost exchange_cost(const ExchangeMethod& method, const Placement& placement,
                           const NetworkRules& rules) {
  try {
    if (const auto* builder = row_of(builders, method.algorithm))
      return builder->cost({method.numbers, placement, rules});
    const auto phases = radix_phases(method, placement.grid());
    return mixed_radix_exchange_cost(placement.grid(), phases, rules.ports, rules.tie);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("exchange method '{}': {}", to_string(method), error.what()));
  }
}

}  // namespace cubefold
