// The slots of the clock and the predicted seconds of a plan are those that are counted in the schedule, step by step.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cubefold/plan/exchange_plan.hpp"
#include "exchange/exchange_checks.hpp"
#include "support/some_grids.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

/// Returns for each step of the cost whether it waits for the steps before it.
std::vector<bool> waits_of(const ExchangeCost& cost) {
  std::vector<bool> waits;
  for (const StepGroup& group : cost.groups) {
    for (std::size_t i = 0; i < group.steps; ++i)
      waits.push_back(group.waits == Waits::each || (group.waits == Waits::first && i == 0));
  }
  return waits;
}

/// Returns the first step that sends a block which has arrived in the last step that waits or after it, or nothing.
/// Such a step would have to wait itself.
std::optional<std::size_t> first_step_without_its_wait(const Schedule& schedule,
                                                       const std::vector<bool>& waits) {
  // Steps count from 1 here, and blocks that have not moved arrived in step 0.
  std::vector<std::size_t> arrivals(schedule.rank_count * schedule.rank_count);
  const auto arrival_of = [&](const Block& block) -> std::size_t& {
    return arrivals[label(block.source) * schedule.rank_count + label(block.destination)];
  };
  std::size_t last_wait = 1;
  for (std::size_t number = 1; number <= schedule.steps.size(); ++number) {
    if (waits[number - 1]) last_wait = number;
    const Step& step = schedule.steps[number - 1];
    for (const Message& message : step) {
      for (const Block& block : message.blocks)
        if (arrival_of(block) >= last_wait) return number - 1;
    }
    for (const Message& message : step)
      for (const Block& block : message.blocks) arrival_of(block) = number;
  }
  return std::nullopt;
}

/// Returns the bytes of a piece of every block for each round.
std::vector<std::size_t> pieces_of(const ExchangePlan& plan) {
  std::vector<std::size_t> pieces;
  for (std::size_t left = plan.block_bytes; left > 0; left -= pieces.back())
    pieces.push_back(std::min(left, plan.piece_bytes));
  return pieces;
}

/// Returns how long the steps of the schedule take, without waits, if all blocks have so many bytes.
std::vector<double> counted_seconds(const Schedule& schedule, const Placement& placement,
                                    std::size_t block_bytes, const ExchangeModel& model) {
  const StepModel steps{model.gap_seconds, model.tau_seconds_per_byte, 0, model.network.ports,
                        model.network.tie};
  std::vector<double> seconds;
  for (const StepCost& step : simulate_steps(placement, schedule, block_bytes, steps).steps)
    seconds.push_back(step.seconds);
  return seconds;
}

/// Returns where the clock or the predicted seconds of a candidate differ from its schedule, or nothing. Requires that
/// all times are whole numbers.
std::optional<std::string> first_clock_fault(const ExchangePlan& plan, const ExchangeCandidate& candidate,
                                             const Placement& placement, const Schedule& schedule) {
  const ExchangeModel& model = plan.model;
  const StepTimes times{candidate.cost.groups, model.alpha_seconds, model.gap_seconds,
                        model.tau_seconds_per_byte.front()};
  const auto waits = waits_of(candidate.cost);
  if (waits.size() != schedule.steps.size()) return std::to_string(waits.size()) + " steps";
  if (const auto step = first_step_without_its_wait(schedule, waits))
    return "step " + std::to_string(*step) + " sends what has just arrived";
  StepSlots slots(times, plan.block_bytes, plan.piece_bytes);
  double now = -times.wait_seconds();
  const auto pieces = pieces_of(plan);
  for (std::size_t round = 0; round < pieces.size(); ++round) {
    const auto seconds = counted_seconds(schedule, placement, pieces[round], model);
    for (std::size_t step = 0; step < seconds.size(); ++step) {
      if (waits[step]) now += times.wait_seconds();
      slots.go_to(round, step);
      if (slots.begin() != now || slots.length() != seconds[step])
        return "step " + std::to_string(step) + " of round " + std::to_string(round);
      now += seconds[step];
    }
  }
  now = waits.empty() ? 0 : now + times.wait_seconds();
  if (candidate.sync == StepSync::clock) now += model.barrier_seconds;
  if (candidate.seconds != now) return std::to_string(now) + " seconds";
  return std::nullopt;
}

/// Returns exchange_methods() and the other examples of algorithms that fit the placement.
std::vector<ExchangeMethod> methods_on(const Placement& placement) {
  auto methods = exchange_methods(placement.grid());
  for (const auto& info : exchange_algorithms()) {
    for (const auto& example : examples_of(info)) {
      const bool is_new = std::find(methods.begin(), methods.end(), example) == methods.end();
      if (is_new && schedule_if_it_fits(example, placement, {})) methods.push_back(example);
    }
  }
  return methods;
}

