// The closed form of a method and the fold over its schedule are what simulate_steps() counts, step by step.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "cubefold/simulation/steps.hpp"
#include "exchange/algorithm.hpp"
#include "exchange/exchange_checks.hpp"
#include "support/message_of.hpp"
#include "support/sanitizers.hpp"
#include "support/some_grids.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

/// Describes a step as a cost: blocks on the busiest link or port, start-ups, and whether it waits.
struct CountedStep {
  double block_times;
  std::uint64_t startups;
  bool waits;
};

std::vector<CountedStep> steps_of(const ExchangeCost& cost) {
  std::vector<CountedStep> steps;
  for (const StepGroup& group : cost.groups) {
    for (std::size_t i = 0; i < group.steps; ++i) {
      const bool waits = group.waits == Waits::each || (group.waits == Waits::first && i == 0);
      steps.push_back({group.block_times(), group.startups, waits});
    }
  }
  return steps;
}

/// Returns the first step that sends a block before a wait that ends the step in which the block moved last, or
/// nothing.
std::optional<std::size_t> first_early_step(const Schedule& schedule, const std::vector<CountedStep>& steps) {
  std::vector<std::size_t> moved_in(schedule.rank_count * schedule.rank_count, SIZE_MAX);
  std::size_t steps_over = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].waits) steps_over = i;
    for (const Message& message : schedule.steps[i]) {
      for (const Block& block : message.blocks) {
        std::size_t& moved = moved_in[label(block.source) * schedule.rank_count + label(block.destination)];
        if (moved != SIZE_MAX && moved >= steps_over) return i;
        moved = i;
      }
    }
  }
  return std::nullopt;
}

double sent_blocks_of(const Schedule& schedule) {
  std::size_t blocks = 0;
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) blocks += message.blocks.size();
  }
  return static_cast<double>(blocks) / static_cast<double>(schedule.rank_count);
}

/// Returns where a cost differs from what simulate_steps() counts in the schedule, or nothing. With tau = 1 and all
/// else 0 a step takes as many seconds as it has blocks of a byte on its busiest link or port, over the link's rate.
std::optional<std::string> first_difference(const ExchangeCost& cost, const Schedule& schedule,
                                            const std::vector<StepCost>& counted) {
  const auto steps = steps_of(cost);
  if (steps.size() != counted.size() || cost.step_count() != counted.size())
    return fmt::format("{} steps, counted {}", steps.size(), counted.size());
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const bool takes_as_long = std::abs(steps[i].block_times - counted[i].seconds) < 1e-9;
    if (takes_as_long && steps[i].startups == counted[i].startup_count) continue;
    return fmt::format("step {}: {} block-times and {} start-ups, counted {} and {}", i, steps[i].block_times,
                       steps[i].startups, counted[i].seconds, counted[i].startup_count);
  }
  const double sent = sent_blocks_of(schedule);
  if (std::abs(cost.sent_blocks - sent) > 1e-9 * sent)
    return fmt::format("{} blocks sent, counted {}", cost.sent_blocks, sent);
  if (const auto step = first_early_step(schedule, steps))
    return fmt::format("step {} does not wait for what it sends", *step);
  return std::nullopt;
}

std::size_t wait_count(const ExchangeCost& cost) {
  const auto steps = steps_of(cost);
  return static_cast<std::size_t>(std::ranges::count_if(steps, &CountedStep::waits));
}

/// Expects that the closed forms of methods and cost_of_schedule() are what simulate_steps() counts in the schedules.
void expect_same(const std::vector<ExchangeMethod>& methods, const Placement& placement) {
  for (const auto& rules : all_network_rules) {
    for (const auto& method : methods) {
      const auto where = to_string(method) + " on " + name_of(placement.grid(), rules) + ", placement " +
                         to_string(placement.rule());
      const Schedule schedule = exchange_schedule(method, placement, rules);
      const ExchangeCost closed = exchange_cost(method, placement, rules);
      const ExchangeCost folded = cost_of_schedule(placement, schedule, rules);
      const StepModel model{0, {1}, 0, rules.ports, rules.tie};
      const auto counted = simulate_steps(placement, schedule, 1, model).steps;
      EXPECT_EQ(first_difference(closed, schedule, counted), std::nullopt) << where;
      EXPECT_EQ(first_difference(folded, schedule, counted), std::nullopt) << where << ", folded";
      EXPECT_LE(wait_count(folded), wait_count(closed)) << where;
    }
  }
}

