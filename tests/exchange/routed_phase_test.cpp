// Direct exchanges on networks whose links do not follow from axes.

#include "exchange/routed_phase.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/simulation/steps.hpp"
#include "exchange/exchange_checks.hpp"
#include "schedule/conflict.hpp"
#include "schedule/delivery.hpp"
#include "support/known_networks.hpp"
#include "support/message_of.hpp"
#include "topology/balanced_routes.hpp"

namespace cubefold {
namespace {

class DirectOnNetworks : public testing::TestWithParam<KnownNetwork> {};

TEST_P(DirectOnNetworks, delivers_every_block_without_conflicts) {
  const Placement placement = in_place(parse_grid(GetParam().name));
  for (const auto& rules : all_network_rules) {
    const Schedule schedule = exchange_schedule(direct, placement, rules);
    EXPECT_EQ(first_conflict(placement, schedule, rules.ports, rules.tie), std::nullopt);
    EXPECT_EQ(first_delivery_fault(schedule), std::nullopt);
    if (placement.rank_count() > 12) continue;  // a part takes as long as the whole
    EXPECT_EQ(first_other_part(direct, placement, rules, schedule), std::nullopt);
  }
}

INSTANTIATE_TEST_SUITE_P(Known, DirectOnNetworks, testing::ValuesIn(known_networks), test_name_of);

TEST(DirectOnNetworks, takes_at_most_a_tenth_more_steps_than_any_exchange) {
  for (const auto& [name, link_count, optimum] : known_networks) {
    const Grid grid = parse_grid(name);
    const std::size_t peers = grid.node_count() - 1;
    for (const Ports ports : {Ports::all, Ports::one}) {
      const auto count = static_cast<double>(RoutedPhase(grid, ports).step_count());
      const double least = ports == Ports::one ? std::max(static_cast<double>(peers), optimum) : optimum;
      EXPECT_LE(count, 1.1 * least + 1e-9) << name << ", ports " << to_string(ports);
      EXPECT_GE(count, least - 1e-9) << name << ", ports " << to_string(ports);
    }
  }
}

/// Four nodes in a ring; the cables at node 0 are twice as fast as the other two.
Grid ring_with_fast_cables() {
  return {{{4, Ends::open}},
          RouteTable(4, {{0, 1, 2}, {0, 3, 2}, {1, 0, 2}, {1, 2}, {2, 1}, {2, 3}, {3, 0, 2}, {3, 2}},
                     {0, 0, 0, 1, 2, 0, 3, 2, 4, 4, 0, 5, 6, 6, 7, 0}),
          "fast"};
}

Schedule one_step(std::vector<std::pair<std::uint32_t, std::uint32_t>> messages) {
  Schedule schedule{4, {{}}};
  for (const auto& [from, to] : messages)
    schedule.steps[0].push_back({Rank{from}, Rank{to}, {{Rank{from}, Rank{to}}}});
  return schedule;
}

TEST(FirstConflict, allows_as_many_messages_on_a_link_as_its_rate_says) {
  const Placement placement = in_place(ring_of_cables(2, 1));
  const auto conflict = [&](const Schedule& schedule) {
    return first_conflict(placement, schedule, Ports::all, Tie::balanced);
  };
  EXPECT_EQ(conflict(one_step({{0, 1}, {0, 2}})), std::nullopt);
  EXPECT_EQ(conflict(one_step({{0, 1}, {0, 1}})), std::nullopt);
  const auto third = conflict(one_step({{0, 1}, {0, 1}, {0, 2}}));
  ASSERT_TRUE(third.has_value());
  EXPECT_EQ(third->kind, Conflict::Kind::link);
  EXPECT_EQ(third->second_message, 2U);
  EXPECT_TRUE(conflict(one_step({{0, 2}, {1, 2}})).has_value());  // both take the slow link from 1 to 2
}

TEST(SimulateSteps, divides_the_messages_of_a_link_by_its_rate) {
  const Placement placement = in_place(ring_of_cables(2, 1));
  const auto seconds = [&](const Schedule& schedule) {
    return simulate_steps(placement, schedule, 1, {0, {1}, 0, Ports::all, Tie::balanced}).total_seconds;
  };
  EXPECT_EQ(seconds(one_step({{0, 1}})), 1);
  EXPECT_EQ(seconds(one_step({{0, 1}, {0, 1}})), 1);
  EXPECT_EQ(seconds(one_step({{0, 1}, {0, 1}, {0, 1}})), 1.5);
  EXPECT_EQ(seconds(one_step({{1, 2}, {1, 2}})), 2);
}

TEST(DirectOnNetworks, uses_fast_links_for_several_messages_of_a_step) {
  const Placement placement = in_place(ring_of_cables(2, 1));
  const Schedule schedule = exchange_schedule(direct, placement, {Ports::all, Tie::balanced});
  EXPECT_EQ(first_conflict(placement, schedule, Ports::all, Tie::balanced), std::nullopt);
  EXPECT_EQ(schedule.steps.size(), 2U);
}

/// Returns a ring of some nodes with some more cables, each of a random rate, and with routes that are balanced.
Grid random_network(std::mt19937& random) {
  const auto below = [&](std::size_t end) { return random() % end; };
  const auto nodes = static_cast<std::uint32_t>(4 + below(5));
  const std::array rates{1.0, 1.5, 2.0, 3.25, 64.0};
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> cables;
  for (std::uint32_t node = 0; node < nodes; ++node) cables[std::minmax(node, (node + 1) % nodes)] = 0;
  for (auto more = below(4); more > 0; --more) {
    const auto from = static_cast<std::uint32_t>(below(nodes));
    const auto to = static_cast<std::uint32_t>(below(nodes));
    if (from != to) cables[std::minmax(from, to)] = 0;
  }
  std::vector<TableLink> links;
  for (auto& [ends, rate] : cables) {
    rate = rates[below(rates.size())];
    links.push_back({ends.first, ends.second, rate});
    links.push_back({ends.second, ends.first, rate});
  }
  const Grid grid({{nodes, Ends::open}});
  return {grid.axes(), balanced_routes(grid, links), "random"};
}

/// A step as a cost: time of the busiest link or port, and start-ups.
using StepTime = std::pair<double, std::uint64_t>;

TEST(ExchangeCost, is_what_the_schedule_takes_step_by_step_on_links_of_any_rates) {
  std::mt19937 random(48);
  for (int i = 0; i < 60; ++i) {
    const Placement placement = in_place(i == 0 ? ring_with_fast_cables() : random_network(random));
    for (const auto& rules : all_network_rules) {
      const StepModel model{0, {1}, 0, rules.ports, rules.tie};
      for (const char* name : {"direct", "linear", "bruck:2", "bruck:4", "shifted"}) {
        const ExchangeMethod method = parse_exchange_method(name);
        std::vector<StepTime> claimed;
        for (const StepGroup& group : exchange_cost(method, placement, rules).groups)
          claimed.insert(claimed.end(), group.steps, {group.block_times(), group.startups});
        const auto counted = simulate_steps(placement, exchange_schedule(method, placement, rules), 1, model);
        ASSERT_EQ(claimed.size(), counted.steps.size());
        for (std::size_t step = 0; step < claimed.size(); ++step) {
          EXPECT_NEAR(claimed[step].first, counted.steps[step].seconds, 1e-9) << name << " on network " << i;
          EXPECT_EQ(claimed[step].second, counted.steps[step].startup_count) << name << " on network " << i;
        }
      }
    }
  }
}

TEST(DirectOnNetworks, has_no_steps_on_a_single_node) {
  EXPECT_TRUE(exchange_schedule(direct, in_place(parse_grid("hyperx:1")), {}).steps.empty());
}

TEST(Methods, leave_out_a_direct_exchange_whose_steps_would_take_long_to_find) {
  const auto has_direct = [](const char* network) {
    const auto methods = exchange_methods(parse_grid(network));
    return std::ranges::find(methods, direct) != methods.end();
  };
  EXPECT_TRUE(has_direct("hyperx:12x8"));
  EXPECT_TRUE(has_direct("torus:16x16,cut=0-1"));
  EXPECT_FALSE(has_direct("ring:96,cut=0-1"));
}

TEST(Methods, that_need_axes_are_refused_on_other_networks) {
  const Placement placement = in_place(parse_grid("torus:4x4,cut=0-1"));
  for (const auto& info : exchange_algorithms()) {
    if (!info.needs_axes) continue;
    for (const auto& method : examples_of(info)) {
      EXPECT_EQ(
          message_of([&] { (void)exchange_schedule(method, placement, {}); }),
          std::string(info.name) + " needs the links of a mesh or torus; torus:4x4,cut=0-1 has other links");
    }
  }
}

}  // namespace
}  // namespace cubefold
