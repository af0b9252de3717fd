#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/step_group.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// A message of every rank to the rank `offset` above it, mod their number.
struct Shift {
  std::size_t offset;
  std::uint64_t blocks;
};

/// A step that consists of such messages. O(p) for a single shift where rank n sits on node n, else
/// O(shifts * p * axes). Requires offsets from 1 to p - 1.
StepGroup step_of_shifts(const Placement& placement, const std::vector<Shift>& shifts, Ports ports, Tie tie);

}  // namespace cubefold
