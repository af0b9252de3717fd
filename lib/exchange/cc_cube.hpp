#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/route.hpp"
#include "schedule/task.hpp"

namespace cubefold {

/// Computes the cost of a pipelined CC-cube exchange for any number of packets. It schedules each task when the task is
/// first needed, and keeps the result.
class CUBEFOLD_API PipelinedCcCubeCosts {
 public:
  /// Throws std::invalid_argument if the number of ranks is not a power of two.
  PipelinedCcCubeCosts(const Placement& placement, Ports ports, Tie tie);

  /// Returns the cost with this number of packets. Costs O(iterations * groups of equal steps in a task) and the task
  /// schedules. Throws std::invalid_argument unless 1 <= packet_count <= 2^(d-1), or 1 for d = 0.
  ExchangeCost of(std::uint64_t packet_count);

 private:
  /// Counts steps in a row of a task in which messages travel in the same dimensions; bit k stands for dimension k.
  struct EqualSteps {
    std::size_t steps;
    std::uint32_t dimensions;
  };

  struct TaskSteps {
    std::vector<EqualSteps> by_dimensions;
    /// Joins steps in a row if all of them use some dimension or none of them uses any.
    std::vector<EqualSteps> by_use;
  };

  const TaskSteps& steps_of(Task task);

  Placement placement_;
  int dimension_count_;
  Ports ports_;
  Tie tie_;
  std::map<std::pair<int, int>, TaskSteps> tasks_;  ///< by the first and count of the task
};

}  // namespace cubefold
