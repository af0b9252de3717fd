#pragma once

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

/// A plan, and the placement that it is for.
struct PlacedPlan {
  Placement placement;
  ExchangePlan plan;
  std::vector<std::string> tried;  ///< rules that the placement was chosen from; none if it was given
};

/// Standard and xor with both bit assignments where all extents are powers of two, identity elsewhere.
std::vector<std::string> placements_to_try(const Grid& grid);

/// The plan under the placement with the least time of the best method; of the second best where those are equal, and
/// so on. Methods that know only nodes take as long under all. Throws what place() and plan_exchange() do.
PlacedPlan placed_plan(const PlanQuestion& question);

}  // namespace cubefold::planner
