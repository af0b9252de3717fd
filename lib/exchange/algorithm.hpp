#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "exchange_parts.hpp"

namespace cubefold {

using Numbers = std::vector<std::uint32_t>;

/// Holds the arguments of an algorithm's functions.
struct ExchangeInputs {
  const Placement& placement;
  const Numbers& numbers;
  Ports ports;
  Tie tie;
};

/// Holds everything that the library knows about an algorithm. Its functions throw std::invalid_argument for a grid or
/// numbers that do not fit.
struct ExchangeDescriptor {
  ExchangeAlgorithmInfo info;

  /// Returns the lists of numbers with which the algorithm is worth comparing on a grid. Returns no list if the
  /// algorithm does not fit the grid.
  std::vector<Numbers> (*choices)(const Grid& grid);

  /// Returns the parts of all ranks, which may refer to the inputs. The whole schedule and its cost follow from them.
  ExchangeParts (*parts)(const ExchangeInputs& inputs);

  /// Returns cost_of_schedule() of the whole without building it, by a closed form. Optional: planning compares
  /// algorithms on thousands of nodes, and needs closed forms for those that it compares.
  ExchangeCost (*cost)(const ExchangeInputs& inputs) = nullptr;
};

/// Returns the cost of an algorithm: its closed form, or else cost_of_schedule() of its whole schedule.
CUBEFOLD_API ExchangeCost cost_of(const ExchangeDescriptor& algorithm, const ExchangeInputs& inputs);

/// Returns what simulate_steps() counts in a schedule, without taus and times. A step waits if it sends blocks that
/// moved after the last wait; the first step waits, too. Costs O(blocks moved + steps * links) and 4 bytes for each
/// pair of ranks.
CUBEFOLD_API ExchangeCost cost_of_schedule(const Placement& placement, const Schedule& schedule,
                                           const NetworkRules& rules);

// The file of each algorithm defines its descriptor. If a definition is missing, the library does not link.
#define CUBEFOLD_DESCRIPTOR(name) extern const ExchangeDescriptor name##_algorithm;
CUBEFOLD_EXCHANGE_ALGORITHMS(CUBEFOLD_DESCRIPTOR)
#undef CUBEFOLD_DESCRIPTOR

// These functions are values of `choices`. Each of them offers the algorithm without numbers: on all grids, on grids
// whose extents are all powers of two, or on no grid.
std::vector<Numbers> on_all_grids(const Grid& grid);
std::vector<Numbers> on_powers_of_two(const Grid& grid);
std::vector<Numbers> on_request_only(const Grid& grid);

/// Offers the algorithm without numbers unless an axis longer than 256 is not a power of two. The permutations of an
/// axis follow from a formula if its extent is a power of two, and from a search otherwise. The search takes more than
/// the cube of the extent: 0.1 s for 256, minutes for 1000. With a route table, offers it if RoutedPhase::is_quick().
std::vector<Numbers> on_extents_with_permutations(const Grid& grid);

}  // namespace cubefold
