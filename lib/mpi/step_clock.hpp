#pragma once

#include <chrono>
#include <cstddef>

#include "cubefold/schedule/pacing.hpp"

namespace cubefold::mpi {

/// The local clock of an exchange whose steps have their times. Steps are asked for in order.
class StepClock {
 public:
  /// Starts now. The stretches repeat for every round, with messages of block_bytes a block.
  StepClock(const StepTimes& times, std::size_t block_bytes)
      : times_(&times), block_bytes_(static_cast<double>(block_bytes)), start_(Clock::now()) {}

  /// Whether the step's time has come.
  bool is_time_for(std::size_t round, std::size_t step) { return Clock::now() >= start_ + at(round, step); }

  /// The step begins now. What that is later than its time by more than its length, all others will be too.
  void begins(std::size_t round, std::size_t step) {
    const auto late = Clock::now() - (start_ + at(round, step)) - length_of_step();
    if (late > Clock::duration::zero()) start_ += late;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::duration at(std::size_t round, std::size_t step) {
    if (round != round_) {
      before_ += seconds_up_to_end();
      round_ = round;
      stretch_ = 0;
      first_step_ = 0;
    }
    const auto& stretches = times_->stretches;
    while (stretch_ + 1 < stretches.size() && step >= first_step_ + stretches[stretch_].steps) {
      before_ += length(stretches[stretch_]);
      first_step_ += stretches[stretch_++].steps;
    }
    const double within =
        stretches.empty() ? 0 : static_cast<double>(step - first_step_) * step_seconds(stretches[stretch_]);
    return duration(before_ + within);
  }

  Clock::duration length_of_step() const {
    return duration(times_->stretches.empty() ? 0 : step_seconds(times_->stretches[stretch_]));
  }

  static Clock::duration duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  double step_seconds(const Stretch& stretch) const {
    return times_->gap_seconds + stretch.blocks * block_bytes_ * times_->tau_seconds_per_byte;
  }
  double length(const Stretch& stretch) const {
    return static_cast<double>(stretch.steps) * step_seconds(stretch);
  }
  double seconds_up_to_end() const {
    double seconds = 0;
    for (std::size_t i = stretch_; i < times_->stretches.size(); ++i) seconds += length(times_->stretches[i]);
    return seconds;
  }

  const StepTimes* times_;
  double block_bytes_;
  Clock::time_point start_;
  std::size_t round_ = 0;
  std::size_t stretch_ = 0;
  std::size_t first_step_ = 0;
  double before_ = 0;
};

}  // namespace cubefold::mpi
