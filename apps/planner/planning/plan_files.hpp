#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "planner/planning/placed_plan.hpp"

namespace cubefold::planner {

/// All candidates with what they cost, and what was reckoned with.
nlohmann::ordered_json candidates_json(const PlacedPlan& placed);

/// The schedule of the choice as schedule_json() writes it. Throws std::invalid_argument if it has more blocks than fit
/// into memory and file with good grace.
std::string choice_schedule_text(const PlacedPlan& placed);

}  // namespace cubefold::planner
