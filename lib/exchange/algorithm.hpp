#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/exchange/method.hpp"

namespace cubefold {

using Numbers = std::vector<std::uint32_t>;

/// What the functions of an algorithm are given.
struct ExchangeInputs {
  const Placement& placement;
  const Numbers& numbers;
  Ports ports;
  Tie tie;
};

/// Everything that the library knows about an algorithm. Its functions throw std::invalid_argument for a grid or
/// numbers that do not fit.
struct ExchangeDescriptor {
  ExchangeAlgorithmInfo info;

  /// The numbers with which the algorithm is worth comparing on a grid: nothing where it does not fit.
  std::vector<Numbers> (*choices)(const Grid& grid);

  Schedule (*schedule)(const ExchangeInputs& inputs);

  /// What one rank sends and receives, made without the rest.
  Schedule (*part)(const ExchangeInputs& inputs, Rank rank);

  /// What simulate_steps() would count in the schedule, made without it.
  ExchangeCost (*cost)(const ExchangeInputs& inputs);
};

// Every line of CUBEFOLD_EXCHANGE_ALGORITHMS has its descriptor in the file of the algorithm; without it nothing links.
#define CUBEFOLD_DESCRIPTOR(name) extern const ExchangeDescriptor name##_algorithm;
CUBEFOLD_EXCHANGE_ALGORITHMS(CUBEFOLD_DESCRIPTOR)
#undef CUBEFOLD_DESCRIPTOR

// What descriptors have for `choices`.
std::vector<Numbers> on_all_grids(const Grid& grid);
std::vector<Numbers> on_powers_of_two(const Grid& grid);
std::vector<Numbers> on_request_only(const Grid& grid);

/// Permutations of an axis follow from a formula where its extent is a power of two, and from a search elsewhere, which
/// takes more than the cube of the extent: 0.1 s for 256, minutes for 1000. Longer extents are left out.
std::vector<Numbers> on_extents_with_permutations(const Grid& grid);

}  // namespace cubefold
