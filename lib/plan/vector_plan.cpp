#include "vector_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route_table.hpp"
#include "exchange/step_load.hpp"

namespace cubefold {

namespace {

/// Returns the sum of the rates of the links that leave a node, for the node with the least sum.
double least_rate(const RouteTable& table) {
  std::vector<double> rates(table.vertex_count(), 0);
  for (const TableLink& link : table.links()) rates[link.from] += link.rate;
  rates.resize(table.node_count());
  return std::ranges::min(rates);
}

/// Returns the links that leave the node which has fewest.
double fewest_links(const Grid& grid) {
  if (const RouteTable* table = grid.route_table()) return least_rate(*table);
  double links = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (grid.extent(axis) > 1) links += grid.has_wrap_link(axis) ? 2 : 1;
  }
  return links;
}

/// Returns the largest share of a vector that a link across the middle of an axis has to carry, if every half sends the
/// other one half a vector. The axes of a route table say nothing about links.
double most_across_a_middle(const Grid& grid) {
  if (grid.route_table() != nullptr) return 0;
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

/// Returns the times of the steps on a node.
LinearTime time_on_node(const NodeVectorCost& cost, const ExchangeModel& model) {
  return {2 * model.gap_seconds * static_cast<double>(cost.step_count),
          (cost.copied_vectors + cost.reduced_vectors) * model.copy_seconds_per_byte};
}

/// Returns how many times the blocks of a node are those of a node with the mean number of ranks.
double block_excess(VectorCollective collective, const NodeSharing& sharing) {
  if (collective == VectorCollective::allreduce) return 1;
  return static_cast<double>(sharing.largest_group() * sharing.group_count()) /
         static_cast<double>(sharing.rank_count());
}

VectorCandidate candidate_of(VectorCollective collective, const VectorMethod& method,
                             const NodeSharing& sharing, std::size_t vector_bytes,
                             const ExchangeModel& model) {
  VectorCandidate candidate{method, vector_cost(collective, method, sharing.groups(), model.network)};
  const double chunks =
      static_cast<double>(collective_of(collective, method, sharing.group_count()).chunk_count()) /
      block_excess(collective, sharing);
  candidate.vectors = candidate.cost.block_times() / chunks;
  candidate.on_node = node_vector_cost(collective, method, sharing);
  const std::size_t carriers = carrier_count(method, sharing);
  const std::size_t most_channels_of_rank = (method.channel_count + carriers - 1) / carriers;
  const auto channels_of_rank = static_cast<double>(most_channels_of_rank);
  const double step_seconds = model.alpha_seconds + 2 * model.gap_seconds * (channels_of_rank - 1);
  const double tau = std::ranges::max(model.tau_seconds_per_byte);
  const double reduced = candidate.cost.sent_blocks * reduced_share(collective, method) / chunks *
                         channels_of_rank / static_cast<double>(method.channel_count);
  const LinearTime on_node = time_on_node(candidate.on_node, model);
  candidate.time = {
      static_cast<double>(candidate.cost.step_count()) * step_seconds + on_node.startup_seconds,
      candidate.vectors * tau + reduced * model.copy_seconds_per_byte + on_node.seconds_per_byte};
  candidate.seconds = candidate.time.seconds(vector_bytes);
  return candidate;
}

/// The algorithms of MPI libraries on p ranks, in the order of the ranks.
class MpiVectors {
 public:
  MpiVectors(VectorCollective collective, const NodeSharing& sharing, const ExchangeModel& model)
      : collective_(collective),
        sharing_(sharing),
        model_(model),
        p_(static_cast<std::uint32_t>(sharing.rank_count())),
        powers_(std::bit_width(p_) - 1.0),
        ways_(collective == VectorCollective::allreduce ? 2 : 1),
        copy_(collective == VectorCollective::allgather ? 0 : model.copy_seconds_per_byte) {}

  /// Returns the times of all algorithms, or of the one that keeps the order of the ranks.
  std::vector<LinearTime> times(bool in_order) const {
    if (in_order) return {doubling()};
    std::vector<LinearTime> times{ring()};
    const bool is_power = std::has_single_bit(p_);
    if (is_power) times.push_back(halving());
    if (collective_ == VectorCollective::allreduce) {
      times.push_back(doubling());
      if (!is_power) times.push_back(folded_halving());
    } else {
      times.push_back(dissemination());
      times.push_back(neighbours());
    }
    return times;
  }

 private:
  /// p - 1 steps to the next rank.
  LinearTime ring() const {
    const LinearTime step = step_to([this](std::uint32_t rank) { return (rank + 1) % p_; });
    return {ways_ * (p_ - 1) * step.startup_seconds, others() * (ways_ * step.seconds_per_byte + copy_)};
  }

  /// p / 2 steps, each with one of both neighbours. Odd numbers of ranks take the ring.
  LinearTime neighbours() const {
    if (p_ % 2 == 1) return ring();
    const LinearTime up = step_to([](std::uint32_t rank) { return rank ^ 1U; });
    const LinearTime down = step_to(
        [this](std::uint32_t rank) { return rank % 2 == 1 ? (rank + 1) % p_ : (rank + p_ - 1) % p_; });
    return {p_ / 2.0 * std::max(up.startup_seconds, down.startup_seconds),
            others() * (std::max(up.seconds_per_byte, down.seconds_per_byte) + copy_)};
  }

  /// Bruck's allgather, or the same backwards: steps to the ranks 1, 2, 4, ... below.
  LinearTime dissemination() const {
    LinearTime time{0, others() * copy_};
    for (std::uint32_t distance = 1; distance < p_; distance *= 2) {
      const LinearTime step = step_to([&](std::uint32_t rank) { return (rank + p_ - distance) % p_; });
      add(time, step, 1, std::min(distance, p_ - distance) / static_cast<double>(p_));
    }
    return time;
  }

  /// Halves with the rank that differs in one bit. Requires a power of two.
  LinearTime halving() const {
    LinearTime time{0, others() * copy_};
    for (std::uint32_t mask = 1; mask < p_; mask *= 2) add(time, step_of_bit(mask), ways_, 1 / (2.0 * mask));
    return time;
  }

  /// The whole vector with the rank that differs in one bit. Other numbers than powers of two take two steps more, and
  /// count the least bytes.
  LinearTime doubling() const {
    if (!std::has_single_bit(p_))
      return {(powers_ + 2) * model_.alpha_seconds, (powers_ + 1) * (model_.slowest_tau() + copy_)};
    LinearTime time{0, powers_ * copy_};
    for (std::uint32_t mask = 1; mask < p_; mask *= 2) add(time, step_of_bit(mask), 1, 1);
    return time;
  }

  /// Halving and doubling among the power of two below p, with a step before and one after it, and the least bytes.
  LinearTime folded_halving() const {
    const double halves = 1 - 1.0 / std::bit_floor(p_);
    return {(2 * powers_ + 2) * model_.alpha_seconds,
            (2 * halves + 1) * model_.slowest_tau() + (halves + 0.5) * copy_};
  }

  /// Adds so many steps in which every rank sends a share of the vector.
  static void add(LinearTime& time, const LinearTime& step, double count, double share) {
    time.startup_seconds += count * step.startup_seconds;
    time.seconds_per_byte += count * share * step.seconds_per_byte;
  }

  /// Returns the share of the other ranks in a vector.
  double others() const { return (p_ - 1.0) / p_; }

  /// Returns the time of a step in which each rank sends to the rank that to(rank) returns.
  template <typename To>
  LinearTime step_to(To to) const {
    StepLoad load(sharing_.groups(), model_.network.ports, model_.network.tie);
    for (std::uint32_t rank = 0; rank < p_; ++rank) load.add(group_of(rank), group_of(to(rank)), 1);
    const double blocks = load.group().block_times();
    if (blocks == 0) return {model_.gap_seconds, model_.copy_seconds_per_byte};
    return {model_.alpha_seconds, blocks * model_.slowest_tau()};
  }
  LinearTime step_of_bit(std::uint32_t mask) const {
    return step_to([mask](std::uint32_t rank) { return rank ^ mask; });
  }
  Rank group_of(std::uint32_t rank) const { return static_cast<Rank>(sharing_.group_of(Rank{rank})); }

  VectorCollective collective_;
  const NodeSharing& sharing_;
  const ExchangeModel& model_;
  std::uint32_t p_;
  double powers_;  ///< the logarithm of the power of two below p
  double ways_;
  double copy_;
};

/// Returns the least time of steps on nodes if one rank of each node takes part for all of them.
LinearTime time_of_leaders(VectorCollective collective, const NodeSharing& sharing,
                           const ExchangeModel& model) {
  const auto steps = static_cast<double>(std::bit_width(sharing.largest_group() - 1));
  const double copies = (collective == VectorCollective::allgather ? 0 : 2) +
                        (collective == VectorCollective::reduce_scatter ? 0 : 1);
  return {2 * steps * model.gap_seconds, copies * model.copy_seconds_per_byte};
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

VectorPlan plan_vector(VectorCollective collective, const NodeSharing& sharing, std::size_t vector_bytes,
                       const ExchangeModel& model, std::vector<VectorMethod> methods) {
  const Grid& grid = sharing.network();
  if (methods.empty()) {
    methods = vector_methods(collective, sharing, model.network.ports);
    std::erase_if(methods, [](const auto& each) {
      return each.algorithm == VectorAlgorithm::whole_swing || keeps_order(each.algorithm);
    });
  }
  VectorPlan plan{collective, vector_bytes, model, {}, {}};
  for (const VectorMethod& method : methods)
    plan.candidates.push_back(candidate_of(collective, method, sharing, vector_bytes, model));
  plan.bound = vector_bound(collective, grid, model.network.ports);
  std::ranges::stable_sort(plan.candidates, {}, &VectorCandidate::seconds);
  return plan;
}

VectorPlan plan_vector(VectorCollective collective, const Placement& placement, std::size_t vector_bytes,
                       const ExchangeModel& model, std::vector<VectorMethod> methods) {
  return plan_vector(collective, NodeSharing(placement, 1), vector_bytes, model, std::move(methods));
}

std::vector<LinearTime> vector_times_of_mpi(VectorCollective collective, const NodeSharing& sharing,
                                            const ExchangeModel& model, bool in_order) {
  std::vector<LinearTime> times = MpiVectors(collective, sharing, model).times(in_order);
  if (in_order || sharing.largest_group() == 1) return times;
  const LinearTime on_node = time_of_leaders(collective, sharing, model);
  for (const LinearTime& each :
       MpiVectors(collective, NodeSharing(sharing.groups(), 1), model).times(false)) {
    times.push_back(
        {each.startup_seconds + on_node.startup_seconds, each.seconds_per_byte + on_node.seconds_per_byte});
  }
  return times;
}

}  // namespace cubefold