/// Returns a plan of blocks of 5 bytes in pieces of 2. All methods but those that wait anyway go by the clock.
ExchangePlan plan_by_the_clock(const Placement& placement, const NetworkRules& rules) {
  return plan_exchange(placement, 5, {3, 1, {2}, 7, rules}, {methods_on(placement), 0, 2});
}

void expect_one_count(const Placement& placement) {
  for (const auto& rules : all_network_rules) {
    const ExchangePlan plan = plan_by_the_clock(placement, rules);
    for (const auto& candidate : plan.candidates) {
      const auto schedule = exchange_schedule(candidate.method, placement, rules);
      EXPECT_EQ(first_clock_fault(plan, candidate, placement, schedule), std::nullopt)
          << to_string(candidate.method) << " on " << name_of(placement.grid(), rules);
    }
  }
}

TEST(ClockOfAPlan, has_the_counted_times_of_every_method_on_all_grids_of_up_to_20_nodes) {
  for (const Grid& grid : some_grids_up_to(10, 20, 4)) expect_one_count(in_place(grid));
}

TEST(ClockOfAPlan, has_the_counted_times_of_every_method_on_larger_grids) {
  for (const char* grid :
       some_of<const char*>({"mesh:2x16", "torus:16x2x8", "grid:2wx7x5w", "torus:4x4x4", "line:41"}, 4))
    expect_one_count(in_place(parse_grid(grid)));
}

TEST(ClockOfAPlan, has_the_counted_times_under_any_placement) {
  for (const Placement& placement : some_of(other_placements(), 3)) expect_one_count(placement);
}

/// Returns the fault of a method's candidate on mesh:2x8 after break_it() has changed the candidate or the schedule.
template <typename Break>
std::string fault_after(const char* method, Break break_it) {
  const Placement placement = in_place(parse_grid("mesh:2x8"));
  ExchangePlan plan = plan_by_the_clock(placement, {});
  const auto candidate = std::find_if(plan.candidates.begin(), plan.candidates.end(),
                                      [&](const auto& each) { return to_string(each.method) == method; });
  Schedule schedule = exchange_schedule(candidate->method, placement, {});
  break_it(*candidate, schedule);
  return first_clock_fault(plan, *candidate, placement, schedule).value_or("none");
}

using Candidate = ExchangeCandidate;

TEST(ClockOfAPlan, is_refused_if_a_step_or_the_seconds_differ_from_the_schedule) {
  EXPECT_EQ(fault_after("direct", [](Candidate&, Schedule&) {}), "none");
  EXPECT_EQ(fault_after("direct", [](Candidate& it, Schedule&) { ++it.cost.groups[0].blocks; }),
            "step 0 of round 0");
  EXPECT_EQ(fault_after("direct", [](Candidate& it, Schedule&) { ++it.cost.groups[0].startups; }),
            "step 0 of round 0");
  EXPECT_EQ(fault_after("direct", [](Candidate& it, Schedule&) { ++it.cost.groups[0].steps; }), "33 steps");
  EXPECT_EQ(fault_after("direct", [](Candidate& it, Schedule&) { it.seconds -= 7; }), "429.000000 seconds");
  EXPECT_EQ(fault_after("direct", [](Candidate&, Schedule& it) { it.steps[31][0].blocks.push_back({}); }),
            "step 31 of round 0");
  EXPECT_EQ(fault_after("direct", [](Candidate&, Schedule& it) { it.steps.pop_back(); }), "32 steps");
}

TEST(ClockOfAPlan, is_refused_if_a_step_sends_what_arrives_without_a_wait) {
  const std::string fault = "step 1 sends what has just arrived";
  EXPECT_EQ(fault_after("axes", [](Candidate& it, Schedule&) { it.cost.groups[1].waits = Waits::none; }),
            fault);
  EXPECT_EQ(fault_after("cc-cube", [](Candidate& it, Schedule&) { it.cost.groups[0].waits = Waits::first; }),
            fault);
  EXPECT_EQ(
      fault_after("quadrant", [](Candidate&, Schedule& it) { std::swap(it.steps[0], it.steps.back()); }),
      fault);
}

// Predictions were once several times as long as the schedules: 1024 block-times for 184 on mesh:2x16, and 4128 for 792
// on torus:16x2x8. On mesh:2x16 the schedule is now shorter.
TEST(ClockOfAPlan, of_axis_rotated_has_the_block_times_of_the_schedule_where_extents_differ) {
  const auto block_times = [](const char* grid, Ports ports) {
    return exchange_cost(parse_exchange_method("axis-rotated"), in_place(parse_grid(grid)), {ports})
        .block_times();
  };
  EXPECT_EQ(block_times("mesh:2x16", Ports::one), 144U);
  EXPECT_EQ(block_times("torus:16x2x8", Ports::all), 792U);
}

}  // namespace
}  // namespace cubefold
