#pragma once

#include "cubefold/simulation/steps.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// Throws std::invalid_argument that names the function for times that are negative or not finite, and for a number of
/// taus that does not fit the grid.
void require_fit(const char* function, const StepModel& model, const Grid& grid);

}  // namespace cubefold