/// Returns the methods that do not depend on the placement.
std::vector<ExchangeMethod> methods_by_node(const Grid& grid) {
  auto methods = exchange_methods(grid);
  std::erase_if(methods, [](const ExchangeMethod& method) { return info_of(method).depends_on_placement; });
  return methods;
}

/// Returns the methods that depend on the placement, cc-cube with packets of equal and of unequal sizes.
std::vector<ExchangeMethod> methods_by_rank(const Grid& grid) {
  std::vector<ExchangeMethod> methods;
  for (const auto& info : exchange_algorithms()) {
    if (!info.depends_on_placement || info.most_numbers > 0) continue;
    const ExchangeMethod method = parse_exchange_method(info.name);
    if (schedule_if_it_fits(method, in_place(grid), {})) methods.push_back(method);
  }
  const auto rank_count = static_cast<std::uint32_t>(grid.node_count());
  for (const std::uint32_t radix : {2U, 3U, 4U, 5U, 8U, 16U, rank_count}) {
    if (radix >= 2 && radix <= std::max(2U, rank_count))
      methods.push_back({ExchangeAlgorithm::bruck, {radix}});
  }
  if (!std::has_single_bit(rank_count)) return methods;
  methods.push_back({ExchangeAlgorithm::cc_cube, {}});
  for (const std::uint32_t packets : {1U, 2U, 3U, 4U, 5U, 7U, 11U, 16U, 31U, 32U}) {
    if (packets <= std::max(1U, rank_count / 2)) methods.push_back({ExchangeAlgorithm::cc_cube, {packets}});
  }
  return methods;
}

TEST(ExchangeCost, of_every_example_is_that_of_the_schedule) {
  for (const Grid& grid : grids_up_to(16)) {
    for (const auto& info : exchange_algorithms()) {
      for (const auto& example : examples_of(info)) {
        if (schedule_if_it_fits(example, in_place(grid), {})) expect_same({example}, in_place(grid));
      }
    }
  }
}

TEST(ExchangeCost, of_methods_by_node_is_that_of_the_schedule_on_all_grids_of_up_to_32_nodes) {
  for (const Grid& grid : some_grids_up_to(16, 32, 6)) expect_same(methods_by_node(grid), in_place(grid));
}

TEST(ExchangeCost, of_methods_by_rank_is_that_of_the_schedule_on_all_grids_of_up_to_32_nodes) {
  for (const Grid& grid : some_grids_up_to(16, 32, 4)) expect_same(methods_by_rank(grid), in_place(grid));
}

/// Some of the grids of these numbers of nodes, each with its axes in one order.
class LargerGrids : public testing::TestWithParam<std::size_t> {};

TEST_P(LargerGrids, have_the_cost_of_the_schedule) {
  for (const Grid& grid : some_of(grids_of(GetParam(), AxisOrders::ascending), 6)) {
    expect_same(methods_by_node(grid), in_place(grid));
    expect_same(methods_by_rank(grid), in_place(grid));
  }
}

INSTANTIATE_TEST_SUITE_P(ExchangeCost, LargerGrids, testing::Values(36, 45, 48, 64));

TEST(ExchangeCost, is_that_of_the_schedule_on_some_large_grids) {
  for (const char* name : some_of<const char*>(
           {"mesh:7x13", "torus:10x10", "grid:25wx4", "torus:5x5x5", "ring:128", "mesh:6x5x5", "grid:3x7wx8",
            "torus:6x6x6", "mesh:2x16x8", "torus:16x16", "torus:8x4x8", "torus:3x3x3x3", "line:101"},
           4)) {
    const Grid grid = parse_grid(name);
    expect_same(methods_by_node(grid), in_place(grid));
  }
}

