#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cubefold/export.h"
#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

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
  double link_seconds;     ///< the largest bisection_blocks() * block bytes * tau of an axis
  double port_seconds;     ///< one port: p - 1 blocks at the smallest tau; all ports: 0
  double barrier_seconds;  ///< barrier of a single step; 0 for a single node

  double seconds() const { return startup_seconds + std::max(link_seconds, port_seconds) + barrier_seconds; }
};

/// Returns the lower bound for a complete exchange of blocks of block_bytes bytes each. Throws std::invalid_argument
/// for a model that simulate_steps() refuses. Costs O(axes).
CUBEFOLD_API ExchangeBound complete_exchange_bound(const Grid& grid, std::size_t block_bytes,
                                                   const StepModel& model);

}  // namespace cubefold
