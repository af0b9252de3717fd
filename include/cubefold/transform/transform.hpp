#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "cubefold/export.h"

namespace cubefold::fft {

/// The direction of a transform of m points.
enum class Transform : std::uint8_t {
  forward,  ///< X(k) = sum_j x(j) exp(-2 pi i j k / m)
  inverse,  ///< x(j) = 1/m sum_k X(k) exp(+2 pi i j k / m)
};

/// Says what numbers the points in the time domain are. Spectra are complex.
enum class Kind : std::uint8_t {
  complex,
  real,  ///< m real numbers, whose spectrum has the frequencies 0 to m/2
};

/// Says which process has the point of index i in a one-dimensional transform.
enum class Distribution : std::uint8_t {
  block,         ///< consecutive indices on each process: natural order
  cyclic,        ///< process i mod process count
  block_cyclic,  ///< 2^(n+2s) points: process (i / 2^s) mod 2^n. Source: [Lcc] section 6.2
  scrambled,     ///< order after the last local transforms: i = a + A b, a in blocks, b fastest in memory
};

/// Returns `block`, `cyclic`, `block_cyclic` or `scrambled`.
CUBEFOLD_API std::string to_string(Distribution distribution);

/// Returns the distribution of a name; inverse of to_string(). Throws std::invalid_argument that quotes the text and
/// lists the names.
CUBEFOLD_API Distribution parse_distribution(std::string_view text);

}  // namespace cubefold::fft
