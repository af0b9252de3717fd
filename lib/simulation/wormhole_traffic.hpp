#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "wormhole_router.hpp"

namespace cubefold {

/// Messages between the same pairs of nodes all the time, at intervals of a negative exponential distribution,
/// on the network of cubefold/simulation/wormhole.hpp.
struct WormholeTraffic {
  std::vector<GridNode> destinations;  ///< of every node; a node whose own it is sends nothing
  double load;                         ///< flits that a sending node offers per cycle, above 0
  std::uint32_t flit_count = 20;       ///< per message, header included
  std::uint64_t warm_up_cycles = 20000;
  std::uint64_t measured_cycles = 100000;
  std::uint64_t seed = 1;
  int port_count = 1;  ///< pairs of channels between processor and router
};

/// What happened in the measured cycles. "Per node" means per node that sends.
struct WormholeMeasurement {
  double throughput;      ///< flits of messages that arrived, per cycle and node
  double latency_cycles;  ///< from a message's making to its last flit's arrival, waiting included; mean
  double latency_error_cycles;  ///< standard error of that mean, from the means of 10 batches
  double queued_at_first;       ///< messages waiting at a node, mean over the first fifth of the cycles
  double queued_at_last;        ///< and over the last fifth

  /// Whether the queues of the senders are bounded. They grow in proportion to time when they are not, which
  /// the two fifths show: sustainable is what has not doubled and grown by half a message per node.
  bool is_sustainable() const { return queued_at_last <= 2 * queued_at_first + 0.5; }
};

/// The same seed gives the same result. Cost: nodes + hops of all messages, and per cycle the waiting headers; 256
/// nodes and 100000 cycles take about a second. Throws as arrival_cycles() does, and std::invalid_argument if there is
/// not one destination per node, if no node sends, if the load is not above 0 or if fewer than 10 cycles are measured.
CUBEFOLD_API WormholeMeasurement measure_traffic(const Grid& grid, const Router& router,
                                                 const WormholeTraffic& traffic);

/// The destination of every node when rank r sends to rank to[r]. Throws std::invalid_argument unless there is
/// one entry per rank, each a rank of the placement.
CUBEFOLD_API std::vector<GridNode> destinations_of(const Placement& placement, std::span<const Rank> to);

}  // namespace cubefold
