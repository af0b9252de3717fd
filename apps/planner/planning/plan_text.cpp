#include "planner/planning/plan_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cubefold::planner {

namespace {

std::string placement_text(const PlacedPlan& placed) {
  const auto rule = to_string(placed.placement.rule());
  if (placed.tried.size() < 2) return fmt::format("placement {}", rule);
  return fmt::format("placement {}, of {}", rule, fmt::join(placed.tried, "; "));
}

std::string heading(const PlacedPlan& placed) {
  const ExchangeModel& model = placed.plan.model;
  return fmt::format("{}\n{} ties; alpha {} s, gap {} s, tau {} s/B, barrier {} s\n\n",
                     placement_text(placed), to_string(model.network.tie), model.alpha_seconds,
                     model.gap_seconds, fmt::join(model.tau_seconds_per_byte, ","), model.barrier_seconds);
}

std::string ratio_text(const ExchangeCandidate& candidate, const ExchangePlan& plan) {
  const double bound = plan.bound.seconds();
  return bound > 0 ? fmt::format("{:.3f}", candidate.seconds / bound) : "-";
}

std::string line_of(const ExchangeCandidate& candidate, const ExchangePlan& plan) {
  return fmt::format("{:<20}{:>8}{:>11}{:>13.6g}{:>14.6g}{:>12}{}\n", to_string(candidate.method),
                     candidate.cost.step_count(), candidate.cost.startup_count(), candidate.cost.sent_blocks,
                     candidate.seconds * 1e3, ratio_text(candidate, plan),
                     candidate.oversubscribes ? "  floods" : "");
}

constexpr const char* about_floods =
    "floods: sends more at once than queues hold; the time is what it takes at best, and it is chosen only "
    "if\n"
    "nothing else is there\n";

}  // namespace

std::string plan_text(const PlacedPlan& placed) {
  const ExchangePlan& plan = placed.plan;
  std::string text = heading(placed);
  text += fmt::format("{:<20}{:>8}{:>11}{:>13}{:>14}{:>12}\n", "method", "steps", "start-ups", "blocks sent",
                      "time in ms", "time/bound");
  for (const ExchangeCandidate& candidate : plan.candidates) text += line_of(candidate, plan);
  const bool any_floods =
      std::any_of(plan.candidates.begin(), plan.candidates.end(),
                  [](const ExchangeCandidate& candidate) { return candidate.oversubscribes; });
  return fmt::format("{}{}\n{}", text, any_floods ? about_floods : "", describe(plan));
}

}  // namespace cubefold::planner
