// The cost of a method equals what simulate_steps() counts in its schedule, step by step.

#include "cubefold/exchange/method.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "cubefold/simulation/steps.hpp"
#include "exchange/exchange_checks.hpp"
#include "support/message_of.hpp"
#include "support/sanitizers.hpp"
#include "support/some_grids.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

/// A step as a cost: blocks on the busiest link or port, and start-ups.
struct CountedStep {
  std::uint64_t blocks;
  std::uint64_t startups;

  bool operator==(const CountedStep&) const = default;
};

std::vector<CountedStep> predicted_steps(const ExchangeCost& cost) {
  std::vector<CountedStep> steps;
  for (const StepGroup& group : cost.groups)
    steps.insert(steps.end(), group.steps, {group.blocks, group.startups});
  return steps;
}

/// With tau = 1 and all else 0 a step takes as many seconds as it has blocks of a byte on its busiest link or port.
std::vector<CountedStep> counted_steps(const Placement& placement, const Schedule& schedule,
                                       const NetworkRules& rules) {
  const StepModel model{0, {1}, 0, rules.ports, rules.tie};
  std::vector<CountedStep> steps;
  for (const StepCost& step : simulate_steps(placement, schedule, 1, model).steps)
    steps.push_back({static_cast<std::uint64_t>(step.seconds), step.startup_count});
  return steps;
}

/// Blocks that leave a rank in all messages, on average.
double counted_sent_blocks(const Schedule& schedule) {
  std::size_t blocks = 0;
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) blocks += message.blocks.size();
  }
  return static_cast<double>(blocks) / static_cast<double>(schedule.rank_count);
}

/// Returns where a method's cost and its schedule first differ, or nothing.
std::optional<std::string> first_difference(const ExchangeMethod& method, const Placement& placement,
                                            const NetworkRules& rules) {
  const auto where = [&] {
    return to_string(method) + " on " + name_of(placement.grid(), rules) + ", placement " +
           to_string(placement.rule()) + ": ";
  };
  const ExchangeCost cost = exchange_cost(method, placement, rules);
  const Schedule schedule = exchange_schedule(method, placement, rules);
  const auto predicted = predicted_steps(cost);
  const auto counted = counted_steps(placement, schedule, rules);
  if (predicted.size() != counted.size() || cost.step_count() != counted.size())
    return where() + std::to_string(predicted.size()) + " steps, counted " + std::to_string(counted.size());
  for (std::size_t i = 0; i < counted.size(); ++i) {
    if (predicted[i] == counted[i]) continue;
    const auto text = [](const CountedStep& step) {
      return std::to_string(step.blocks) + " blocks and " + std::to_string(step.startups) + " start-ups";
    };
    return where() + "step " + std::to_string(i) + ": " + text(predicted[i]) + ", counted " +
           text(counted[i]);
  }
  const double sent = counted_sent_blocks(schedule);
  if (std::abs(cost.sent_blocks - sent) > 1e-9 * sent)
    return where() + std::to_string(cost.sent_blocks) + " blocks sent, counted " + std::to_string(sent);
  return std::nullopt;
}

void expect_same(const std::vector<ExchangeMethod>& methods, const Placement& placement) {
  for (const auto& rules : all_network_rules) {
    for (const auto& method : methods) EXPECT_EQ(first_difference(method, placement, rules), std::nullopt);
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
    if (info.depends_on_placement && info.most_numbers == 0)
      methods.push_back(parse_exchange_method(info.name));
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
