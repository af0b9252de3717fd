#include <algorithm>
#include <limits>

#include "cubefold/mpi/alltoall_plan.hpp"

namespace cubefold::mpi {

namespace {

/// The clock keeps processes closer than this, except for one that is held up.
constexpr std::size_t steps_behind_clock = 8;

/// No step is so late, and it may be added to a step without overflow.
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max() / 2;

/// Returns whether nothing that a process has to send waits for the step that others are in.
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
