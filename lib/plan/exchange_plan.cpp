#include "cubefold/plan/exchange_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cubefold/exchange/stretches.hpp"

namespace cubefold {

namespace {

double slowest_tau(const ExchangeModel& model) {
  return *std::max_element(model.tau_seconds_per_byte.begin(), model.tau_seconds_per_byte.end());
}

double seconds_of(const Stretch& stretch, const ExchangeModel& model, double block_bytes) {
  const auto steps = static_cast<double>(stretch.steps);
  const auto startups = static_cast<double>(stretch.startups);
  const double data = stretch.blocks * block_bytes * slowest_tau(model);
  if (stretch.chained) return steps * (model.alpha_seconds + (startups - 1) * model.gap_seconds + data);
  return model.alpha_seconds - model.gap_seconds + steps * (startups * model.gap_seconds + data);
}

/// What a process may send without waiting for anything in the longest of the stretches.
double burst(const std::vector<Stretch>& stretches, double block_bytes) {
  double bytes = 0;
  for (const Stretch& stretch : stretches) {
    const double steps = stretch.chained ? 1 : static_cast<double>(stretch.steps);
    bytes = std::max(bytes, steps * stretch.blocks * block_bytes);
  }
  return bytes;
}

bool waits_anyway(const std::vector<Stretch>& stretches) {
  return std::all_of(stretches.begin(), stretches.end(),
                     [](const Stretch& stretch) { return stretch.chained || stretch.steps == 1; });
}

bool sends_many_at_once(const std::vector<Stretch>& stretches) {
  return std::any_of(stretches.begin(), stretches.end(),
                     [](const Stretch& stretch) { return stretch.startups > 1; });
}

ExchangeCandidate candidate(const ExchangeMethod& method, const Placement& placement, double block_bytes,
                            const ExchangeModel& model, const ExchangePlanOptions& options) {
  ExchangeCandidate result{method, exchange_stretches(method, placement, model.network)};
  for (const Stretch& stretch : result.stretches) {
    result.steps += stretch.steps;
    result.startups += stretch.steps * stretch.startups;
    result.seconds += seconds_of(stretch, model, block_bytes);
  }
  result.sent_blocks = sent_blocks(method, placement);
  const bool small = burst(result.stretches, block_bytes) <= static_cast<double>(options.burst_bytes);
  result.pacing = small || waits_anyway(result.stretches) ? Pacing::data : Pacing::clock;
  result.floods = !small && sends_many_at_once(result.stretches);
  result.seconds += model.barrier_seconds * (result.pacing == Pacing::clock ? 1 : 0);
  return result;
}

StepModel bound_model(const ExchangeModel& model) {
  return {model.alpha_seconds, model.tau_seconds_per_byte, 0, model.network.ports, model.network.tie};
}

std::string reason(const ExchangePlan& plan) {
  if (plan.candidates.size() == 1) return "it is the only one asked for";
  const auto& [choice, next] = std::pair(plan.candidates[0], plan.candidates[1]);
  const char* because = choice.startups < next.startups ? "fewer start-ups"
                        : choice.seconds < next.seconds ? "less on its busiest link or port"
                                                        : "first of equals";
  return fmt::format("{}: the next, {}, takes {:.3g} times as long", because, to_string(next.method),
                     choice.seconds > 0 ? next.seconds / choice.seconds : 1);
}

}  // namespace

ExchangeModel exchange_model(const Machine& machine, Tie tie) {
  return {machine.alpha_seconds,
          machine.gap_seconds,
          machine.tau_seconds_per_byte,
          machine.barrier_seconds,
          {machine.ports, tie}};
}

StepTimes ExchangePlan::times() const {
  return {choice().stretches, model.gap_seconds, slowest_tau(model)};
}

ExchangePlan plan_exchange(const Placement& placement, std::size_t block_bytes, const ExchangeModel& model,
                           const ExchangePlanOptions& options) {
  ExchangePlan plan{placement.grid(),
                    model,
                    block_bytes,
                    std::min(block_bytes, options.largest_piece_bytes),
                    complete_exchange_bound(placement.grid(), block_bytes, bound_model(model)),
                    {},
                    {}};
  for (const auto& method : options.methods.empty() ? exchange_methods(placement.grid()) : options.methods)
    plan.candidates.push_back(candidate(method, placement, static_cast<double>(block_bytes), model, options));
  std::stable_sort(plan.candidates.begin(), plan.candidates.end(), [](const auto& a, const auto& b) {
    return std::pair(a.floods, a.seconds) < std::pair(b.floods, b.seconds);
  });
  plan.why = reason(plan);
  return plan;
}

std::string describe(const ExchangePlan& plan) {
  const auto& choice = plan.choice();
  const char* pacing = choice.pacing == Pacing::clock  ? "steps by the clock"
                       : choice.pacing == Pacing::data ? "steps begin when their data are there"
                                                       : "a barrier between steps";
  return fmt::format(
      "complete exchange on {}, {} port{}, blocks of {} bytes{}\n"
      "{}: {} steps, {} start-ups, {:.4g} blocks sent by each; {}\n"
      "predicted {:.4g} ms; no exchange takes less than {:.4g} ms\n"
      "{}\n",
      to_string(plan.grid), to_string(plan.model.network.ports),
      plan.model.network.ports == Ports::one ? "" : "s", plan.block_bytes,
      plan.piece_bytes < plan.block_bytes ? fmt::format(" in pieces of {}", plan.piece_bytes) : "",
      to_string(choice.method), choice.steps, choice.startups, choice.sent_blocks, pacing,
      choice.seconds * 1e3, plan.bound.seconds() * 1e3, plan.why);
}

}  // namespace cubefold
