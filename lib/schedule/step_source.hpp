#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/conflict.hpp"
#include "cubefold/schedule/delivery.hpp"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// A schedule whose steps are made when they are asked for, so that one too large to be kept can be checked: a direct
/// exchange of 4096 ranks takes over 1 GB, its steps 260 KB each.
class CUBEFOLD_API StepSource {
 public:
  /// make_step(k) gives step k of step_count.
  StepSource(std::size_t rank_count, std::size_t step_count, std::function<Step(std::size_t)> make_step);

  std::size_t rank_count() const { return rank_count_; }
  std::size_t step_count() const { return step_count_; }

  /// Makes step k anew. Requires k < step_count().
  Step step(std::size_t k) const { return make_step_(k); }

 private:
  std::size_t rank_count_;
  std::size_t step_count_;
  std::function<Step(std::size_t)> make_step_;
};

/// All steps, kept.
CUBEFOLD_API Schedule schedule_of(const StepSource& steps);

/// As of schedule_of(steps), with no more than one step in memory at a time.
CUBEFOLD_API std::optional<DeliveryFault> first_delivery_fault(const StepSource& steps);
CUBEFOLD_API std::optional<Conflict> first_conflict(const Placement& placement, const StepSource& steps,
                                                    Ports ports, Tie tie);

}  // namespace cubefold
