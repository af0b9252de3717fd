#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cubefold {

/// How the processes of an exchange are kept in the same step.
enum class Pacing : std::uint8_t {
  data,      ///< a step begins when what it sends has arrived, for exchanges whose steps wait for one another anyway
  clock,     ///< a step begins at its time after a common start, or later if the process is late
  tokens,    ///< a message leaves when those that it would meet are known to have arrived: schedule/tokens.hpp
  barriers,  ///< nobody begins a step before all have ended the last one
};

/// Steps in a row that cost the same: none of their messages, and no link or port, carries more than `blocks`.
struct Stretch {
  std::size_t steps;
  double blocks;

  bool operator==(const Stretch&) const = default;
};

/// When the steps of an exchange begin, in seconds after the common start: a step of messages of L bytes lasts gap + L tau.
struct StepTimes {
  std::vector<Stretch> stretches;
  double gap_seconds = 0;
  double tau_seconds_per_byte = 0;
};

}  // namespace cubefold
