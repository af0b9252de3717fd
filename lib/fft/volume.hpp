#pragma once

#include <cstddef>

#include "cubefold/export.h"
#include "program.hpp"

namespace cubefold::fft {

/// What one process sends to others, in complex points; of all processes the one that sends most.
struct Volume {
  std::size_t exchange_count = 0;
  std::size_t message_count =
      0;                         ///< members - 1 for each exchange, where blocks go straight to their members
  std::size_t sent_count = 0;    ///< points of the transform
  std::size_t padded_count = 0;  ///< message_count blocks, each as large as the largest of its exchange

  bool operator==(const Volume&) const = default;
};

/// Adds up all exchanges of the program. With m points a process and p processes on one axis, which divide the factors
/// of the length, an exchange sends m (p-1)/p points, and no padding. Cost O(processes of the axes).
CUBEFOLD_API Volume volume_of(const Program& program);

/// Returns the points of the largest block of an exchange, of any process and peer. Every block is padded to it.
CUBEFOLD_API std::size_t block_count(const ExchangeStage& stage);

/// Returns the points that one process sends to others, the most of all processes, without padding.
CUBEFOLD_API std::size_t sent_count(const ExchangeStage& stage);

}  // namespace cubefold::fft
