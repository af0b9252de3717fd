#pragma once

#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::planner {

/// Returns the least time per byte of a block in which links can carry a complete exchange on the grid, with any routes
/// and with blocks that are split in any way: the maximum concurrent flow, by linear programming. Takes a second for 64
/// nodes if the network is symmetric, and minutes if it is not. Runs the program flow_optimum.py, which needs Debian's
/// python3-scipy. Throws std::invalid_argument with one line if that fails.
double flow_seconds_per_byte(const Grid& grid, const StepModel& model);

}  // namespace cubefold::planner
