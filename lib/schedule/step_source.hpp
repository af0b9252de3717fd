#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "conflict.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "delivery.hpp"

namespace cubefold {

/// Describes a schedule whose steps are built when they are asked for, so that a schedule that is too large for memory
/// can be checked. A direct exchange of 4096 ranks takes over 1 GB; each of its steps takes 260 KB.
class CUBEFOLD_API StepSource {
 public:
  /// Makes a source of step_count steps, where make_step(k) returns step k.
  StepSource(std::size_t rank_count, std::size_t step_count, std::function<Step(std::size_t)> make_step);

  std::size_t rank_count() const { return rank_count_; }
  std::size_t step_count() const { return step_count_; }

  /// Builds step k anew. Requires k < step_count().
  Step step(std::size_t k) const { return make_step_(k); }

 private:
  std::size_t rank_count_;
  std::size_t step_count_;
  std::function<Step(std::size_t)> make_step_;
};

/// Returns the schedule of all steps, in memory.
CUBEFOLD_API Schedule schedule_of(const StepSource& steps);

/// Returns what first_delivery_fault(schedule_of(steps)) returns, with no more than one step in memory at a time.
CUBEFOLD_API std::optional<DeliveryFault> first_delivery_fault(const StepSource& steps);

/// Returns what first_conflict() returns for schedule_of(steps), with no more than one step in memory at a time.
CUBEFOLD_API std::optional<Conflict> first_conflict(const Placement& placement, const StepSource& steps,
                                                    Ports ports, Tie tie);

}  // namespace cubefold
