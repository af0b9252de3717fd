#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/cost.hpp"
#include "cubefold/exchange/mixed_radix.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// The complete exchanges that there are. mixed_radix.hpp says what the five of [Calmant] are.
enum class ExchangeAlgorithm : std::uint8_t {
  cc_cube,       ///< one stage for each cube dimension; log2 p start-ups
  direct,        ///< every block travels once
  axes,          ///< one phase for each axis, direct among the nodes of its lines
  axis_rotated,  ///< the same with all axes at work all the time
  mixed_radix,   ///< direct among groups, coarse to fine
  binary,
  quadrant,
  modified_quadrant,
  cyclic,
  hybrid,
  store_and_forward,  ///< between neighbouring nodes only
  bruck,              ///< by digits of the offset, whatever the grid
  shifted,            ///< straight to rank + 1, + 2, ...
  linear,             ///< all at once
};

/// A complete exchange by name and numbers: a radix for hybrid and bruck, one for each phase for mixed_radix,
/// for cc_cube none, or the packets of each stage where they are pipelined; none for others.
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

/// The methods that fit a grid, with sensible numbers, cc-cube without one; without direct, axes and axis_rotated where
/// an axis longer than 256 is no power of two, which would take seconds to minutes. O(1).
CUBEFOLD_API std::vector<ExchangeMethod> exchange_methods(const Grid& grid);

/// `direct`, `cc-cube`, `axis-rotated`, `hybrid:4`, `mixed-radix:4-2`, ...
CUBEFOLD_API std::string to_string(const ExchangeMethod& method);

/// Inverse of to_string(). Throws std::invalid_argument that quotes the text, and lists the names or says how many numbers
/// there must be.
CUBEFOLD_API ExchangeMethod parse_exchange_method(std::string_view text);

/// All names, without numbers.
CUBEFOLD_API std::vector<std::string_view> exchange_algorithm_names();

/// The phases of those methods that have digits: direct, axes, mixed_radix and the five of [Calmant]. Throws
/// std::invalid_argument where the grid does not fit, and for another method.
CUBEFOLD_API std::vector<RadixPhase> radix_phases(const ExchangeMethod& method, const Grid& grid);

/// The method's schedule on the placement's grid, or one rank's part of it, made without the rest. Cost and conflicts
/// are the builder's, in the header of its name. Throws std::invalid_argument where the method needs other extents.
CUBEFOLD_API Schedule exchange_schedule(const ExchangeMethod& method, const Placement& placement,
                                        const NetworkRules& rules);
CUBEFOLD_API Schedule exchange_part(const ExchangeMethod& method, const Placement& placement,
                                    const NetworkRules& rules, Rank rank);

/// What exchange_schedule() costs, without making it: see ExchangeCost. O(p log p) at most, O(p^2) for `shifted`; the header
/// of the builder says it for each. Throws as exchange_schedule() does, naming the method.
CUBEFOLD_API ExchangeCost exchange_cost(const ExchangeMethod& method, const Placement& placement,
                                        const NetworkRules& rules);

}  // namespace cubefold
