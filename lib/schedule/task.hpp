#pragma once

#include <cstdint>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Describes the task <first, count> of [Calmant] 2.5: every rank sends one message to its neighbour, and receives one,
/// in each of the cube dimensions first .. first + count - 1. Each iteration of a pipelined CC-cube algorithm is a
/// task.
struct Task {
  int first;
  int count;

  bool operator==(const Task&) const = default;
};

/// Returns the number of messages each way on the busiest link of a line during a task under `standard`:
/// (2^(first+count+1) - 2^(first+1)) / 3 for even count, (2^(first+count+1) - 2^first) / 3 for odd count, 0 for count =
/// 0. Throws std::invalid_argument for negative numbers and unless first + count < 63. Costs O(1). Source: [Calmant]
/// theorem 1.
CUBEFOLD_API std::uint64_t busiest_line_link(Task task);

/// Returns the number of messages each way on the busiest link of a mesh of axis_count axes with cyclic bit assignment
/// during a task: busiest_line_link() of the task <(first + (count-1) mod axes) div axes, ceil(count / axes)>. Throws
/// std::invalid_argument for axis_count < 1, for negative numbers and unless first + count < 63. Costs O(1). Source:
/// [Calmant] theorem 3.
CUBEFOLD_API std::uint64_t busiest_mesh_link(Task task, int axis_count);

/// Returns a lower bound of the steps of every one-port schedule of the task on a mesh of axis_count axes with cyclic
/// bit assignment: busiest_mesh_link() or the number of messages of a node, whichever is larger. Source: [Calmant]
/// theorem 4, LB.
CUBEFOLD_API std::uint64_t task_bound(Task task, int axis_count);

/// Returns a lower bound of the steps of every schedule of the task under a placement, by counting all messages: the
/// load of the busiest directed link, and with one port at least task.count. Throws std::invalid_argument unless 0 <=
/// first, 0 <= count and first + count <= d. Costs O(count 2^d axes).
CUBEFOLD_API std::uint64_t task_bound(const Placement& placement, Task task, Ports ports, Tie tie);

}  // namespace cubefold
