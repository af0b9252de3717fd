#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "collective/reduction.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold {

/// A lower bound on every allreduce, reduce-scatter or allgather of q nodes: `startups` of alpha, and the time in
/// which a link carries `vectors` of the whole vector. With one port a node sends n (q - 1) / q bytes of n in a
/// reduce-scatter or an allgather, and twice as many in an allreduce; with all ports over all links of the node that
/// has fewest. Across the middle of an axis every half sends what the other half lacks: n/2, or n in an allreduce.
struct VectorBound {
  double vectors = 0;
  std::uint64_t startups = 0;

  CUBEFOLD_API double seconds(std::size_t vector_bytes, double alpha_seconds,
                              const std::vector<double>& tau_seconds_per_byte) const;
};

/// Returns the bound, for rates of 1. Costs O(nodes axes). Requires a grid with axes.
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
  ExchangeCost cost;
  LinearTime time = {};
  double vectors = 0;  ///< bytes on the busiest link or port in all steps, over those of the vector
  double seconds = 0;  ///< for the bytes of the plan
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

/// Compares methods, or vector_methods() if there are none. A step takes
///
/// alpha + 2 gap (channels - 1) + bytes on the busiest link or port * tau
///
/// and every byte that is reduced the time of a copy: a CPU posts and completes the messages of all channels, and a
/// step waits for what the step before it brings. Left out unless they are named are methods by whole_swing, which are
/// for exact operations only, and those of keeps_order(), which ignore where ranks are. Throws std::invalid_argument
/// for a method or a grid that does not fit, and if no method fits.
CUBEFOLD_API VectorPlan plan_vector(VectorCollective collective, const Placement& placement,
                                    std::size_t vector_bytes, const ExchangeModel& model,
                                    std::vector<VectorMethod> methods = {});

/// Returns the times that the model predicts for the algorithms of MPI libraries, which pair the ranks in their order:
/// a ring; recursive halving and doubling for powers of two; for an allreduce recursive doubling of the whole vector,
/// and for other numbers of ranks both among the power of two below, with two steps more and the least bytes that these
/// may send; otherwise Bruck's algorithm, also backwards, and exchanges with both neighbours. In order, for operations
/// that do not commute, this is recursive doubling of the whole vector, which all libraries have. Costs O(p log p).
CUBEFOLD_API std::vector<LinearTime> vector_times_of_mpi(VectorCollective collective,
                                                         const Placement& placement,
                                                         const ExchangeModel& model, bool in_order = false);

}  // namespace cubefold