TEST(ExchangeCost, is_that_of_the_schedule_under_any_placement) {
  for (const Placement& placement : some_of(other_placements(), 3)) {
    const Grid& grid = placement.grid();
    expect_same(methods_by_rank(grid), placement);
    for (const auto& method : methods_by_node(grid))
      EXPECT_EQ(exchange_cost(method, placement, {}), exchange_cost(method, in_place(grid), {}));
  }
}

TEST(ExchangeCost, is_that_of_the_schedule_under_placements_on_64_nodes) {
  if (sanitized) GTEST_SKIP() << "takes long with sanitizers, and runs no code that smaller grids do not run";
  using Case = std::pair<const char*, const char*>;
  for (const auto& [grid, rule] : some_of<Case>({{"line:64", "standard"},
                                                 {"ring:64", "xor,bits=cyclic"},
                                                 {"mesh:8x8", "standard,order=5-0-3-1-2-4"},
                                                 {"torus:8x8", "standard"},
                                                 {"torus:4x4x4", "xor,bits=cyclic"},
                                                 {"grid:16wx2x2", "standard,order=5-0-3-1-2-4"}},
                                                6))
    expect_same(methods_by_rank(parse_grid(grid)), Placement(parse_grid(grid), parse_placement(rule)));
}

TEST(ExchangeCost, is_that_of_the_schedule_on_networks_with_routes_of_their_own) {
  std::vector<Grid> grids{ring_of_cables(2, 1), ring_of_cables(4, 4)};
  for (const char* name : {"torus:4x4,cut=0-1", "torus:3x4~1", "hyperx:4x3"})
    grids.push_back(parse_grid(name));
  for (const Grid& grid : grids) {
    auto methods = exchange_methods(grid);
    methods.push_back({ExchangeAlgorithm::shifted, {}});
    expect_same(methods, in_place(grid));
  }
}

TEST(ExchangeCost, is_that_of_the_schedule_for_all_digits) {
  for (const auto& [grid, method] : {std::pair{"mesh:6x12", "mixed-radix:3-2-2"},
                                     {"torus:6x12", "mixed-radix:6-2"},
                                     {"torus:9x27", "mixed-radix:3-3-3"},
                                     {"torus:8x16", "mixed-radix:4-2-2"},
                                     {"mesh:8x8x2", "mixed-radix:2-4"}})
    expect_same({parse_exchange_method(method)}, in_place(parse_grid(grid)));
}

TEST(ExchangeCost, names_the_method_that_does_not_fit) {
  const auto complaint = [](const char* grid, const char* method) {
    return message_of([&] { exchange_cost(parse_exchange_method(method), in_place(parse_grid(grid)), {}); });
  };
  EXPECT_EQ(
      complaint("line:8", "cc-cube:5"),
      "exchange method 'cc-cube:5': pipelined_cc_cube_exchange: 5 packets are not in 1 .. 4, the blocks of "
      "a stage");
  EXPECT_EQ(complaint("line:6", "cc-cube:2"),
            "exchange method 'cc-cube:2': line:6 has 6 nodes; a hypercube needs a power of two");
  EXPECT_EQ(complaint("line:6", "bruck:7"),
            "exchange method 'bruck:7': bruck_exchange: radix 7 is not in 2 .. 6");
}

TEST(ExchangeCost, joins_steps_that_cost_the_same_and_do_not_wait) {
  ExchangeCost cost;
  cost.add({2, 5, 1, Waits::first});
  cost.add({3, 5, 1, Waits::none});
  cost.add({0, 9, 1, Waits::none});
  cost.add({1, 5, 2, Waits::none});
  cost.add({1, 5, 2, Waits::first});
  cost.add({1, 4, 1, Waits::each});
  cost.add({1, 4, 1, Waits::each});
  cost.add({1, 4, 1, Waits::none});
  EXPECT_EQ(cost.groups, (std::vector<StepGroup>{{5, 5, 1, Waits::first},
                                                 {1, 5, 2, Waits::none},
                                                 {1, 5, 2, Waits::first},
                                                 {2, 4, 1, Waits::each},
                                                 {1, 4, 1, Waits::none}}));
  EXPECT_EQ(cost.step_count(), 10U);
  EXPECT_EQ(cost.startup_count(), 12U);
  EXPECT_EQ(cost.block_times(), 47U);
}

}  // namespace
}  // namespace cubefold
