#include "vector_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"
#include "exchange/step_load.hpp"

namespace cubefold {

namespace {

/// Returns the links that leave the node which has fewest.
double fewest_links(const Grid& grid) {
  double links = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (grid.extent(axis) > 1) links += grid.has_wrap_link(axis) ? 2 : 1;
  }
  return links;
}

/// Returns the largest share of a vector that a link across the middle of an axis has to carry, if every half sends the
/// other one half a vector.
double most_across_a_middle(const Grid& grid) {
  double most = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (grid.extent(axis) == 1) continue;
    const double lines = static_cast<double>(grid.node_count()) / grid.extent(axis);
    most = std::max(most, 0.5 / (lines * (grid.has_wrap_link(axis) ? 2 : 1)));
  }
  return most;
}

/// Returns the share of the blocks that a rank sends which the receiver reduces.
double reduced_share(VectorCollective collective, const VectorMethod& method) {
  if (collective == VectorCollective::allgather) return 0;
  return collective == VectorCollective::reduce_scatter || is_whole(method.algorithm) ? 1 : 0.5;
}

VectorCandidate candidate_of(VectorCollective collective, const VectorMethod& method,
                             const Placement& placement, std::size_t vector_bytes,
                             const ExchangeModel& model) {
  VectorCandidate candidate{method, vector_cost(collective, method, placement, model.network)};
  const double chunks =
      static_cast<double>(collective_of(collective, method, placement.rank_count()).chunk_count());
  candidate.vectors = candidate.cost.block_times() / chunks;
  const double step_seconds =
      model.alpha_seconds + 2 * model.gap_seconds * (static_cast<double>(method.channel_count) - 1);
  const double tau = std::ranges::max(model.tau_seconds_per_byte);
  const double reduced = candidate.cost.sent_blocks * reduced_share(collective, method) / chunks;
  candidate.time = {static_cast<double>(candidate.cost.step_count()) * step_seconds,
                    candidate.vectors * tau + reduced * model.copy_seconds_per_byte};
  candidate.seconds = candidate.time.seconds(vector_bytes);
  return candidate;
}

/// Returns the blocks on the busiest link or port if each rank sends one block to the rank that to(rank) returns.
template <typename To>
double load_of_step(const Placement& placement, const NetworkRules& rules, To to) {
  StepLoad load(placement, rules.ports, rules.tie);
  for (std::uint32_t rank = 0; rank < placement.rank_count(); ++rank) load.add(Rank{rank}, Rank{to(rank)}, 1);
  return load.group().block_times();
}

}  // namespace

double VectorBound::seconds(std::size_t vector_bytes, double alpha_seconds,
                            const std::vector<double>& tau_seconds_per_byte) const {
  return static_cast<double>(startups) * alpha_seconds +
         vectors * static_cast<double>(vector_bytes) * std::ranges::min(tau_seconds_per_byte);
}

VectorBound vector_bound(VectorCollective collective, const Grid& grid, Ports ports) {
  const auto nodes = static_cast<double>(grid.node_count());
  if (nodes == 1) return {};
  const double ways = collective == VectorCollective::allreduce ? 2 : 1;
  const double links = ports == Ports::one ? 1 : fewest_links(grid);
  return {ways * std::max((nodes - 1) / nodes / links, most_across_a_middle(grid)),
          startup_bound(grid, ports)};
}

VectorPlan plan_vector(VectorCollective collective, const Placement& placement, std::size_t vector_bytes,
                       const ExchangeModel& model, std::vector<VectorMethod> methods) {
  const Grid& grid = placement.grid();
  if (methods.empty()) {
    methods = vector_methods(collective, grid, model.network.ports);
    std::erase_if(methods, [](const auto& each) { return each.algorithm == VectorAlgorithm::whole_swing; });
  }
  if (methods.empty())
    throw std::invalid_argument(fmt::format("plan_vector: {} has no axes", to_string(grid)));
  VectorPlan plan{collective, vector_bytes, model, {}, {}};
  for (const VectorMethod& method : methods)
    plan.candidates.push_back(candidate_of(collective, method, placement, vector_bytes, model));
  plan.bound = vector_bound(collective, grid, model.network.ports);
  std::ranges::stable_sort(plan.candidates, {}, &VectorCandidate::seconds);
  return plan;
}

std::vector<LinearTime> vector_times_of_mpi(VectorCollective collective, const Placement& placement,
                                            const ExchangeModel& model) {
  const auto p = static_cast<std::uint32_t>(placement.rank_count());
  const double tau = model.slowest_tau();
  const double ways = collective == VectorCollective::allreduce ? 2 : 1;
  const double copy = collective == VectorCollective::allgather ? 0 : model.copy_seconds_per_byte;
  const double ring_load =
      load_of_step(placement, model.network, [p](std::uint32_t rank) { return (rank + 1) % p; });
  const double ring_bytes = static_cast<double>(p - 1) / p;
  std::vector<LinearTime> times{
      {ways * (p - 1) * model.alpha_seconds, ring_bytes * (ways * ring_load * tau + copy)}};
  const auto steps = static_cast<double>(std::bit_width(p) - 1);
  if (!std::has_single_bit(p)) {
    if (collective == VectorCollective::allreduce)
      times.push_back({(steps + 2) * model.alpha_seconds, (steps + 1) * (tau + copy)});
    return times;
  }
  double halving = 0;
  double doubling = 0;
  for (std::uint32_t mask = 1; mask < p; mask *= 2) {
    const double load =
        load_of_step(placement, model.network, [mask](std::uint32_t rank) { return rank ^ mask; });
    halving += load / (2.0 * mask);
    doubling += load;
  }
  times.push_back({ways * steps * model.alpha_seconds, ways * halving * tau + ring_bytes * copy});
  if (collective == VectorCollective::allreduce)
    times.push_back({steps * model.alpha_seconds, doubling * tau + steps * copy});
  return times;
}

}  // namespace cubefold
