#pragma once

#include <string>

#include "planner/planning/placed_plan.hpp"

namespace cubefold::planner {

/// What was reckoned with, a line for each candidate, the choice and why.
std::string plan_text(const PlacedPlan& placed);

}  // namespace cubefold::planner
