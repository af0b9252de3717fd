#include "alltoall_setup.hpp"

#include <algorithm>

namespace cubefold {

namespace {

/// AlltoallSetup::send_window_steps for StepSync::clock. The clock keeps processes closer than this, except for a
/// process that is delayed.
constexpr std::size_t window_of_clock = 8;

/// Returns whether no step of the exchange waits for the step before it.
bool is_burst(const ExchangeCandidate& candidate) {
  const auto& groups = candidate.cost.groups;
  return std::none_of(groups.begin(), groups.end(),
                      [](const StepGroup& group) { return group.waits == Waits::each; });
}

std::size_t send_window_steps(const ExchangeCandidate& candidate, StepSync sync) {
  switch (sync) {
    case StepSync::data:
      return is_burst(candidate) ? unlimited_steps : AlltoallSetup{}.send_window_steps;
    case StepSync::clock:
      break;
  }
  return window_of_clock;
}

}  // namespace

AlltoallSetup setup_of(const ExchangePlan& plan, std::optional<StepSync> forced) {
  AlltoallSetup setup{.method = plan.choice().method, .network = plan.model.network};
  setup.sync = forced.value_or(plan.choice().sync);
  setup.times = plan.times();
  setup.piece_bytes = plan.piece_bytes < plan.block_bytes ? plan.piece_bytes : 0;
  setup.send_window_steps = send_window_steps(plan.choice(), setup.sync);
  return setup;
}

std::size_t least_single_block_bytes(double gap_seconds, double memory_bytes_per_second) {
  constexpr double typical_gap_seconds = 0.3e-6;
  constexpr double copies_of_message = 0.7;
  const double gap = gap_seconds > 0 ? gap_seconds : typical_gap_seconds;
  return static_cast<std::size_t>(gap * memory_bytes_per_second / copies_of_message);
}

}  // namespace cubefold
