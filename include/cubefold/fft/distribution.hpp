#pragma once

#include <cstdint>

namespace cubefold::fft {

/// Which process has which points of a one-dimensional array.
enum class Distribution : std::uint8_t {
  block,         ///< natural order, consecutive points with each process
  cyclic,        ///< natural order, point j with process j mod p
  block_cyclic,  ///< that of BlockCyclic
  scrambled,     ///< blocks of consecutive frequencies of the first transform: what saves an exchange
};

}  // namespace cubefold::fft
