#include "cubefold/plan/exchange_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "cubefold/embedding/dilation.hpp"
#include "exchange/cc_cube.hpp"
#include "lossless_times.hpp"
#include "schedule/pipelining.hpp"
#include "simulation/step_model.hpp"

namespace cubefold {

namespace {

/// The factor between bytes and ExchangePlanOptions::burst_bytes within which ExchangeCandidate::other_sync is set.
constexpr double near = 4;

/// Returns the largest number of bytes that a process sends between two waits.
double burst(const std::vector<StepGroup>& groups, double block_bytes) {
  double blocks = 0;
  double most = 0;
  for (const StepGroup& group : groups) {
    if (group.waits != Waits::none) blocks = 0;
    const std::size_t steps = group.waits == Waits::each ? 1 : group.steps;
    blocks += static_cast<double>(steps) * group.block_times();
    most = std::max(most, blocks);
  }
  return most * block_bytes;
}

bool waits_anyway(const std::vector<StepGroup>& groups) {
  return std::all_of(groups.begin(), groups.end(), [](const StepGroup& group) {
    return group.waits == Waits::each || (group.waits == Waits::first && group.steps == 1);
  });
}

/// Returns whether a process sends several messages at once that share links. The messages of a step without conflicts
/// share only links that are fast enough for all of them.
bool sends_many_at_once(const ExchangeMethod& method, const std::vector<StepGroup>& groups) {
  const auto algorithm = static_cast<std::size_t>(method.algorithm);
  if (exchange_algorithms()[algorithm].is_free_of_conflicts) return false;
  return std::any_of(groups.begin(), groups.end(), [](const StepGroup& group) { return group.startups > 1; });
}

StepTimes times_of(const ExchangeCost& cost, const ExchangeModel& model) {
  return {cost.groups, model.alpha_seconds, model.gap_seconds, model.slowest_tau()};
}

/// The parameters for which methods are compared.
struct Question {
  const Placement& placement;
  std::size_t block_bytes;
  const ExchangeModel& model;
  const ExchangePlanOptions& options;

  /// Returns the bytes of the pieces in which blocks travel: on lossless networks, those of whole blocks.
  std::size_t piece_bytes() const {
    return model.queues == Queues::lossless ? block_bytes
                                            : std::min(block_bytes, options.largest_piece_bytes);
  }

  /// Predicts the time of a candidate whose steps run by data on a lossless network.
  ExchangeCandidate by_data(ExchangeCandidate candidate) const {
    candidate.routers = lossless_seconds(candidate.method, candidate.cost, placement, block_bytes, model);
    candidate.seconds = candidate.routers.transit;
    return candidate;
  }

