#include "vector_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"

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
  const double chunk_bytes = static_cast<double>(vector_bytes) / chunks;
  candidate.vectors = candidate.cost.block_times() / chunks;
  const double step_seconds =
      model.alpha_seconds + 2 * model.gap_seconds * (static_cast<double>(method.channel_count) - 1);
  const double tau = std::ranges::max(model.tau_seconds_per_byte);
  const double reduced = candidate.cost.sent_blocks * reduced_share(collective, method) * chunk_bytes;
  candidate.seconds = static_cast<double>(candidate.cost.step_count()) * step_seconds +
                      candidate.cost.block_times() * chunk_bytes * tau +
                      reduced * model.copy_seconds_per_byte;
  return candidate;
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

}  // namespace cubefold
