#include "planner/planning/placed_plan.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "cubefold/plan/place.hpp"

namespace cubefold::planner {

namespace {

using Times = std::vector<std::pair<bool, double>>;

Times times_of(const PlacedPlan& placed) {
  Times times;
  for (const ExchangeCandidate& candidate : placed.plan.candidates)
    times.emplace_back(candidate.oversubscribes, candidate.seconds);
  return times;
}

PlacedPlan plan_on(const PlanQuestion& question, const std::string& rule) {
  const Placement placement = place(question.grid, rule);
  return {placement, plan_exchange(placement, question.block_bytes, question.model, question.options), {}};
}

}  // namespace

std::vector<std::string> placements_to_try(const Grid& grid) {
  const bool is_hypercube_shaped = std::all_of(grid.axes().begin(), grid.axes().end(), [](const Axis& axis) {
    return std::has_single_bit(axis.extent);
  });
  if (!is_hypercube_shaped) return {"identity"};
  return {"standard", "standard,bits=cyclic", "xor", "xor,bits=cyclic"};
}

PlacedPlan placed_plan(const PlanQuestion& question) {
  if (!question.placement.empty()) return plan_on(question, question.placement);
  const auto rules = placements_to_try(question.grid);
  PlacedPlan best = plan_on(question, rules.front());
  for (auto rule = rules.begin() + 1; rule != rules.end(); ++rule) {
    PlacedPlan other = plan_on(question, *rule);
    if (times_of(other) < times_of(best)) best = std::move(other);
  }
  best.tried = rules;
  return best;
}

}  // namespace cubefold::planner
