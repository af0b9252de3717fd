#include "wormhole_traffic.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <queue>
#include <random>
#include <stdexcept>
#include <utility>

#include "wormhole_network.hpp"

namespace cubefold {

namespace {

constexpr std::size_t batch_count = 10;

void require_possible(const Grid& grid, const WormholeTraffic& traffic) {
  if (traffic.destinations.size() != grid.node_count()) {
    throw std::invalid_argument(fmt::format("measure_traffic: {} destinations for the {} nodes of {}",
                                            traffic.destinations.size(), grid.node_count(), to_string(grid)));
  }
  for (const GridNode node : traffic.destinations) {
    if (static_cast<std::size_t>(node) >= grid.node_count()) {
      throw std::invalid_argument(fmt::format("measure_traffic: destination {} is not a node of {}",
                                              static_cast<std::uint32_t>(node), to_string(grid)));
    }
  }
  if (!(traffic.load > 0) || !std::isfinite(traffic.load)) {
    throw std::invalid_argument(fmt::format("measure_traffic: load {} is not above 0", traffic.load));
  }
  if (traffic.measured_cycles < batch_count) {
    throw std::invalid_argument(fmt::format("measure_traffic: {} measured cycles are fewer than {}",
                                            traffic.measured_cycles, batch_count));
  }
}

std::vector<GridNode> sending_nodes(const std::vector<GridNode>& destinations) {
  std::vector<GridNode> nodes;
  for (std::size_t node = 0; node < destinations.size(); ++node) {
    if (destinations[node] != static_cast<GridNode>(node)) nodes.push_back(static_cast<GridNode>(node));
  }
  if (nodes.empty()) throw std::invalid_argument("measure_traffic: no node sends to another one");
  return nodes;
}

/// Generates the times at which nodes make messages. Each node makes them independently, at intervals of a negative
/// exponential distribution.
class Makers {
 public:
  Makers(const std::vector<GridNode>& nodes, double messages_per_cycle, std::uint64_t seed)
      : random_(seed), messages_per_cycle_(messages_per_cycle) {
    for (const GridNode node : nodes) next_.push({interval(), node});
  }

  /// Returns the node that makes the next message, or nothing if that message is not made before the time.
  std::optional<GridNode> next_before(double time) {
    const auto [made, node] = next_.top();
    if (made >= time) return std::nullopt;
    next_.pop();
    next_.push({made + interval(), node});
    return node;
  }

 private:
  /// Draws an interval in cycles. The distributions of the standard library differ between implementations; this one
  /// does not.
  double interval() {
    const double uniform = static_cast<double>(random_() >> 11) * 0x1p-53;
    return -std::log1p(-uniform) / messages_per_cycle_;
  }

  using Next = std::pair<double, GridNode>;
  std::mt19937_64 random_;
  double messages_per_cycle_;
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next_;
};

/// Holds sums over a tenth of the measured cycles.
struct Batch {
  double cycle_count = 0;
  double message_count = 0;
  double latency_cycles = 0;
  double queued_count = 0;
};

using Batches = std::array<Batch, batch_count>;

Batch sum_of(const Batches& batches, std::size_t first, std::size_t end) {
  Batch sum;
  for (std::size_t i = first; i < end; ++i) {
    sum.cycle_count += batches[i].cycle_count;
    sum.message_count += batches[i].message_count;
    sum.latency_cycles += batches[i].latency_cycles;
    sum.queued_count += batches[i].queued_count;
  }
  return sum;
}

/// Returns the standard error of the mean of the batches' mean latencies.
double latency_error(const Batches& batches, double mean) {
  double count = 0;
  double squares = 0;
  for (const Batch& batch : batches) {
    if (batch.message_count == 0) continue;
    ++count;
    squares += std::pow(batch.latency_cycles / batch.message_count - mean, 2);
  }
  return std::sqrt(squares / (count - 1) / count);
}

WormholeMeasurement evaluated(const Batches& batches, double node_count, double flit_count) {
  const Batch all = sum_of(batches, 0, batch_count);
  const Batch first = sum_of(batches, 0, batch_count / 5);
  const Batch last = sum_of(batches, batch_count - batch_count / 5, batch_count);
  const double latency = all.latency_cycles / all.message_count;
  return {all.message_count * flit_count / all.cycle_count / node_count, latency,
          latency_error(batches, latency), first.queued_count / first.cycle_count / node_count,
          last.queued_count / last.cycle_count / node_count};
}

}  // namespace

WormholeMeasurement measure_traffic(const Grid& grid, const Router& router, const WormholeTraffic& traffic) {
  require_possible(grid, traffic);
  const auto nodes = sending_nodes(traffic.destinations);
  WormholeNetwork network(grid, router, traffic.port_count);
  Makers makers(nodes, traffic.load / traffic.flit_count, traffic.seed);
  std::vector<std::uint64_t> cycle_made;  // of each message, by its number
  Batches batches{};

  for (std::uint64_t cycle = 0; cycle < traffic.warm_up_cycles + traffic.measured_cycles; ++cycle) {
    const auto& arrived = network.run_cycle();
    if (cycle >= traffic.warm_up_cycles) {
      Batch& batch = batches[(cycle - traffic.warm_up_cycles) * batch_count / traffic.measured_cycles];
      ++batch.cycle_count;
      batch.message_count += static_cast<double>(arrived.size());
      batch.queued_count += static_cast<double>(network.queued_count());
      for (const auto number : arrived)
        batch.latency_cycles += static_cast<double>(cycle - cycle_made[number]);
    }
    while (const auto node = makers.next_before(static_cast<double>(cycle + 1))) {
      const GridNode to = traffic.destinations[static_cast<std::size_t>(*node)];
      network.send(cycle_made.size(), {*node, to, traffic.flit_count});
      cycle_made.push_back(cycle);
    }
  }
  return evaluated(batches, static_cast<double>(nodes.size()), static_cast<double>(traffic.flit_count));
}

std::vector<GridNode> destinations_of(const Placement& placement, std::span<const Rank> to) {
  if (to.size() != placement.rank_count()) {
    throw std::invalid_argument(
        fmt::format("destinations_of: {} destinations for {} ranks", to.size(), placement.rank_count()));
  }
  std::vector<GridNode> destinations(to.size());
  for (std::size_t rank = 0; rank < to.size(); ++rank) {
    if (label(to[rank]) >= to.size()) {
      throw std::invalid_argument(
          fmt::format("destinations_of: rank {} is not below {}", label(to[rank]), to.size()));
    }
    const auto node = static_cast<std::size_t>(placement.node_of(static_cast<Rank>(rank)));
    destinations[node] = placement.node_of(to[rank]);
  }
  return destinations;
}

}  // namespace cubefold
