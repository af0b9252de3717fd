#include <algorithm>
#include <limits>

#include "cubefold/mpi/alltoall_plan.hpp"

namespace cubefold::mpi {

namespace {

/// AlltoallSetup::steps_behind for Pacing::clock. The clock keeps processes closer than this, except for a process that
/// is delayed.
constexpr std::size_t steps_behind_clock = 8;

/// A number of steps that no schedule has. It can be added to a step without overflow.
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max() / 2;

/// Returns whether no step of the exchange waits for the step before it.
bool is_burst(const ExchangeCandidate& candidate) {
  const auto& groups = candidate.cost.groups;
  return std::none_of(groups.begin(), groups.end(),
                      [](const StepGroup& group) { return group.waits == Waits::each; });
}

std::size_t steps_behind(const ExchangeCandidate& candidate, Pacing pacing) {
  switch (pacing) {
    case Pacing::data:
      return is_burst(candidate) ? unlimited : AlltoallSetup{}.steps_behind;
    case Pacing::clock:
      return steps_behind_clock;
    case Pacing::tokens:
      break;
    case Pacing::barriers:
      return 1;
  }
  return AlltoallSetup{}.steps_behind;
}

}  // namespace

AlltoallSetup setup_of(const ExchangePlan& plan, std::optional<Pacing> forced) {
  AlltoallSetup setup{.method = plan.choice().method, .network = plan.model.network};
  setup.pacing = forced.value_or(plan.choice().pacing);
  setup.times = plan.times();
  setup.piece_bytes = plan.piece_bytes < plan.block_bytes ? plan.piece_bytes : 0;
  setup.steps_behind = steps_behind(plan.choice(), setup.pacing);
  return setup;
}

}  // namespace cubefold::mpi
