#include "cubefold/plan/exchange_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "../simulation/step_model.hpp"
#include "cubefold/embedding/dilation.hpp"
#include "cubefold/exchange/stretches.hpp"
#include "cubefold/schedule/pipelining.hpp"

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

void require_model(const ExchangeModel& model, const Grid& grid) {
  for (const double seconds : {model.barrier_seconds, model.gap_seconds}) {
    StepModel times = bound_model(model);
    times.barrier_seconds = seconds;
    require_fit("plan_exchange", times, grid);
  }
}

/// Of k waits and n messages one behind the other or not, n >= startup_bound(): k (alpha - gap) + n gap with 1 <= k <= n is least
/// for k = 1 where gap < alpha, and for k = n where it is not.
ExchangeBound bound_of(const Grid& grid, std::size_t block_bytes, const ExchangeModel& model) {
  ExchangeBound bound = complete_exchange_bound(grid, block_bytes, bound_model(model));
  if (grid.node_count() == 1) return bound;
  const auto more = static_cast<double>(startup_bound(grid, model.network.ports) - 1);
  bound.startup_seconds = model.alpha_seconds + more * std::min(model.alpha_seconds, model.gap_seconds);
  return bound;
}

/// The pipelined exchange with the best number of packets; tables of nodes and placements without constant distances have no
/// formula for their tasks.
std::vector<ExchangeMethod> pipelined_methods(const Placement& placement, std::size_t block_bytes,
                                              const ExchangeModel& model) {
  const std::size_t rank_count = placement.rank_count();
  if (!std::has_single_bit(rank_count) || rank_count < 4 || !placement.rule().nodes.empty()) return {};
  const auto distances = constant_distances(placement);
  if (!std::all_of(distances.begin(), distances.end(), [](const auto& each) { return each.has_value(); }))
    return {};
  const TaskStepCounts counts(placement, model.network.ports, model.network.tie);
  const PipelineCosts costs{model.gap_seconds, slowest_tau(model), model.alpha_seconds - model.gap_seconds};
  const auto best = best_packet_count(counts, {rank_count / 2, block_bytes}, costs);
  return {{ExchangeAlgorithm::cc_cube, {static_cast<std::uint32_t>(best.packet_count)}}};
}

std::vector<ExchangeMethod> methods_for(const Placement& placement, std::size_t block_bytes,
                                        const ExchangeModel& model, const ExchangePlanOptions& options) {
  if (!options.methods.empty()) return options.methods;
  auto methods = exchange_methods(placement.grid());
  for (auto& method : pipelined_methods(placement, block_bytes, model)) methods.push_back(std::move(method));
  return methods;
}

/// Of a candidate's seconds those that blocks of no bytes would take, barrier included.
double empty_seconds(const ExchangeCandidate& candidate, const ExchangeModel& model) {
  double seconds = candidate.pacing == Pacing::clock ? model.barrier_seconds : 0;
  for (const Stretch& stretch : candidate.stretches) seconds += seconds_of(stretch, model, 0);
  return seconds;
}

std::string comparison(double seconds, double next_seconds) {
  const double more = seconds > 0 ? next_seconds / seconds - 1 : 0;
  if (std::abs(more) < 5e-4) return "takes as long";
  if (more >= 1) return fmt::format("takes {:.3g} times as long", more + 1);
  return fmt::format("takes {:.2g} % {}", std::abs(more) * 100, more > 0 ? "longer" : "less");
}

std::string reason(const ExchangePlan& plan) {
  if (plan.candidates.size() == 1) return "it is the only one asked for";
  const auto& [choice, next] = std::pair(plan.candidates[0], plan.candidates[1]);
  const double gain = next.seconds - choice.seconds;
  const double empty_gain = empty_seconds(next, plan.model) - empty_seconds(choice, plan.model);
  const char* because = choice.floods != next.floods      ? "less than queues hold"
                        : gain <= 0                       ? "first of equals"
                        : empty_gain <= gain / 2          ? "less on its busiest link or port"
                        : choice.startups < next.startups ? "fewer start-ups"
                                                          : "less time for start-ups";
  return fmt::format("{}: the next, {}, {}", because, to_string(next.method),
                     comparison(choice.seconds, next.seconds));
}

}  // namespace

ExchangeModel exchange_model(const Machine& machine, Tie tie) {
  return {machine.alpha_seconds,
          machine.gap_seconds,
          machine.tau_seconds_per_byte,
          machine.barrier_seconds,
          {machine.ports, tie}};
}

ExchangeModel typical_network() {
  constexpr double alpha_seconds = 50e-6;
  constexpr double gap_seconds = 10e-6;
  constexpr double tau_seconds_per_byte = 1e-8;
  return {alpha_seconds, gap_seconds, {tau_seconds_per_byte}, alpha_seconds, {}};
}

StepTimes ExchangePlan::times() const {
  return {choice().stretches, model.gap_seconds, slowest_tau(model)};
}

ExchangePlan plan_exchange(const Placement& placement, std::size_t block_bytes, const ExchangeModel& model,
                           const ExchangePlanOptions& options) {
  require_model(model, placement.grid());
  ExchangePlan plan{placement.grid(),
                    model,
                    block_bytes,
                    std::min(block_bytes, options.largest_piece_bytes),
                    bound_of(placement.grid(), block_bytes, model),
                    {},
                    {}};
  for (const auto& method : methods_for(placement, block_bytes, model, options))
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
