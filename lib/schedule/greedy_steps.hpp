#pragma once

#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/schedule/task.hpp"

namespace cubefold {

/// Steps of a task's messages under any placement, rank by rank and within it dimension by dimension.
struct GreedySteps {
  std::vector<std::uint32_t> step_of_message;
  std::uint32_t step_count;
};

/// Messages from the longest to the shortest, each in the first step that has its ports and links free; then again, the
/// last step's messages first, for as long as steps fall away, up to a limit of rounds. O(rounds * messages * steps * hops).
GreedySteps greedy_steps(const Placement& placement, Task task, Ports ports, Tie tie);

}  // namespace cubefold
