#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "wormhole.hpp"

namespace cubefold {

/// Describes traffic on the network of simulation/wormhole.hpp. Messages travel between the same pairs of
/// nodes all the time, at intervals of a negative exponential distribution.
struct WormholeTraffic {
  std::vector<GridNode> destinations;  ///< for each node; a node that is its own destination sends nothing
  double load;                         ///< flits that a sending node offers per cycle; above 0
  std::uint32_t flit_count = 20;       ///< flits per message, with the header
  std::uint64_t warm_up_cycles = 20000;
  std::uint64_t measured_cycles = 100000;
  std::uint64_t seed = 1;
  int port_count = 1;  ///< pairs of channels between a processor and its router
};

/// Holds what was measured in the measured cycles. "Per node" means per node that sends.
struct WormholeMeasurement {
  double throughput;  ///< flits of messages that arrived, per cycle and node
  /// Mean time from the making of a message to the arrival of its last flit. It includes waiting.
  double latency_cycles;
  double latency_error_cycles;  ///< standard error of that mean, from the means of 10 batches
  double queued_at_first;       ///< messages waiting per node, mean over the first fifth of the cycles
  double queued_at_last;        ///< messages waiting per node, mean over the last fifth of the cycles

  /// Returns whether the senders' queues are bounded. Unbounded queues grow in proportion to time, which the two fifths
  /// show. The load is sustainable unless the queues at last are above twice those at first plus half a message per
  /// node.
  bool is_sustainable() const { return queued_at_last <= 2 * queued_at_first + 0.5; }
};

/// Simulates the traffic. The same seed gives the same result. Costs O(nodes + hops of all messages), and in each cycle
/// the number of waiting headers; 256 nodes and 100000 cycles take about a second. Throws what arrival_cycles() throws,
/// and std::invalid_argument if there is not one destination per node, if a destination is not a node, if no node
/// sends, if the load is not above 0 or if fewer than 10 cycles are measured.
CUBEFOLD_API WormholeMeasurement measure_traffic(const Grid& grid, const Router& router,
                                                 const WormholeTraffic& traffic);

/// Returns the destination of every node when rank r sends to rank to[r]. Throws std::invalid_argument unless there is
/// one entry per rank and each entry is a rank of the placement.
CUBEFOLD_API std::vector<GridNode> destinations_of(const Placement& placement, std::span<const Rank> to);

}  // namespace cubefold
