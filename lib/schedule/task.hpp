#pragma once

#include <cstdint>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// The task <first, count> of [Calmant] 2.5: every rank sends one message to its neighbour, and receives one, in each
/// of the cube dimensions first .. first + count - 1. What an iteration of a pipelined CC-cube algorithm exchanges.
struct Task {
  int first;
  int count;

  bool operator==(const Task&) const = default;
};

/// Messages each way on the busiest link of a line during a task: (2^(first+count+1) - 2^(first+1)) / 3 for even count,
/// (2^(first+count+1) - 2^first) / 3 for odd, 0 for none. Under `standard`.
/// Throws std::invalid_argument for negative numbers and unless first + count < 63. O(1). Source: [Calmant] theorem 1.
CUBEFOLD_API std::uint64_t busiest_line_link(Task task);

/// The same on a mesh of axis_count axes with cyclic bit assignment: that of <(first + (count-1) mod axes) div axes,
/// ceil(count / axes)> on a line. Throws std::invalid_argument for axis_count < 1, and as above. O(1).
/// Source: [Calmant] theorem 3.
CUBEFOLD_API std::uint64_t busiest_mesh_link(Task task, int axis_count);

/// Steps that no schedule of the task on such a mesh goes below, with one port: the busiest link, or the messages of a
/// node, whichever is more. Source: [Calmant] theorem 4, LB.
CUBEFOLD_API std::uint64_t task_bound(Task task, int axis_count);

/// The same under any placement, by counting all messages: the busiest directed link, and with one port at least
/// task.count. Throws std::invalid_argument unless 0 <= first, 0 <= count and first + count <= d. O(count 2^d axes).
CUBEFOLD_API std::uint64_t task_bound(const Placement& placement, Task task, Ports ports, Tie tie);

}  // namespace cubefold
