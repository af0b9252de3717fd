#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "schedule/conflict.hpp"
#include "schedule/delivery.hpp"
#include "support/all_grids.hpp"
#include "support/exchange_methods.hpp"

namespace cubefold {

/// Lists both port models with both tie rules.
inline constexpr NetworkRules all_network_rules[] = {{Ports::one, Tie::positive},
                                                     {Ports::one, Tie::balanced},
                                                     {Ports::all, Tie::positive},
                                                     {Ports::all, Tie::balanced}};

inline Placement in_place(const Grid& grid) {
  return Placement(grid, parse_placement("identity"));
}

/// Returns the schedule of a method that works by rank.
inline Schedule schedule_by_rank(const ExchangeMethod& method, std::size_t rank_count,
                                 Ports ports = Ports::one) {
  return exchange_schedule(method, in_place(Grid({{static_cast<std::uint32_t>(rank_count), Ends::open}})),
                           {ports, Tie::balanced});
}

/// Returns four nodes in a ring. The two cables at node 0 have one rate, and the other two have another.
inline Grid ring_of_cables(double at_node_0, double elsewhere) {
  const double a = at_node_0, b = elsewhere;
  return {
      {{4, Ends::open}},
      RouteTable(4, {{0, 1, a}, {0, 3, a}, {1, 0, a}, {1, 2, b}, {2, 1, b}, {2, 3, b}, {3, 0, a}, {3, 2, b}},
                 {0, 0, 0, 1, 2, 0, 3, 2, 4, 4, 0, 5, 6, 6, 7, 0}),
      fmt::format("cables of {} and {}", a, b)};
}

/// Returns placements under every embedding except the identity, with bit assignments, orders of bits and a table. All
/// extents are powers of two except that of ring:5.
inline std::vector<Placement> other_placements() {
  std::vector<Placement> placements;
  for (const auto& [grid, rule] : {std::pair{"line:16", "xor"},
                                   {"ring:16", "by-weight"},
                                   {"mesh:8x4", "gray"},
                                   {"torus:4x8", "xor,bits=cyclic"},
                                   {"grid:8wx2x4", "standard,order=5-2-0-1-3-4"},
                                   {"ring:5", "nodes=3-1-0-2-4"}}) {
    placements.emplace_back(parse_grid(grid), parse_placement(rule));
  }
  return placements;
}

/// Returns what is wrong with a complete exchange: a block that is not delivered exactly once, or messages that meet.
/// Returns nothing if there is no fault.
inline std::optional<std::string> first_exchange_fault(const Placement& placement, const Schedule& schedule,
                                                       const NetworkRules& rules) {
  if (const auto fault = first_delivery_fault(schedule)) return describe(*fault);
  if (const auto conflict = first_conflict(placement, schedule, rules.ports, rules.tie))
    return describe(*conflict, schedule);
  return std::nullopt;
}

inline ExchangeAlgorithmInfo info_of(const ExchangeMethod& method) {
  return exchange_algorithms().at(static_cast<std::size_t>(method.algorithm));
}

/// Returns the examples of an algorithm as methods.
inline std::vector<ExchangeMethod> examples_of(const ExchangeAlgorithmInfo& info) {
  std::vector<ExchangeMethod> examples;
  std::istringstream texts{std::string(info.examples)};
  for (std::string text; texts >> text;) {
    if (text.back() == ',') text.pop_back();
    examples.push_back(parse_exchange_method(text));
  }
  return examples;
}

/// Returns the schedule of a method, or nothing if the method does not fit the grid.
inline std::optional<Schedule> schedule_if_it_fits(const ExchangeMethod& method, const Placement& placement,
                                                   const NetworkRules& rules) {
  try {
    return exchange_schedule(method, placement, rules);
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

/// Returns the first rank whose part of a method is not part_of() its whole schedule, or nothing.
inline std::optional<Rank> first_other_part(const ExchangeMethod& method, const Placement& placement,
                                            const NetworkRules& rules, const Schedule& whole) {
  for (std::uint32_t r = 0; r < whole.rank_count; ++r) {
    if (exchange_part(method, placement, rules, Rank{r}) != part_of(whole, Rank{r})) return Rank{r};
  }
  return std::nullopt;
}

/// Returns the grid and the rules as text, for the messages of failed tests.
inline std::string name_of(const Grid& grid, const NetworkRules& rules) {
  return to_string(grid) + (rules.ports == Ports::one ? ", one port" : ", all ports") +
         (rules.tie == Tie::balanced ? ", balanced ties" : ", ties up");
}

}  // namespace cubefold
