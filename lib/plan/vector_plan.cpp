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

/// The algorithms of MPI libraries on p ranks, in the order of the ranks.
class MpiVectors {
 public:
  MpiVectors(VectorCollective collective, const Placement& placement, const ExchangeModel& model)
      : placement_(placement),
        model_(model),
        p_(static_cast<std::uint32_t>(placement.rank_count())),
        steps_(std::bit_width(p_) - 1.0),
        ways_(collective == VectorCollective::allreduce ? 2 : 1),
        copy_(collective == VectorCollective::allgather ? 0 : model.copy_seconds_per_byte) {}

  /// p - 1 steps to the next rank.
  LinearTime ring() const {
    const double load = load_of([this](std::uint32_t rank) { return (rank + 1) % p_; });
    return {ways_ * (p_ - 1) * model_.alpha_seconds, others() * (ways_ * load * tau() + copy_)};
  }

  /// p / 2 steps, each with one of both neighbours. Odd numbers of ranks take the ring.
  LinearTime neighbours() const {
    if (p_ % 2 == 1) return ring();
    const double up = load_of([](std::uint32_t rank) { return rank ^ 1U; });
    const double down = load_of(
        [this](std::uint32_t rank) { return rank % 2 == 1 ? (rank + 1) % p_ : (rank + p_ - 1) % p_; });
    return {p_ / 2.0 * model_.alpha_seconds, others() * (std::max(up, down) * tau() + copy_)};
  }

  /// Bruck's allgather, or the same backwards: steps to the ranks 1, 2, 4, ... below.
  LinearTime dissemination() const {
    LinearTime time{0, others() * copy_};
    for (std::uint32_t distance = 1; distance < p_; distance *= 2) {
      const double load = load_of([&](std::uint32_t rank) { return (rank + p_ - distance) % p_; });
      time.startup_seconds += model_.alpha_seconds;
      time.seconds_per_byte += std::min(distance, p_ - distance) * load / p_ * tau();
    }
    return time;
  }

  /// Halves with the rank that differs in one bit. Requires a power of two.
  LinearTime halving() const {
    double bytes = 0;
    for (std::uint32_t mask = 1; mask < p_; mask *= 2) bytes += load_of_bit(mask) / (2.0 * mask);
    return {ways_ * steps_ * model_.alpha_seconds, ways_ * bytes * tau() + others() * copy_};
  }

  /// The whole vector with the rank that differs in one bit. Other numbers than powers of two take two steps more, and
  /// count the least bytes.
  LinearTime doubling() const {
    if (!std::has_single_bit(p_))
      return {(steps_ + 2) * model_.alpha_seconds, (steps_ + 1) * (tau() + copy_)};
    double bytes = 0;
    for (std::uint32_t mask = 1; mask < p_; mask *= 2) bytes += load_of_bit(mask);
    return {steps_ * model_.alpha_seconds, bytes * tau() + steps_ * copy_};
  }

  /// Halving and doubling among the power of two below p, with a step before and one after it, and the least bytes.
  LinearTime folded_halving() const {
    const double halves = 1 - 1.0 / std::bit_floor(p_);
    return {(2 * steps_ + 2) * model_.alpha_seconds, (2 * halves + 1) * tau() + (halves + 0.5) * copy_};
  }

 private:
  double tau() const { return model_.slowest_tau(); }

  /// Returns the share of the other ranks in a vector.
  double others() const { return (p_ - 1.0) / p_; }

  template <typename To>
  double load_of(To to) const {
    return load_of_step(placement_, model_.network, to);
  }
  double load_of_bit(std::uint32_t mask) const {
    return load_of([mask](std::uint32_t rank) { return rank ^ mask; });
  }

  const Placement& placement_;
  const ExchangeModel& model_;
  std::uint32_t p_;
  double steps_;  ///< the logarithm of the power of two below p
  double ways_;
  double copy_;
};

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
    std::erase_if(methods, [](const auto& each) {
      return each.algorithm == VectorAlgorithm::whole_swing || keeps_order(each.algorithm);
    });
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
                                            const ExchangeModel& model, bool in_order) {
  const MpiVectors mpi(collective, placement, model);
  if (in_order) return {mpi.doubling()};
  std::vector<LinearTime> times{mpi.ring()};
  if (std::has_single_bit(placement.rank_count())) times.push_back(mpi.halving());
  if (collective == VectorCollective::allreduce) {
    times.push_back(mpi.doubling());
    if (!std::has_single_bit(placement.rank_count())) times.push_back(mpi.folded_halving());
  } else {
    times.push_back(mpi.dissemination());
    times.push_back(mpi.neighbours());
  }
  return times;
}

}  // namespace cubefold
