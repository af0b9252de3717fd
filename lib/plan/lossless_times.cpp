#include "lossless_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <vector>

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
  return std::floor(k * k / 4) / k;
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

/// The work of a process in a phase. Its messages wait for those of the phase before.
struct DataPhase {
  std::size_t begin;  ///< first step
  double block_times;
  double messages = 0;
  double copied_blocks = 0;
};

std::vector<DataPhase> phases_of(const ExchangeCost& cost) {
  std::vector<DataPhase> phases;
  std::size_t step = 0;
  for (const StepGroup& group : cost.groups) {
    if (group.waits == Waits::each) {
      for (std::size_t i = 0; i < group.steps; ++i) phases.push_back({step + i, group.block_times()});
    } else {
      if (group.waits == Waits::first || phases.empty()) phases.push_back({step, 0});
      phases.back().block_times += static_cast<double>(group.steps) * group.block_times();
    }
    step += group.steps;
  }
  return phases;
}

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

/// Sets the messages and copies of a process. If blocks travel one by one, as many are sent in each phase.
void add_work(std::vector<DataPhase>& phases, const ExchangeMethod& method, const ExchangeCost& cost,
              const Placement& placement, std::size_t block_bytes, const ExchangeModel& model) {
  const bool forwards = course_of(method.algorithm) != Course::everywhere;
  if (!forwards || block_bytes >= single_block_bytes(model)) {
    for (DataPhase& phase : phases) phase.messages = cost.sent_blocks / static_cast<double>(phases.size());
    return;
  }
  const Rank rank = middle_rank(placement);
  const LocalProgram program = local_program(exchange_part(method, placement, model.network, rank), rank);
  const auto phase_of = [&](const LocalMessage& message) -> DataPhase& {
    const auto behind = std::ranges::upper_bound(phases, std::size_t{message.step}, {}, &DataPhase::begin);
    return *std::prev(behind);
  };
  for (const LocalMessage& send : program.sends) {
    phase_of(send).messages += 1;
    phase_of(send).copied_blocks += static_cast<double>(copied_blocks(program, send, true));
  }
  for (const LocalMessage& receive : program.receives)
    phase_of(receive).copied_blocks += static_cast<double>(copied_blocks(program, receive, true));
}

/// The times of messages and links in an exchange.
struct Times {
  double latency_seconds;
  double block_seconds;
  double copy_seconds;  ///< of a block
  double gap_seconds;
};

Times message_times(Course course, const AllPairs& pairs, std::size_t block_bytes,
                    const ExchangeModel& model) {
  const auto bytes = static_cast<double>(block_bytes);
  return {latency(course, pairs, model), bytes * model.slowest_tau(), bytes * model.copy_seconds_per_byte,
          model.gap_seconds};
}

/// Adds the time of a phase in which the busiest link or port is held for so many block-times in routers of each kind.
/// A process packs and posts its messages while the first ones travel.
void add_phase(RouterSeconds& sum, const DataPhase& phase, const RouterSeconds& held, const Times& times) {
  if (phase.messages == 0) return;
  const double copies = phase.copied_blocks * times.copy_seconds;
  const double of_each = copies / phase.messages;
  const double cpu = phase.messages * 2 * times.gap_seconds + copies;
  const double posts = (phase.messages - 1) * (times.gap_seconds + of_each / 2);
  sum.cpu += cpu;
  for (const auto router : {&RouterSeconds::voq, &RouterSeconds::transit, &RouterSeconds::rr}) {
    const double links = held.*router * times.block_seconds;
    sum.*router += std::max(cpu, times.latency_seconds + of_each + std::max(posts, links));
  }
}

}  // namespace

RouterSeconds lossless_seconds(const ExchangeMethod& method, const ExchangeCost& cost,
                               const Placement& placement, std::size_t block_bytes,
                               const ExchangeModel& model) {
  const Course course = course_of(method.algorithm);
  std::vector<DataPhase> phases = phases_of(cost);
  if (phases.empty()) return {};
  add_work(phases, method, cost, placement, block_bytes, model);
  const AllPairs pairs = pairs_of(placement, model.network.tie);
  const RouterSeconds factor = detention(course, pairs, model.network.ports);
  const auto phase_count = static_cast<double>(phases.size());
  const bool one_port = model.network.ports == Ports::one;
  // With one port, ExchangeCost counts the port for axis-rotated, whose messages use all links.
  const bool uses_all_links =
      course == Course::everywhere || (one_port && method.algorithm == ExchangeAlgorithm::axis_rotated);
  const double port = one_port ? cost.sent_blocks / phase_count : 0;
  const double most = course == Course::along_axes ? most_at_port : 1;
  const Times times = message_times(course, pairs, block_bytes, model);
  RouterSeconds sum;
  for (const DataPhase& phase : phases) {
    const double links = uses_all_links ? pairs.busiest_link / phase_count : phase.block_times;
    const auto held = [&](double detained) {
      return std::max(port * std::min(detained, most), links * detained);
    };
    add_phase(sum, phase, {held(factor.voq), held(factor.transit), held(factor.rr)}, times);
  }
  return sum;
}

RouterSeconds stepwise_seconds(const ExchangeCost& cost, double copied_blocks, const Placement& placement,
                               std::size_t block_bytes, const ExchangeModel& model) {
  if (cost.groups.empty()) return {};
  const auto steps = static_cast<double>(cost.step_count());
  const AllPairs pairs = pairs_of(placement, model.network.tie);
  const Times times = message_times(Course::in_steps, pairs, block_bytes, model);
  RouterSeconds sum;
  for (const StepGroup& group : cost.groups) {
    const double held = group.block_times();
    for (std::size_t step = 0; step < group.steps; ++step)
      add_phase(sum, {0, held, 1, copied_blocks / steps}, {held, held, held}, times);
  }
  return sum;
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
