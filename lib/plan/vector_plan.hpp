#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "collective/vector_on_nodes.hpp"
#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold {

/// A lower bound on every allreduce, reduce-scatter or allgather of q nodes: `startups` of alpha, and the time in which
/// a link carries `vectors` of the whole vector. With one port a node sends n (q - 1) / q bytes of n in a
/// reduce-scatter or an allgather, and twice as many in an allreduce; with all ports over all links of the node that
/// has fewest; with a route table, over those with the least sum of rates. Across the middle of an axis every half
/// sends what the other half lacks: n/2, or n in an allreduce. The axes of a route table say nothing about links.
struct VectorBound {
  double vectors = 0;
  std::uint64_t startups = 0;

  CUBEFOLD_API double seconds(std::size_t vector_bytes, double alpha_seconds,
                              const std::vector<double>& tau_seconds_per_byte) const;
};

/// Returns the bound, for rates of 1 on grids with links by axes. Costs O(nodes axes), or O(links).
CUBEFOLD_API VectorBound vector_bound(VectorCollective collective, const Grid& grid, Ports ports);

/// A time that grows with the bytes of the vector.
struct LinearTime {
  double startup_seconds = 0;
  double seconds_per_byte = 0;

  double seconds(std::size_t bytes) const {
    return startup_seconds + static_cast<double>(bytes) * seconds_per_byte;
  }
};

/// A method with its cost in chunks and its predicted time.
struct VectorCandidate {
  VectorMethod method;
  ExchangeCost cost;  ///< of the steps between nodes
  LinearTime time = {};
  double vectors = 0;  ///< bytes on the busiest link or port in all steps, over those of the vector
  NodeVectorCost on_node = {};
  double seconds = 0;  ///< for the bytes of the plan

  /// Returns the number of all steps.
  std::size_t step_count() const { return cost.step_count() + on_node.step_count; }
};

/// The methods for one size in ascending order of their times.
struct VectorPlan {
  VectorCollective collective;
  std::size_t vector_bytes = 0;
  ExchangeModel model;
  VectorBound bound;
  std::vector<VectorCandidate> candidates;

  const VectorCandidate& choice() const { return candidates.front(); }
  double bound_seconds() const {
    return bound.seconds(vector_bytes, model.alpha_seconds, model.tau_seconds_per_byte);
  }
};

/// Compares methods, or vector_methods() if there are none, of ranks that may share nodes. A step between nodes takes
///
/// alpha + 2 gap (channels of a rank - 1) + bytes on the busiest link or port * tau
///
/// and every byte that is reduced the time of a copy: a CPU posts and completes the messages of its channels, and a
/// step waits for what the step before it brings. A step on the node takes 2 gap, and the time of a copy for each byte
/// that arrives and again for each that is reduced. Where nodes have unequal numbers of ranks, all are taken to receive
/// as many blocks as the largest one. Left out unless they are named are methods by whole_swing, which are for exact
/// operations only, and those of keeps_order(), which ignore where ranks are. Throws std::invalid_argument for a method
/// or a grid that does not fit, and if no method fits.
CUBEFOLD_API VectorPlan plan_vector(VectorCollective collective, const NodeSharing& sharing,
                                    std::size_t vector_bytes, const ExchangeModel& model,
                                    std::vector<VectorMethod> methods = {});

/// Does this for one rank on each node.
CUBEFOLD_API VectorPlan plan_vector(VectorCollective collective, const Placement& placement,
                                    std::size_t vector_bytes, const ExchangeModel& model,
                                    std::vector<VectorMethod> methods = {});

/// Returns the times that the model predicts for the algorithms of MPI libraries, which pair the ranks in their order:
/// a ring; recursive halving and doubling for powers of two; for an allreduce recursive doubling of the whole vector,
/// and for other numbers of ranks both among the power of two below, with two steps more and the least bytes that these
/// may send; otherwise Bruck's algorithm, also backwards, and exchanges with both neighbours. Steps in which no message
/// leaves a node take a gap, and a copy for each byte. Where ranks share nodes, the times of the same algorithms among
/// one rank of each node follow, with 2 ceil(log2 c) steps on nodes of c ranks and the least copies: these send the
/// vector once to reduce it and once to distribute it. In order, for operations that do not commute, this is recursive
/// doubling of the whole vector, which all libraries have. Costs O(p log p).
CUBEFOLD_API std::vector<LinearTime> vector_times_of_mpi(VectorCollective collective,
                                                         const NodeSharing& sharing,
                                                         const ExchangeModel& model, bool in_order = false);

}  // namespace cubefold
