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

/// The kind of points in time; spectra are complex.
enum class Kind : std::uint8_t {
  complex,
  real,  ///< real numbers to half a spectrum, 0 to m/2, and back
};

/// Says which process has which points of a one-dimensional transform, by a point's index i.
enum class Distribution : std::uint8_t {
  block,         ///< i in a row, process after process: natural order
  cyclic,        ///< i mod processes
  block_cyclic,  ///< bits s to s+n-1 of i (BlockCyclic). Source: [Lcc] section 6.2
  scrambled,     ///< as the last local transforms leave it: i = a + A b, blocks of a, within them b fastest
};

/// Returns `block`, `cyclic`, `block_cyclic` or `scrambled`.
CUBEFOLD_API std::string to_string(Distribution distribution);

/// Returns the distribution of a name; inverse of to_string(). Throws std::invalid_argument that quotes the text and
/// lists the names.
CUBEFOLD_API Distribution parse_distribution(std::string_view text);

}  // namespace cubefold::fft
