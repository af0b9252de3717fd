#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/topology/grid.hpp"
#include "schedule/schedule_json.hpp"

namespace cubefold::planner {

struct PlanQuestion {
  Grid grid;
  std::string placement;  ///< rule of the placement; empty: the best of placements_to_try()
  std::size_t block_bytes = 0;
  ExchangeModel model;
  ExchangePlanOptions options;
};

/// A plan and its placement.
struct PlacedPlan {
  Placement placement;
  ExchangePlan plan;
  std::vector<std::string> tried;  ///< rules that were compared; empty if the placement was given
};

/// Returns standard and xor with blocked and with cyclic bits if all extents are powers of two, and identity otherwise.
std::vector<std::string> placements_to_try(const Grid& grid);

/// Returns the plan under the given placement. Without a given placement, returns the plan under that placement of
/// placements_to_try() whose best method takes the least time. If these times are equal, the second best methods
/// decide, and so on, because methods that do not use the ranks take equal times under all placements. Throws as
/// place() and plan_exchange() do.
PlacedPlan placed_plan(const PlanQuestion& question);

/// Returns JSON with the parameters of the model and all candidates with their costs.
nlohmann::ordered_json candidates_json(const PlacedPlan& placed);

/// A schedule file, and whether messages of one of its steps share a port or a link.
struct WrittenSchedule {
  std::string text;
  bool has_conflicts;
};

/// Throws std::invalid_argument if a schedule has more than 10^7 blocks in its messages, where a node sends
/// `sent_blocks`.
void require_writable(const std::string& method, const Placement& placement, double sent_blocks);

/// Returns the schedule as schedule_json() writes it, after program::file_facts(), has_conflicts and other members.
WrittenSchedule written_schedule(const ScheduleFile& file, const nlohmann::ordered_json& others);
WrittenSchedule written_schedule(const ScheduleFile& file);

/// Returns the line that says that the schedule in a file has conflicts.
std::string conflicts_text(const std::string& path);

/// Returns the schedule of the chosen method as schedule_json() writes it, after program::file_facts() and
/// has_conflicts. Throws std::invalid_argument if the schedule has more than 10^7 blocks in its messages.
WrittenSchedule choice_schedule(const PlacedPlan& placed);

/// Returns a text with the parameters of the model, a line for each candidate, and the choice with its reason.
std::string plan_text(const PlacedPlan& placed);

}  // namespace cubefold::planner
