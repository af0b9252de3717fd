#pragma once

#include <cstddef>
#include <cstdint>

namespace cubefold {

/// Says which steps of a group begin only when all steps before them are over.
enum class Waits : std::uint8_t {
  none,   ///< no step: the group continues the phase of the group before it
  first,  ///< the first step, with which a phase begins
  each,   ///< every step: each one sends on what arrived in the step before it
};

/// Describes consecutive steps that cost the same.
struct StepGroup {
  std::size_t steps;
  std::uint64_t blocks;        ///< blocks on the busiest link or port, in each of the steps
  std::uint64_t startups = 1;  ///< start-ups in each of the steps, as StepModel defines them
  Waits waits = Waits::none;

  bool operator==(const StepGroup&) const = default;
};

}  // namespace cubefold
