#pragma once

#include "cubefold/plan/mapping.hpp"
#include "planner/mapping/answer.hpp"

namespace cubefold::planner {

/// Returns a placement for nodes with unequal numbers of ranks. How many ranks a group has depends on the node where it
/// is, so that groups have no fixed messages. The search takes those of the best placement so far, lets
/// choose_placement() place them, and counts the result by its own groups, until that gains nothing.
Mapping choose_uneven(const MapQuestion& question);

/// Returns the bound of such placements: 0, since none of lower_bound() holds for them.
LowerBound bound_of_uneven();

}  // namespace cubefold::planner
