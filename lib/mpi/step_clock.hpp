#pragma once

#include <chrono>
#include <cstddef>

#include "cubefold/schedule/pacing.hpp"

namespace cubefold::mpi {

/// The local clock of an exchange whose steps have their times. Steps are asked for in order.
class StepClock {
 public:
  /// Starts now. The times repeat for every round, with pieces of blocks.
  StepClock(const StepTimes& times, std::size_t block_bytes, std::size_t piece_bytes)
      : slots_(times, block_bytes, piece_bytes), start_(Clock::now()) {}

  /// Whether the step's time has come.
  bool is_time_for(std::size_t round, std::size_t step) {
    slots_.go_to(round, step);
    return Clock::now() >= start_ + duration(slots_.begin());
  }

  /// The step begins now. What that is later than its time by more than its length, all others will be too.
  void begins(std::size_t round, std::size_t step) {
    slots_.go_to(round, step);
    const auto late = Clock::now() - start_ - duration(slots_.begin() + slots_.length());
    if (late > Clock::duration::zero()) start_ += late;
  }

 private:
  using Clock = std::chrono::steady_clock;

  static Clock::duration duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  StepSlots slots_;
  Clock::time_point start_;
};

}  // namespace cubefold::mpi
