#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/cost.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// The algorithms for complete exchanges, one line each, in the order in which they are compared and listed. Of two
/// that cost the same, the first is chosen. docs/exchange.md says in "Adding an algorithm" what a new line needs.
#define CUBEFOLD_EXCHANGE_ALGORITHMS(LINE) \
  LINE(direct)                             \
  LINE(axes)                               \
  LINE(axis_rotated)                       \
  LINE(store_and_forward)                  \
  LINE(bruck)                              \
  LINE(linear)                             \
  LINE(cc_cube)                            \
  LINE(binary)                             \
  LINE(quadrant)                           \
  LINE(modified_quadrant)                  \
  LINE(cyclic)                             \
  LINE(hybrid)                             \
  LINE(mixed_radix)                        \
  LINE(shifted)

enum class ExchangeAlgorithm : std::uint8_t {
#define CUBEFOLD_ENUMERATOR(name) name,
  CUBEFOLD_EXCHANGE_ALGORITHMS(CUBEFOLD_ENUMERATOR)
#undef CUBEFOLD_ENUMERATOR
};

/// An algorithm as programs and documents present it.
struct ExchangeAlgorithmInfo {
  std::string_view name;      ///< what to_string() writes: `axis-rotated`
  std::string_view examples;  ///< methods of this algorithm, separated by commas: `cc-cube, cc-cube:8`
  std::string_view summary;   ///< what it does, in a clause without a full stop
  std::size_t fewest_numbers = 0;
  std::size_t most_numbers = 0;
  bool is_free_of_conflicts =
      true;  ///< whether no two messages of a step share a link or a port, on any grid
  bool depends_on_placement = false;  ///< whether placements change what it costs
};

/// A complete exchange: an algorithm and its numbers. Those are a radix for hybrid and bruck, one radix for each phase
/// for mixed_radix, the packets of each stage for cc_cube where it is pipelined, and none for others.
struct ExchangeMethod {
  ExchangeAlgorithm algorithm = ExchangeAlgorithm::cc_cube;
  std::vector<std::uint32_t> numbers;

  bool operator==(const ExchangeMethod&) const = default;
};

/// What a network allows: messages of a node at a time, and the way that ties take round a ring.
struct NetworkRules {
  Ports ports = Ports::one;
  Tie tie = Tie::balanced;

  bool operator==(const NetworkRules&) const = default;
};

/// The methods that fit a grid, with sensible numbers, cc-cube without one. Those without a sensible default
/// (mixed_radix) and those that others always beat (shifted) are left out, and so are direct, axes and axis_rotated
/// where an axis longer than 256 is no power of two, which would take seconds to minutes. O(axes).
CUBEFOLD_API std::vector<ExchangeMethod> exchange_methods(const Grid& grid);

/// All algorithms in the order of ExchangeAlgorithm.
CUBEFOLD_API std::vector<ExchangeAlgorithmInfo> exchange_algorithms();

/// `direct`, `cc-cube`, `axis-rotated`, `hybrid:4`, `mixed-radix:4-2`, ...
CUBEFOLD_API std::string to_string(const ExchangeMethod& method);

/// Inverse of to_string(). Throws std::invalid_argument that quotes the text, and lists the names or says how many
/// numbers there must be. Numbers are positive.
CUBEFOLD_API ExchangeMethod parse_exchange_method(std::string_view text);

/// The method's schedule on the placement's grid, or one rank's part of it, made without the rest. Cost and conflicts
/// are the builder's, in the header of its name. Throws std::invalid_argument where the method needs other extents.
CUBEFOLD_API Schedule exchange_schedule(const ExchangeMethod& method, const Placement& placement,
                                        const NetworkRules& rules);
CUBEFOLD_API Schedule exchange_part(const ExchangeMethod& method, const Placement& placement,
                                    const NetworkRules& rules, Rank rank);

/// Returns the cost of exchange_schedule() without making the schedule. Takes O(p log p) time at most, and O(p^2) for
/// `shifted`; the header of each builder states its own. Throws as exchange_schedule() does and names the method.
CUBEFOLD_API ExchangeCost exchange_cost(const ExchangeMethod& method, const Placement& placement,
                                        const NetworkRules& rules);

}  // namespace cubefold
