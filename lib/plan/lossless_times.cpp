#include "lossless_times.hpp"

#include <algorithm>
#include <numeric>

#include "alltoall_setup.hpp"
#include "cubefold/topology/route_table.hpp"
#include "schedule/packing.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {

namespace {

/// Messages between all pairs of nodes.
struct AllPairs {
  double hops;          ///< mean over the messages
  double busiest_link;  ///< messages on it, over its rate
  double balance;       ///< mean load of a link over the largest
  double long_axes;     ///< axes of more than one node
};

/// Returns the mean distance of two coordinates of an axis, equal ones included.
double mean_distance(const Grid& grid, int axis) {
  const double k = grid.extent(axis);
  if (!grid.has_wrap_link(axis)) return (k * k - 1) / (3 * k);
  return static_cast<double>(grid.extent(axis) * grid.extent(axis) / 4) / k;
}

AllPairs pairs_on_table(const RouteTable& table, double pair_count) {
  const auto loads = all_to_all_loads(table);
  double busiest = 0;
  double sum = 0;
  for (std::size_t link = 0; link < loads.size(); ++link) {
    const auto load = static_cast<double>(loads[link]);
    sum += load;
    busiest = std::max(busiest, load / table.links()[link].rate);
  }
  return {sum / pair_count, busiest, sum / static_cast<double>(loads.size()) / busiest, 1};
}

AllPairs pairs_of(const Placement& placement, Tie tie) {
  const Grid& grid = placement.grid();
  const auto nodes = static_cast<double>(grid.node_count());
  if (const RouteTable* table = grid.route_table()) return pairs_on_table(*table, nodes * (nodes - 1));
  const ExchangeMethod linear{ExchangeAlgorithm::linear, {}};
  AllPairs pairs{0, exchange_cost(linear, placement, {Ports::all, tie}).block_times(), 0, 0};
  double links = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (grid.extent(axis) == 1) continue;
    pairs.hops += mean_distance(grid, axis) * nodes / (nodes - 1);
    pairs.long_axes += 1;
    links += grid.has_wrap_link(axis) ? 2 * nodes : 2 * nodes * (grid.extent(axis) - 1) / grid.extent(axis);
  }
  pairs.balance = nodes * (nodes - 1) * pairs.hops / links / pairs.busiest_link;
  return pairs;
}

/// Says where the messages of a method go.
enum class Course : std::uint8_t {
  everywhere,  ///< from all nodes to all, at once
  along_axes,
  neighbours,  ///< one link
  in_steps,    ///< from axis to axis, with messages that share links
};

Course course_of(ExchangeAlgorithm algorithm) {
  switch (algorithm) {
    case ExchangeAlgorithm::direct:
    case ExchangeAlgorithm::linear:
    case ExchangeAlgorithm::shifted:
      return Course::everywhere;
    case ExchangeAlgorithm::axes:
    case ExchangeAlgorithm::axis_rotated:
      return Course::along_axes;
    case ExchangeAlgorithm::store_and_forward:
      return Course::neighbours;
    default:
      return Course::in_steps;
  }
}

constexpr double most_hops = 8;  ///< beyond which nothing was simulated

/// The detention at the port of a node whose messages wait for those of the phase before.
constexpr double most_at_port = 1.15;

/// Returns the detention in routers of each kind. Where a node has one port, packets for all axes wait for each other.
RouterSeconds detention(Course course, const AllPairs& pairs, Ports ports) {
  const double evenness = pairs.balance * pairs.balance;
  const double hops = std::min(pairs.hops, most_hops);
  if (course == Course::neighbours) return {1, 1, 1};
  if (course == Course::along_axes && ports == Ports::all)
    return {1.05, 1.15, 1 + 0.25 * evenness * hops / pairs.long_axes};
  return {1 + 0.12 * evenness, 1 + 0.19 * hops * evenness, 1 + 0.25 * hops * evenness};
}

/// Returns the latency of a message. Alpha has the links of two routers, each of which takes a twelfth of it.
double latency(Course course, const AllPairs& pairs, const ExchangeModel& model) {
  constexpr double hop = 1.0 / 12;
  const double hops = course == Course::neighbours   ? 1
                      : course == Course::along_axes ? pairs.hops / pairs.long_axes
                                                     : pairs.hops;
  return model.alpha_seconds * (1 + hop * (std::max(hops, 1.0) - 1));
}

/// What a process does in an exchange.
struct Work {
  double messages;
  double copied_blocks;
};

Rank middle_rank(const Placement& placement) {
  const Grid& grid = placement.grid();
  std::size_t node = 0;
  if (grid.route_table() != nullptr) {
    node = grid.node_count() / 2;
  } else {
    for (int axis = 0; axis < grid.axis_count(); ++axis) node += grid.stride(axis) * (grid.extent(axis) / 2);
  }
  return placement.rank_of(static_cast<GridNode>(node));
}

