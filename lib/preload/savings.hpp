#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <optional>

#include "plan/tuner.hpp"

namespace cubefold::preload {

/// The seconds that calls on a communicator save against MPI's own all-to-all. While candidates are measured, the whole
/// time of a call on this process counts, with everything that it waits for and all that is made for it. After the
/// choice, a call saves the difference of the medians.
class Savings {
 public:
  /// Adds the seconds of making the communicator's state to those of the first call.
  explicit Savings(double making_seconds) : making_seconds_(making_seconds) {}

  /// Adds a call that took so many seconds, and returns the seconds saved that are now known. Before the choice there
  /// are no medians. The result is negative if the measurements cost more than they gained.
  double add(std::size_t block_bytes, const std::optional<MedianSeconds>& medians, double seconds);

 private:
  struct Measured {
    std::size_t calls = 0;
    double seconds = 0;
  };

  double making_seconds_;
  /// Element k holds the calls before the choice for block sizes of bit_width k.
  std::array<Measured, std::numeric_limits<std::size_t>::digits + 1> measured_{};
};

}  // namespace cubefold::preload
