#include "cubefold/mpi/run_rules.hpp"

#include <algorithm>
#include <limits>

namespace cubefold::mpi {

namespace {

/// The clock keeps processes closer than this, but for one that is held up.
constexpr std::size_t behind_clock = 8;

/// Never reached, and may be added to a step without overflow.
constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max() / 2;

/// Nothing that a process has to send waits for the step that others are in.
bool is_burst(const ExchangeCandidate& candidate) {
  const auto& groups = candidate.cost.groups;
  return std::none_of(groups.begin(), groups.end(),
                      [](const StepGroup& group) { return group.waits == Waits::each; });
}

std::size_t steps_behind(const ExchangeCandidate& candidate, Pacing pacing) {
  switch (pacing) {
    case Pacing::data:
      return is_burst(candidate) ? unlimited : RunRules{}.steps_behind;
    case Pacing::clock:
      return behind_clock;
    case Pacing::tokens:
      break;
    case Pacing::barriers:
      return 1;
  }
  return RunRules{}.steps_behind;
}

}  // namespace

RunRules run_rules(const ExchangePlan& plan, std::optional<Pacing> forced) {
  RunRules rules;
  rules.pacing = forced.value_or(plan.choice().pacing);
  rules.times = plan.times();
  rules.piece_bytes = plan.piece_bytes < plan.block_bytes ? plan.piece_bytes : 0;
  rules.steps_behind = steps_behind(plan.choice(), rules.pacing);
  return rules;
}

}  // namespace cubefold::mpi
