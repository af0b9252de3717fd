#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cubefold/export.h"

namespace cubefold::fft {

/// Which process has which points of a one-dimensional transform, by a point's index i.
enum class Distribution : std::uint8_t {
  block,         ///< i in a row, process after process: natural order
  cyclic,        ///< i mod processes
  block_cyclic,  ///< bits s to s+n-1 of i (BlockCyclic). Source: [Lcc] section 6.2
  scrambled,     ///< as the last local transforms leave it: i = a + A b, blocks of a, within them b fastest
};

/// `block`, `cyclic`, `block_cyclic`, `scrambled`.
CUBEFOLD_API std::string to_string(Distribution distribution);

/// Inverse of to_string(). Throws std::invalid_argument that quotes the text and lists the names.
CUBEFOLD_API Distribution parse_distribution(std::string_view text);

}  // namespace cubefold::fft
