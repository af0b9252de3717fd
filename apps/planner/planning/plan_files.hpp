#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

#include "planner/planning/placed_plan.hpp"

namespace cubefold::planner {

/// Returns all candidates with their costs, and the parameters of the model.
nlohmann::ordered_json candidates_json(const PlacedPlan& placed);

/// Returns the schedule of the choice as schedule_json() writes it. Throws std::invalid_argument if it has too many
/// blocks for memory and file.
std::string choice_schedule_text(const PlacedPlan& placed);

/// Returns the parameters of the model, a line for each candidate, and the choice with its reason.
std::string plan_text(const PlacedPlan& placed);

}  // namespace cubefold::planner
