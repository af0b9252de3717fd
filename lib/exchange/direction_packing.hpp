#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// A set of directions of axes: bit 2 a is the upward direction of axis a, and bit 2 a + 1 the downward one.
using Directions = std::uint32_t;

/// Lets jobs that use different directions run in the same steps. A job is known by its directions and a number of
/// steps; it may be interrupted. This is an open shop whose machines are the directions. In each round the jobs are
/// taken whose directions do not meet and have the most work left, until one of them ends or until a direction that
/// rests has as much work left as the busiest one.
class CUBEFOLD_API DirectionPacking {
 public:
  static constexpr std::size_t most_axes = 5;

  /// Takes the steps of the job with directions d as element d. Job 0 uses no direction and is left out. The result is
  /// the same on all processes. Each round costs O(jobs * directions) and looks at no more than 3000 sets of jobs.
  explicit DirectionPacking(std::vector<std::size_t> steps_of_job);

  std::size_t step_count() const { return step_count_; }

  /// Returns when step number `step` of a job runs. Costs O(log rounds).
  std::size_t step_of(Directions job, std::size_t step) const;

 private:
  /// From step number `from` on, a job runs from step `start` on.
  struct Piece {
    std::size_t from;
    std::size_t start;
  };

  std::vector<std::vector<Piece>> pieces_;  ///< of each job, ascending
  std::size_t step_count_ = 0;
};

}  // namespace cubefold