Work work_of(const ExchangeMethod& method, const ExchangeCost& cost, const Placement& placement,
             std::size_t block_bytes, const ExchangeModel& model) {
  const bool forwards = course_of(method.algorithm) != Course::everywhere;
  if (!forwards || block_bytes >= single_block_bytes(model)) return {cost.sent_blocks, 0};
  const Rank rank = middle_rank(placement);
  const LocalProgram program = local_program(exchange_part(method, placement, model.network, rank), rank);
  return {static_cast<double>(program.sends.size()), static_cast<double>(copied_blocks(program).forwarded())};
}

double wait_count(const ExchangeCost& cost) {
  double waits = 0;
  for (const StepGroup& group : cost.groups) {
    if (group.waits == Waits::each) waits += static_cast<double>(group.steps);
    if (group.waits == Waits::first) waits += 1;
  }
  return waits;
}

/// Returns the times of work whose busiest link or port is held for so long in routers of each kind. In each phase a
/// process packs and posts its messages while the first ones travel.
RouterSeconds times_of(const Work& work, double waits, double latency_seconds, const RouterSeconds& held,
                       std::size_t block_bytes, const ExchangeModel& model) {
  const double copies = work.copied_blocks * static_cast<double>(block_bytes) * model.copy_seconds_per_byte;
  const double cpu = work.messages * 2 * model.gap_seconds + copies;
  const double of_each = copies / work.messages;
  const double posts = (work.messages - waits) * (model.gap_seconds + of_each / 2);
  const auto seconds = [&](double links) {
    return std::max(cpu, waits * (latency_seconds + of_each) + std::max(posts, links));
  };
  return {seconds(held.voq), seconds(held.transit), seconds(held.rr), cpu};
}

}  // namespace

RouterSeconds lossless_seconds(const ExchangeMethod& method, const ExchangeCost& cost,
                               const Placement& placement, std::size_t block_bytes,
                               const ExchangeModel& model) {
  if (placement.rank_count() == 1) return {};
  const Course course = course_of(method.algorithm);
  const AllPairs pairs = pairs_of(placement, model.network.tie);
  const RouterSeconds factor = detention(course, pairs, model.network.ports);
  const double block_seconds = static_cast<double>(block_bytes) * model.slowest_tau();
  const bool one_port = model.network.ports == Ports::one;
  // With one port, the steps of axis-rotated take the time of the port, while its messages use all links.
  const bool uses_all_links =
      course == Course::everywhere || (one_port && method.algorithm == ExchangeAlgorithm::axis_rotated);
  const double links = uses_all_links ? pairs.busiest_link : cost.block_times();
  const double port = one_port ? cost.sent_blocks : 0;
  const auto held = [&](double detained) {
    const double at_port = course == Course::along_axes ? std::min(detained, most_at_port) : 1;
    return std::max(port * at_port, links * detained) * block_seconds;
  };
  return times_of(work_of(method, cost, placement, block_bytes, model), wait_count(cost),
                  latency(course, pairs, model), {held(factor.voq), held(factor.transit), held(factor.rr)},
                  block_bytes, model);
}

RouterSeconds stepwise_seconds(const ExchangeCost& cost, double copied_blocks, const Placement& placement,
                               std::size_t block_bytes, const ExchangeModel& model) {
  if (placement.rank_count() == 1) return {};
  const auto steps = static_cast<double>(cost.step_count());
  const double held = cost.block_times() * static_cast<double>(block_bytes) * model.slowest_tau();
  const double latency_seconds = latency(Course::in_steps, pairs_of(placement, model.network.tie), model);
  return times_of({steps, copied_blocks}, steps, latency_seconds, {held, held, held}, block_bytes, model);
}

MpiSeconds mpi_seconds(const Placement& placement, std::size_t block_bytes, const ExchangeModel& model) {
  const ExchangeMethod linear{ExchangeAlgorithm::linear, {}};
  const auto cost = [&](const ExchangeMethod& method) {
    return exchange_cost(method, placement, model.network);
  };
  const ExchangeCost bruck = cost({ExchangeAlgorithm::bruck, {2}});
  return {lossless_seconds(linear, cost(linear), placement, block_bytes, model),
          stepwise_seconds(bruck, 2 * bruck.sent_blocks, placement, block_bytes, model)};
}

std::size_t single_block_bytes(const ExchangeModel& model) {
  const double copy = model.copy_seconds_per_byte;
  return copy > 0 ? least_single_block_bytes(model.gap_seconds, 1 / copy) : AlltoallSetup::never;
}

}  // namespace cubefold
