#include "exchange_setups.hpp"

#include <limits>

#include "lossless_times.hpp"

namespace cubefold {

ExchangeModel ExchangeSetups::model() const {
  if (!facts_.machine) return model_without_times();
  ExchangeModel model = exchange_model(*facts_.machine, Tie::balanced);
  model.queues = facts_.queues();
  return model;
}

ExchangeModel ExchangeSetups::model_without_times() const {
  ExchangeModel model = typical_network();
  model.network.ports = facts_.ports;
  return model;
}

ExchangePlan ExchangeSetups::plan_on(const Placement& placement, std::size_t block_bytes,
                                     const ExchangePlanOptions& options, std::optional<Ports> ports) const {
  const bool has_times = facts_.machine && placement.grid() == facts_.network();
  ExchangeModel used = has_times ? model() : model_without_times();
  used.network.ports = ports.value_or(used.network.ports);
  return plan_exchange(placement, block_bytes, used, options);
}

ExchangeLoad ExchangeSetups::load_of(const ExchangeMethod& method, Ports ports) const {
  const ExchangeCost cost = exchange_cost(method, facts_.placement, {ports, model().network.tie});
  return {static_cast<double>(cost.startup_count()), cost.block_times()};
}

AlltoallSetup ExchangeSetups::setup_of(const ExchangePlan& plan, const AlltoallCandidate& candidate) const {
  AlltoallSetup setup = cubefold::setup_of(plan, candidate.sync);
  setup.backend = candidate.backend;
  const bool has_own_slots = candidate.slot_tau_seconds && !candidate.has_no_slots_yet();
  if (has_own_slots) {
    setup.times.alpha_seconds = setup.times.gap_seconds = 0;
    setup.times.tau_seconds_per_byte = *candidate.slot_tau_seconds;
  }
  const bool has_slots =
      has_own_slots || (has_times(plan) && !candidate.window_steps && candidate.backend != Backend::by_size);
  if (setup.sync == StepSync::clock && !has_slots) {
    setup.sync = StepSync::data;
    setup.send_window_steps = short_window_steps;
  }
  if (candidate.backend == Backend::by_size) setup.send_window_steps = long_window_steps;
  if (candidate.window_steps) {
    setup.send_window_steps = *candidate.window_steps;
    setup.piece_bytes = 0;
  }
  const bool is_lossless = facts_.queues() == Queues::lossless && candidate.backend == Backend::schedule;
  if (!is_lossless && candidate.window_steps != unlimited_steps) return setup;
  setup.sync = StepSync::data;
  setup.piece_bytes = 0;
  setup.send_window_steps = unlimited_steps;
  setup.bytes_in_flight = std::numeric_limits<std::size_t>::max();
  if (is_lossless)
    setup.single_block_bytes = facts_.machine ? single_block_bytes(model()) : least_single_block_bytes(0);
  return setup;
}

AlltoallCandidate ExchangeSetups::candidate_of(const ExchangePlan& plan) const {
  AlltoallCandidate candidate{plan.choice().method};
  candidate.setup = setup_of(plan, candidate);
  return candidate;
}

}  // namespace cubefold
