#include "cubefold/schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "step_source.hpp"

namespace cubefold {

Schedule part_of(const Schedule& schedule, Rank rank) {
  Schedule part{schedule.rank_count, {}};
  for (const Step& step : schedule.steps) {
    Step& own = part.steps.emplace_back();
    std::copy_if(step.begin(), step.end(), std::back_inserter(own),
                 [&](const Message& message) { return message.from == rank || message.to == rank; });
  }
  return part;
}

StepSource::StepSource(std::size_t rank_count, std::size_t step_count,
                       std::function<Step(std::size_t)> make_step)
    : rank_count_(rank_count), step_count_(step_count), make_step_(std::move(make_step)) {}

Schedule schedule_of(const StepSource& steps) {
  Schedule schedule{steps.rank_count(), {}};
  schedule.steps.reserve(steps.step_count());
  for (std::size_t k = 0; k < steps.step_count(); ++k) schedule.steps.push_back(steps.step(k));
  return schedule;
}

std::optional<DeliveryFault> first_delivery_fault(const StepSource& steps) {
  DeliveryCheck check(steps.rank_count());
  for (std::size_t k = 0; k < steps.step_count(); ++k) {
    if (auto fault = check.add(steps.step(k))) return fault;
  }
  return check.undelivered();
}

std::optional<Conflict> first_conflict(const Placement& placement, const StepSource& steps, Ports ports,
                                       Tie tie) {
  ConflictCheck check(placement, ports, tie);
  for (std::size_t k = 0; k < steps.step_count(); ++k) {
    if (auto conflict = check.add(steps.step(k))) return conflict;
  }
  return std::nullopt;
}

}  // namespace cubefold
