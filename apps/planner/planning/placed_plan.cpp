#include "planner/planning/placed_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "cubefold/plan/mapping.hpp"
#include "cubefold/simulation/steps.hpp"
#include "program/json.hpp"
#include "program/network_times.hpp"
#include "program/table.hpp"
#include "schedule/conflict.hpp"
#include "schedule/schedule_json.hpp"

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
  if (!is_hypercube_shaped || grid.route_table() != nullptr) return {"identity"};
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

namespace {

/// The largest number of blocks in the messages of a schedule that is written. If every message has one block, the
/// schedule takes 500 MB of memory, and its text takes another 500 MB.
constexpr double most_blocks = 1e7;

nlohmann::ordered_json candidate_json(const ExchangeCandidate& candidate, double bound_seconds) {
  nlohmann::ordered_json json{{"method", to_string(candidate.method)},
                              {"steps", candidate.cost.step_count()},
                              {"startups", candidate.cost.startup_count()},
                              {"sent_blocks", candidate.cost.sent_blocks},
                              {"block_times", candidate.cost.block_times()},
                              {"seconds", candidate.seconds},
                              {"ratio", nullptr},
                              {"sync", to_string(candidate.sync)},
                              {"oversubscribes", candidate.oversubscribes}};
  if (bound_seconds > 0) json["ratio"] = candidate.seconds / bound_seconds;
  return json;
}

/// Returns the lower bounds of a complete exchange on the grid for links of equal speed, in block-times and start-ups.
ScheduleBound schedule_bound(const ExchangePlan& plan) {
  const Ports ports = plan.model.network.ports;
  const StepModel block_times{.tau_seconds_per_byte = {1}, .ports = ports};
  return {complete_exchange_bound(plan.grid, 1, block_times).seconds(), startup_bound(plan.grid, ports)};
}

}  // namespace

void require_writable(const std::string& method, const Placement& placement, double sent_blocks) {
  const double blocks = sent_blocks * static_cast<double>(placement.rank_count());
  if (blocks <= most_blocks) return;
  throw std::invalid_argument(fmt::format(
      "plan: the schedule of {} on {} has {:.0f} blocks in its messages; the most that is written is {:.0f}",
      method, to_string(placement.grid()), blocks, most_blocks));
}

WrittenSchedule written_schedule(const ScheduleFile& file) {
  return written_schedule(file, nlohmann::ordered_json::object());
}

WrittenSchedule written_schedule(const ScheduleFile& file, const nlohmann::ordered_json& others) {
  const bool has_conflicts = first_conflict(file.placement, file.schedule, file.ports, file.tie).has_value();
  auto members = program::file_facts();
  members["has_conflicts"] = has_conflicts;
  members.update(others);
  return {program::with_members(members, schedule_json(file)), has_conflicts};
}

std::string conflicts_text(const std::string& path) {
  return fmt::format("the schedule in {} has conflicts: messages of a step share ports or links\n", path);
}

nlohmann::ordered_json candidates_json(const PlacedPlan& placed) {
  const ExchangePlan& plan = placed.plan;
  const ExchangeModel& model = plan.model;
  nlohmann::ordered_json json{{"grid", to_string(plan.grid)},
                              {"placement", to_string(placed.placement.rule())},
                              {"ports", to_string(model.network.ports)},
                              {"tie", to_string(model.network.tie)},
                              {"block_bytes", plan.block_bytes}};
  json.update(as_json(program::times_of(model)));
  json["bound_seconds"] = plan.bound.seconds();
  json["choice"] = to_string(plan.choice().method);
  json["why"] = plan.why;
  auto& candidates = json["candidates"] = nlohmann::ordered_json::array();
  for (const ExchangeCandidate& candidate : plan.candidates)
    candidates.push_back(candidate_json(candidate, plan.bound.seconds()));
  return json;
}

WrittenSchedule choice_schedule(const PlacedPlan& placed) {
  const ExchangeCandidate& choice = placed.plan.choice();
  const ExchangeMethod& method = choice.method;
  require_writable(to_string(method), placed.placement, choice.cost.sent_blocks);
  const NetworkRules& rules = placed.plan.model.network;
  return written_schedule({placed.placement, rules.ports, rules.tie, to_string(method),
                           schedule_bound(placed.plan), exchange_schedule(method, placed.placement, rules)});
}

namespace {

std::string placement_text(const PlacedPlan& placed) {
  const auto rule = to_string(placed.placement.rule());
  if (placed.tried.size() < 2) return fmt::format("placement {}", rule);
  return fmt::format("placement {}, of {}", rule, fmt::join(placed.tried, "; "));
}

std::string heading(const PlacedPlan& placed) {
  const ExchangeModel& model = placed.plan.model;
  return fmt::format("{}\n{} ties; {}\n\n", placement_text(placed), to_string(model.network.tie),
                     to_string(program::times_of(model)));
}

std::string ratio_text(const ExchangeCandidate& candidate, const ExchangePlan& plan) {
  const double bound = plan.bound.seconds();
  return bound > 0 ? fmt::format("{:.3f}", candidate.seconds / bound) : "-";
}

program::Table table_of(const ExchangePlan& plan) {
  program::Table table({{"method", 20, true},
                        {"steps", 8},
                        {"start-ups", 11},
                        {"blocks sent", 13},
                        {"time in ms", 14},
                        {"time/bound", 12},
                        {"", 0, true}});
  for (const ExchangeCandidate& candidate : plan.candidates) {
    table.add({to_string(candidate.method), std::to_string(candidate.cost.step_count()),
               std::to_string(candidate.cost.startup_count()),
               fmt::format("{:.6g}", candidate.cost.sent_blocks),
               fmt::format("{:.6g}", candidate.seconds * 1e3), ratio_text(candidate, plan),
               candidate.oversubscribes ? "oversubscribes" : ""});
  }
  return table;
}

constexpr const char* about_oversubscribing =
    "oversubscribes: the method sends more at once than queues hold.\n"
    "Its time assumes that no message waits or is lost, so such methods are chosen last.\n";

}  // namespace

std::string plan_text(const PlacedPlan& placed) {
  const ExchangePlan& plan = placed.plan;
  std::string text = heading(placed);
  text += table_of(plan).text();
  const bool any_oversubscribe =
      std::any_of(plan.candidates.begin(), plan.candidates.end(),
                  [](const ExchangeCandidate& candidate) { return candidate.oversubscribes; });
  return fmt::format("{}{}\n{}", text, any_oversubscribe ? about_oversubscribing : "", describe(plan));
}

}  // namespace cubefold::planner
