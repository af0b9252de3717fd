#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cubefold/export.h"
#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Blocks that some link of an axis carries in every complete exchange on the grid, on average over the worst cut: with
/// p nodes and extent k, floor(k^2/4) p/k over an open axis and half of that round a wrapped one of k > 2. Halves are
/// possible. 0 for an extent of 1. O(1). Source: [Calmant] section 5 for equal axes: pn/4 on meshes, pn/8 on tori.
CUBEFOLD_API double bisection_blocks(const Grid& grid, int axis);

/// ceil(log_(ports + 1) p), the start-ups that one node's data need to reach all p nodes: a node that has them passes
/// them on to one other at a time with one port, and over each of its links with all. O(axes).
CUBEFOLD_API std::uint64_t startup_bound(const Grid& grid, Ports ports);

/// What no schedule of a complete exchange beats under a StepModel, part by part.
struct ExchangeBound {
  double startup_seconds;  ///< alpha * startup_bound()
  double link_seconds;     ///< the largest bisection_blocks() * block * tau of its axis
  double port_seconds;     ///< one port: (p - 1) blocks at the smallest tau; all ports: 0
  double barrier_seconds;  ///< of a single step; 0 for a single node

  double seconds() const { return startup_seconds + std::max(link_seconds, port_seconds) + barrier_seconds; }
};

/// Throws std::invalid_argument for a model that simulate_steps() refuses. O(axes).
CUBEFOLD_API ExchangeBound complete_exchange_bound(const Grid& grid, std::size_t block_bytes,
                                                   const StepModel& model);

}  // namespace cubefold
