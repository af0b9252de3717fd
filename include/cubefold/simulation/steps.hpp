#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Describes the cost of a step. The messages of a step start together and follow route(). The next step begins when
/// all of them have arrived.
///
///     seconds(step) = alpha * startups + max(busiest link, busiest port) + barrier
///
/// - busiest link: the largest sum, over the messages of a directed link, of bytes * tau of its axis. With a route
///   table there is one tau; the sum is divided by the rate of the link, but no message takes less than bytes * tau.
/// - busiest port: with one port the largest sum, over the messages that a node sends or over those that it receives,
///   of bytes * the largest tau on their routes. Sending does not hinder receiving. With all ports every link is a port
///   of its own.
/// - startups: with one port the largest number of messages that a node sends, or receives, in the step. With all ports
///   the largest number of messages that leave, or enter, a node by one link.
///
/// A step without conflicts therefore costs alpha + bytes * tau of its largest message, plus the barrier. Without
/// barriers this is the model of [Calmant] section 5: P (alpha + L tau) for P steps of messages of L bytes. Distance
/// costs nothing, as with wormhole routing, and neither does a message of a rank to itself.
struct StepModel {
  double alpha_seconds = 0;
  std::vector<double> tau_seconds_per_byte{0};  ///< one for all axes, or one for each
  double barrier_seconds = 0;                   ///< time of the barrier after each step
  Ports ports = Ports::one;
  Tie tie = Tie::balanced;

  double tau(int axis) const {
    return tau_seconds_per_byte.size() == 1 ? tau_seconds_per_byte.front()
                                            : tau_seconds_per_byte[static_cast<std::size_t>(axis)];
  }
};

/// Holds the cost of one step.
struct StepCost {
  double seconds;
  std::size_t message_count;  ///< without messages of a rank to itself
  std::uint64_t startup_count;
  std::uint64_t busiest_link_bytes;
};

struct StepSimulation {
  std::vector<StepCost> steps;
  double total_seconds;
  std::vector<std::uint64_t> link_bytes;  ///< in all steps together, by link_index()
};

/// Computes the cost of every step of a schedule whose blocks are of one size. Conflicts are not errors, but they take
/// time. Costs O(hops of all messages + links). Throws std::invalid_argument if the schedule and the placement have
/// different numbers of ranks, for a rank that the placement does not have, a time that is negative or not finite, taus
/// that are neither one nor one per axis, and more than 2^64 - 1 bytes in all.
CUBEFOLD_API StepSimulation simulate_steps(const Placement& placement, const Schedule& schedule,
                                           std::size_t block_bytes, const StepModel& model);

/// Returns the blocks that some link of an axis has to carry in every complete exchange on the grid. It is the average
/// over the links of the worst cut across the axis: with p nodes and extent k, floor(k^2/4) p/k on an open axis, half
/// of that on a wrapped axis of k > 2, and 0 for an extent of 1. The value may be a half. Costs O(1). Source: [Calmant]
/// section 5 for equal axes: pn/4 on meshes, pn/8 on tori.
CUBEFOLD_API double bisection_blocks(const Grid& grid, int axis);

/// Returns ceil(log_(ports + 1) p), the start-ups that one node's data need to reach all p nodes. In one start-up a
/// node that has the data passes them on to one other node with one port, and over each of its links with all ports.
/// Costs O(axes).
CUBEFOLD_API std::uint64_t startup_bound(const Grid& grid, Ports ports);

/// Holds the parts of a lower bound on the time of every schedule of a complete exchange under a StepModel.
struct ExchangeBound {
  double startup_seconds;  ///< alpha * startup_bound()
  /// The largest bisection_blocks() * block bytes * tau of an axis. With a route table: the blocks that some link has
  /// to carry under any routes, over its rate, by average distances and by cuts, * block bytes * tau.
  double link_seconds;
  double port_seconds;     ///< one port: p - 1 blocks at the smallest tau; all ports: 0
  double barrier_seconds;  ///< barrier of a single step; 0 for a single node

  double seconds() const { return startup_seconds + std::max(link_seconds, port_seconds) + barrier_seconds; }
};

/// Returns the lower bound for a complete exchange of blocks of block_bytes bytes each. Throws std::invalid_argument
/// for a model that simulate_steps() refuses. Costs O(axes).
CUBEFOLD_API ExchangeBound complete_exchange_bound(const Grid& grid, std::size_t block_bytes,
                                                   const StepModel& model);

}  // namespace cubefold
