#pragma once

#include <cstdint>
#include <span>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "wormhole.hpp"

namespace cubefold {

/// Holds the costs of messages and of arithmetic. The defaults are those of the nCUBE 2 in [Lcc] section 6.2.
struct MachineCosts {
  double message_seconds = 164e-6;     ///< software time per message
  double byte_seconds = 0.57e-6;       ///< time per byte and channel; every flit, the header too, is a byte
  double butterfly_seconds = 5.12e-6;  ///< butterfly with both results on one node
  double half_butterfly_seconds = 4.47e-6;  ///< butterfly whose other result is the neighbour's
  std::uint32_t point_bytes = 16;           ///< complex number in double precision
};

/// Holds the times of the parallel FFT of [Lcc] section 6.2: 2^(n+2s) points in blocks of 2^s on a hypercube of n
/// dimensions.
struct FftTimes {
  double computation_seconds;
  double neighbour_seconds;
  double bit_reversal_seconds;

  double total_seconds() const { return computation_seconds + neighbour_seconds + bit_reversal_seconds; }
};

/// Returns the times of an FFT with 2^(2s) points per node:
///
///     computation   2 s stages of 2^(2s) / 2 butterflies, then n stages of 2^(2s) half butterflies
///     neighbours    n messages of all points, one channel each
///     bit reversal  one message of all points from every node to its destination, all at once,
///                   until the last one has arrived by arrival_cycles()
///
/// Throws std::invalid_argument if the grid is not a hypercube, unless s is in [0, 8], and unless there is one
/// destination per node. Source: [Lcc] tables 1 and 2.
CUBEFOLD_API FftTimes parallel_fft_times(const Grid& hypercube, const Router& router, int s,
                                         std::span<const GridNode> bit_reversal,
                                         const MachineCosts& costs = {});

}  // namespace cubefold
