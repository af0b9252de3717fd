#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::planner {

struct PlanQuestion {
  Grid grid;
  std::string placement;  ///< a rule; empty: the best of placements_to_try()
  std::size_t block_bytes = 0;
  ExchangeModel model;
  ExchangePlanOptions options;
};

/// A plan and its placement.
struct PlacedPlan {
  Placement placement;
  ExchangePlan plan;
  std::vector<std::string> tried;  ///< rules that the choice was made from; empty if the placement was given
};

/// Returns standard and xor with blocked and with cyclic bits if all extents are powers of two, and identity otherwise.
std::vector<std::string> placements_to_try(const Grid& grid);

/// Returns the plan under the placement with the least time of the best method. If these times are equal, the second
/// best methods decide, and so on. The times of methods that use only nodes are equal under all placements. Throws as
/// place() and plan_exchange() do.
PlacedPlan placed_plan(const PlanQuestion& question);

/// Returns all candidates with their costs, and the parameters of the model.
nlohmann::ordered_json candidates_json(const PlacedPlan& placed);

/// Returns the schedule of the choice as schedule_json() writes it. Throws std::invalid_argument if it has too many
/// blocks for memory and file.
std::string choice_schedule_text(const PlacedPlan& placed);

/// Returns the parameters of the model, a line for each candidate, and the choice with its reason.
std::string plan_text(const PlacedPlan& placed);

}  // namespace cubefold::planner
