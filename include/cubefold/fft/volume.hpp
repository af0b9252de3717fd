#pragma once

#include <cstddef>

#include "cubefold/export.h"
#include "cubefold/fft/program.hpp"

namespace cubefold::fft {

/// What one process sends others, the most of all processes, in complex points.
struct Volume {
  std::size_t exchange_count = 0;
  std::size_t message_count = 0;  ///< (members - 1) an exchange, where blocks go straight to their members
  std::size_t sent_count = 0;     ///< points of the transform
  std::size_t padded_count =
      0;  ///< all that is sent, message_count blocks as large as the largest of the exchange

  bool operator==(const Volume&) const = default;
};

/// Of all exchanges of the program. With m points a process and p processes on one axis, which divide the factors of the
/// length, an exchange sends m (p-1)/p, and nothing is padding. Cost O(processes of the axes).
CUBEFOLD_API Volume volume_of(const Program& program);

}  // namespace cubefold::fft
