#pragma once

#include <cstddef>
#include <optional>

#include "cubefold/mpi/executor.hpp"
#include "run_space.hpp"
#include "step_barrier.hpp"
#include "step_clock.hpp"

namespace cubefold::mpi {

/// How many steps a run has, the program's once for each round.
struct RunLength {
  std::size_t round_count;
  std::size_t step_count;
  std::size_t block_bytes;
  std::size_t piece_bytes;

  std::size_t steps() const { return round_count * step_count; }
};

/// Says when a run's steps may begin: the one place that knows how Pacing differs, but for tokens, which are about
/// messages.
class Pace {
 public:
  Pace(const RunRules& rules, const RunLength& length, const RunSpace& space);

  /// Joins a barrier when all steps before it are over for this process, and awaits it; whether anything happened.
  /// Steps are counted through all rounds here.
  bool advance(std::size_t first_open_step);

  bool may_begin(std::size_t round, std::size_t step);
  void begins(std::size_t round, std::size_t step);

  /// Whether no barrier is left that others need this process for.
  bool is_over() const { return open_steps_ >= length_.steps(); }

 private:
  const RunRules& rules_;
  RunLength length_;
  std::size_t steps_per_barrier_;  ///< 0: there are no barriers
  std::size_t open_steps_ = 0;     ///< so many of all steps are behind barriers that are passed
  bool has_joined_ = false;
  StepBarrier barrier_;
  std::optional<StepClock> clock_;
};

}  // namespace cubefold::mpi
