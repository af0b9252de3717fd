#pragma once

#include <vector>

#include "planner/verification/bounds.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/units.hpp"

namespace cubefold::planner {

/// Returns a lower bound of the load of the busiest link if the phases have all cube dimensions, and 0 otherwise. Every
/// node then sends at least a common number of messages to each of its neighbours in the cube. The bound is the largest
/// one over all cuts that separate the first nodes of an axis from the others.
Whole busiest_cut_of_cube(const Network& network, const std::vector<GroupPhase>& phases);

}  // namespace cubefold::planner
