#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// How the processes of an exchange are kept in the same step.
enum class Pacing : std::uint8_t {
  data,  ///< a step begins when what it sends has arrived, for exchanges whose steps wait for one another anyway
  clock,   ///< a step begins at its time after a common start, or later if the process is late
  tokens,  ///< a message leaves when those that it would meet are known to have arrived: schedule/tokens.hpp
  barriers,  ///< nobody begins a step before all have ended the last one
};

inline constexpr std::array all_pacings{Pacing::data, Pacing::clock, Pacing::tokens, Pacing::barriers};

/// `data`, `clock`, `tokens`, `barriers`.
CUBEFOLD_API std::string_view to_string(Pacing pacing);

/// Inverse of to_string(). Throws std::invalid_argument that quotes the text and lists the names.
CUBEFOLD_API Pacing parse_pacing(std::string_view text);

/// Steps in a row that cost the same and wait for all that was before them.
struct Stretch {
  std::size_t steps;
  double blocks;             ///< what the busiest link or port carries in a step, on average over the steps
  std::size_t startups = 1;  ///< messages of a node, or over a link where all ports may be used, in a step
  bool chained = false;      ///< every step waits for the one before it, not the first alone

  bool operator==(const Stretch&) const = default;
};

/// When the steps of an exchange begin, in seconds after the common start: a step of messages of L bytes lasts gap + L tau.
struct StepTimes {
  std::vector<Stretch> stretches;
  double gap_seconds = 0;
  double tau_seconds_per_byte = 0;

  bool operator==(const StepTimes&) const = default;
};

}  // namespace cubefold