  ExchangeCandidate candidate(const ExchangeMethod& method, ExchangeCost cost) const {
    ExchangeCandidate result{method, std::move(cost)};
    if (model.queues == Queues::lossless) return by_data(std::move(result));
    const auto& groups = result.cost.groups;
    const double bytes = burst(groups, static_cast<double>(block_bytes));
    const auto most_bytes = static_cast<double>(options.burst_bytes);
    const bool small = bytes <= most_bytes;
    result.sync = small || waits_anyway(groups) ? StepSync::data : StepSync::clock;
    if (!waits_anyway(groups) && bytes * near >= most_bytes && bytes <= most_bytes * near)
      result.other_sync = small ? StepSync::clock : StepSync::data;
    result.oversubscribes = !small && sends_many_at_once(method, groups);
    result.seconds = times_of(result.cost, model).seconds(block_bytes, piece_bytes()) +
                     (result.sync == StepSync::clock ? model.barrier_seconds : 0);
    return result;
  }
};

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

/// Returns the lower bound. An exchange of n >= startup_bound() messages with k waits, 1 <= k <= n, takes k (alpha -
/// gap) + n gap for start-ups. The minimum is at k = 1 if gap < alpha, and at k = n otherwise. Where queues are
/// lossless, all start-ups but the first overlap with bytes.
ExchangeBound bound_of(const Grid& grid, std::size_t block_bytes, const ExchangeModel& model) {
  ExchangeBound bound = complete_exchange_bound(grid, block_bytes, bound_model(model));
  if (grid.node_count() == 1) return bound;
  if (model.queues == Queues::lossless) {
    bound.startup_seconds = model.alpha_seconds;
    return bound;
  }
  const auto more = static_cast<double>(startup_bound(grid, model.network.ports) - 1);
  bound.startup_seconds = model.alpha_seconds + more * std::min(model.alpha_seconds, model.gap_seconds);
  return bound;
}

/// Returns whether there are formulas for the tasks of the placement. There are none for tables of nodes or routes and
/// for distances that are not constant.
bool has_pipelined_exchange(const Placement& placement) {
  if (placement.grid().route_table() != nullptr) return false;
  const std::size_t rank_count = placement.rank_count();
  if (!std::has_single_bit(rank_count) || rank_count < 4 || !placement.rule().nodes.empty()) return false;
  const auto distances = constant_distances(placement);
  return std::all_of(distances.begin(), distances.end(), [](const auto& each) { return each.has_value(); });
}

/// Returns the pipelined exchange with the best number of packets. Among equal times it has the fewest packets.
ExchangeCandidate pipelined_candidate(const Placement& placement, const Question& question) {
  const auto& [ports, tie] = question.model.network;
  PipelinedCcCubeCosts costs(placement, ports, tie);
  std::optional<ExchangeCandidate> best;
  for (const auto packet_count : packet_counts(dimension_count(placement), placement.rank_count() / 2)) {
    const ExchangeMethod method{ExchangeAlgorithm::cc_cube, {static_cast<std::uint32_t>(packet_count)}};
    auto next = question.candidate(method, costs.of(packet_count));
    if (!best || next.seconds < best->seconds) best = std::move(next);
  }
  return std::move(*best);
}

std::vector<ExchangeMethod> methods_for(const Grid& grid, const ExchangePlanOptions& options) {
  if (!options.compares_all) return options.methods.empty() ? compared_methods(grid) : options.methods;
  auto methods = exchange_methods(grid);
  for (const auto& method : options.methods)
    if (std::find(methods.begin(), methods.end(), method) == methods.end()) methods.push_back(method);
  return methods;
}

std::vector<ExchangeCandidate> candidates_for(const Placement& placement, const Question& question) {
  std::vector<ExchangeCandidate> candidates;
  for (const auto& method : methods_for(placement.grid(), question.options)) {
    auto cost = exchange_cost(method, placement, question.model.network);
    candidates.push_back(question.candidate(method, std::move(cost)));
  }
  if (question.options.compares_all && has_pipelined_exchange(placement))
    candidates.push_back(pipelined_candidate(placement, question));
  return candidates;
}

/// Returns the part of a candidate's seconds that does not depend on bytes, with the barrier.
double empty_seconds(const ExchangeCandidate& candidate, const ExchangePlan& plan) {
  ExchangeModel free_bytes = plan.model;
  free_bytes.tau_seconds_per_byte = {0};
  return times_of(candidate.cost, free_bytes).seconds(plan.block_bytes, plan.piece_bytes) +
         (candidate.sync == StepSync::clock ? plan.model.barrier_seconds : 0);
}

std::string comparison(double seconds, double next_seconds) {
  const double more = seconds > 0 ? next_seconds / seconds - 1 : 0;
  if (std::abs(more) < 5e-4) return "as long";
  if (more >= 1) return fmt::format("{:.3g} times as long", more + 1);
  return fmt::format("{:.2g} % {}", std::abs(more) * 100, more > 0 ? "longer" : "less");
}

std::string reason(const ExchangePlan& plan) {
  if (plan.candidates.size() == 1) return "it is the only one asked for";
  const auto& [choice, next] = std::pair(plan.candidates[0], plan.candidates[1]);
  if (plan.model.queues == Queues::lossless) {
    return fmt::format("the time of {} decides; the next, {}, is predicted to take {}",
                       choice.routers.is_bound_by_cpu() ? "messages and copies" : "links and latency",
                       to_string(next.method), comparison(choice.seconds, next.seconds));
  }
  const double gain = next.seconds - choice.seconds;
  const double empty_gain = empty_seconds(next, plan) - empty_seconds(choice, plan);
  const bool has_fewer_startups = choice.cost.startup_count() < next.cost.startup_count();
  const char* because = choice.oversubscribes != next.oversubscribes
                            ? "it sends no more at once than queues hold"
                        : gain <= 0              ? "it is the first of equals"
                        : empty_gain <= gain / 2 ? "its busiest link or port carries less"
                        : has_fewer_startups     ? "it has fewer start-ups"
                                                 : "its start-ups take less time";
  return fmt::format("chosen because {}; the next, {}, is predicted to take {}", because,
                     to_string(next.method), comparison(choice.seconds, next.seconds));
}

}  // namespace

ExchangeModel exchange_model(const Machine& machine, Tie tie) {
  return {machine.alpha_seconds, machine.gap_seconds, machine.tau_seconds_per_byte, machine.barrier_seconds,
          {machine.ports, tie},  machine.queues,      machine.copy_seconds_per_byte};
}

ExchangeModel typical_network() {
  constexpr double alpha_seconds = 50e-6;
  constexpr double gap_seconds = 10e-6;
  constexpr double tau_seconds_per_byte = 1e-8;
  return {alpha_seconds, gap_seconds, {tau_seconds_per_byte}, alpha_seconds, {}};
}

StepTimes ExchangePlan::times() const {
  return times_of(choice().cost, model);
}

namespace {

/// Returns a plan with the candidates in the order of their choice.
ExchangePlan plan_of(const Question& question, std::vector<ExchangeCandidate> candidates) {
  ExchangePlan plan{question.placement.grid(),
                    question.model,
                    question.block_bytes,
                    question.piece_bytes(),
                    bound_of(question.placement.grid(), question.block_bytes, question.model),
                    std::move(candidates),
                    {}};
  std::stable_sort(plan.candidates.begin(), plan.candidates.end(), [](const auto& a, const auto& b) {
    return std::pair(a.oversubscribes, a.seconds) < std::pair(b.oversubscribes, b.seconds);
  });
  plan.why = reason(plan);
  return plan;
}

std::string predicted_text(const ExchangeCandidate& choice, Queues queues) {
  if (queues != Queues::lossless) return fmt::format("predicted {:.4g} ms", choice.seconds * 1e3);
  const RouterSeconds& routers = choice.routers;
  return fmt::format("predicted {:.4g} to {:.4g} ms by the routers, {:.4g} of them for messages and copies",
                     routers.least() * 1e3, routers.most() * 1e3, routers.cpu * 1e3);
}

}  // namespace

ExchangePlan plan_exchange(const Placement& placement, std::size_t block_bytes, const ExchangeModel& model,
                           const ExchangePlanOptions& options) {
  require_model(model, placement.grid());
  const Question question{placement, block_bytes, model, options};
  return plan_of(question, candidates_for(placement, question));
}

ExchangePlan plan_for_size(const ExchangePlan& plan, const Placement& placement, std::size_t block_bytes) {
  const ExchangePlanOptions options;
  const Question question{placement, block_bytes, plan.model, options};
  std::vector<ExchangeCandidate> candidates;
  for (const ExchangeCandidate& each : plan.candidates)
    candidates.push_back(question.candidate(each.method, each.cost));
  return plan_of(question, std::move(candidates));
}

std::string describe(const ExchangePlan& plan) {
  const auto& choice = plan.choice();
  const char* sync =
      choice.sync == StepSync::clock ? "steps by the clock" : "steps begin when their data are there";
  return fmt::format(
      "complete exchange on {}, {} port{}, blocks of {} bytes{}\n"
      "{}: {} steps, {} start-ups, {:.4g} blocks sent by each; {}\n"
      "{}; no exchange takes less than {:.4g} ms\n"
      "{}\n",
      to_string(plan.grid), to_string(plan.model.network.ports),
      plan.model.network.ports == Ports::one ? "" : "s", plan.block_bytes,
      plan.piece_bytes < plan.block_bytes ? fmt::format(" in pieces of {}", plan.piece_bytes) : "",
      to_string(choice.method), choice.cost.step_count(), choice.cost.startup_count(),
      choice.cost.sent_blocks, sync, predicted_text(choice, plan.model.queues), plan.bound.seconds() * 1e3,
      plan.why);
}

}  // namespace cubefold
