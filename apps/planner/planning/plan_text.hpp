#pragma once

#include <string>

#include "planner/planning/placed_plan.hpp"

namespace cubefold::planner {

/// Returns the parameters of the model, a line for each candidate, and the choice with its reason.
std::string plan_text(const PlacedPlan& placed);

}  // namespace cubefold::planner
