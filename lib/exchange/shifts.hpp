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

/// Steps that consist of such messages.
class ShiftSteps {
 public:
  /// Keeps a reference to the placement. O(p).
  ShiftSteps(const Placement& placement, Ports ports, Tie tie);

  /// O(axes) for a single shift where rank n sits on node n, else O(shifts * p * axes). Requires offsets from 1 to p -
  /// 1.
  StepGroup step(const std::vector<Shift>& shifts) const;

 private:
  std::uint64_t busiest_link(const std::vector<Shift>& shifts) const;

  const Placement& placement_;
  Ports ports_;
  Tie tie_;
  bool ranks_are_nodes_;
};

}  // namespace cubefold
