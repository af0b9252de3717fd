#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "cubefold/simulation/steps.hpp"
#include "exchange/exchange_checks.hpp"
#include "schedule/delivery.hpp"
#include "support/all_grids.hpp"
#include "support/some_grids.hpp"

namespace cubefold {
namespace {

Schedule store_and_forward_exchange(const Placement& placement, Ports ports, Tie tie) {
  return exchange_schedule({ExchangeAlgorithm::store_and_forward, {}}, placement, {ports, tie});
}

/// Calls check(placement, ports, tie) for all grids of up to 24 nodes and some of up to `most_nodes` nodes with the
/// identity placement. Uses positive ties only on grids with wrapped axes of even extent, because other grids have no
/// ties.
template <typename Check>
void for_all_grids(std::size_t most_nodes, Check check) {
  for (const Grid& grid : some_grids_up_to(24, most_nodes, 4)) {
    for (const Ports ports : {Ports::one, Ports::all}) {
      check(in_place(grid), ports, Tie::balanced);
      for (int axis = 0; axis < grid.axis_count(); ++axis) {
        if (!grid.has_wrap_link(axis) || grid.extent(axis) % 2 == 1) continue;
        check(in_place(grid), ports, Tie::positive);
        break;
      }
    }
  }
}

struct Cost {
  std::uint64_t steps = 0;
  std::uint64_t blocks = 0;  ///< blocks in the largest message of a step, summed over all steps

  bool operator==(const Cost&) const = default;
};

/// Returns the cost of one axis from the table in store_and_forward.cpp, in aggregated blocks of p/k blocks each.
Cost units_of_axis(std::uint64_t k, bool wrapped, Ports ports, Tie tie) {
  const bool one = ports == Ports::one;
  if (!wrapped && !one) return {k - 1, k * (k - 1) / 2};
  if (!wrapped) return k % 2 == 0 ? Cost{k - 1, (k - 1) * (k - 1)} : Cost{k, (k - 1) * (k - 1) + 1};
  if (k % 2 == 1) return one ? Cost{k - 1, (k * k - 1) / 4} : Cost{(k - 1) / 2, (k * k - 1) / 8};
  if (!one) return {k / 2, k * (k + 2) / 8};
  return tie == Tie::balanced ? Cost{k / 2, k * k / 4} : Cost{k / 2 + 1, k * (k + 2) / 4};
}

Cost expected_cost(const Grid& grid, Ports ports, Tie tie) {
  Cost cost;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const Cost units = units_of_axis(grid.extent(axis), grid.has_wrap_link(axis), ports, tie);
    cost.steps += units.steps;
    cost.blocks += units.blocks * grid.node_count() / grid.extent(axis);
  }
  return cost;
}

/// Returns the cost of the schedule in the step model, which does not know how the schedule was built. With alpha = 0,
/// tau = 1 and blocks of one byte, a step of one-hop messages without conflicts takes as many seconds as its largest
/// message has blocks. Conflicts make it longer.
Cost simulated_cost(const Placement& placement, const Schedule& schedule, Ports ports, Tie tie) {
  StepModel model;
  model.tau_seconds_per_byte = {1};
  model.ports = ports;
  model.tie = tie;
  const StepSimulation simulation = simulate_steps(placement, schedule, 1, model);
  Cost cost;
  for (const StepCost& step : simulation.steps) cost.steps += step.startup_count;
  cost.blocks = static_cast<std::uint64_t>(simulation.total_seconds);
  return cost;
}

TEST(StoreAndForwardExchange, delivers_every_block_once_on_all_grids_of_up_to_64_nodes) {
  for_all_grids(64, [](const Placement& placement, Ports ports, Tie tie) {
    EXPECT_EQ(first_delivery_fault(store_and_forward_exchange(placement, ports, tie)), std::nullopt)
        << to_string(placement.grid());
  });
}

TEST(StoreAndForwardExchange, is_free_of_conflicts_and_sends_to_neighbours_only) {
  for_all_grids(64, [](const Placement& placement, Ports ports, Tie tie) {
    const Schedule schedule = store_and_forward_exchange(placement, ports, tie);
    EXPECT_EQ(first_conflict(placement, schedule, ports, tie), std::nullopt) << to_string(placement.grid());
    for (const Step& step : schedule.steps) {
      for (const Message& message : step) {
        ASSERT_EQ(
            distance_hops(placement.grid(), placement.node_of(message.from), placement.node_of(message.to)),
            1U);
      }
    }
  });
}

TEST(StoreAndForwardExchange, costs_what_its_table_says_on_all_grids_of_up_to_64_nodes) {
  for_all_grids(64, [](const Placement& placement, Ports ports, Tie tie) {
    const Schedule schedule = store_and_forward_exchange(placement, ports, tie);
    const Cost expected = expected_cost(placement.grid(), ports, tie);
    const Cost simulated = simulated_cost(placement, schedule, ports, tie);
    EXPECT_EQ(schedule.steps.size(), expected.steps) << to_string(placement.grid());
    EXPECT_EQ(simulated.steps, expected.steps) << to_string(placement.grid());
    EXPECT_EQ(simulated.blocks, expected.blocks) << to_string(placement.grid());
  });
}

// On p = n^c nodes the exchange takes c (n - 1) start-ups and c (n - 1)^2 p/n blocks.
TEST(StoreAndForwardExchange, costs_on_meshes_of_equal_even_extents_what_calmant_says) {
  for (const auto& [name, c, n] : {std::tuple{"line:16", 1U, 16U},
                                   {"mesh:8x8", 2U, 8U},
                                   {"mesh:16x16", 2U, 16U},
                                   {"mesh:4x4x4", 3U, 4U}}) {
    const Placement placement = in_place(parse_grid(name));
    const Schedule schedule = store_and_forward_exchange(placement, Ports::one, Tie::balanced);
    const Cost expected{c * (n - 1), c * (n - 1) * (n - 1) * placement.rank_count() / n};
    EXPECT_EQ(simulated_cost(placement, schedule, Ports::one, Tie::balanced), expected) << name;
    EXPECT_EQ(first_delivery_fault(schedule), std::nullopt) << name;
  }
}

TEST(StoreAndForwardExchange, serves_larger_grids) {
  for (const char* name : {"torus:16x16", "torus:8x8x4", "hypercube:10", "torus:5x5x5", "grid:17x3w"}) {
    const Placement placement = in_place(parse_grid(name));
    for (const Ports ports : {Ports::one, Ports::all}) {
      const Schedule schedule = store_and_forward_exchange(placement, ports, Tie::balanced);
      EXPECT_EQ(first_delivery_fault(schedule), std::nullopt) << name;
      EXPECT_EQ(first_conflict(placement, schedule, ports, Tie::balanced), std::nullopt) << name;
    }
  }
}

// The blocks make as many hops as their sources and destinations are apart, and no more.
TEST(StoreAndForwardExchange, sends_blocks_the_shortest_way) {
  for_all_grids(36, [](const Placement& placement, Ports ports, Tie tie) {
    const Grid& grid = placement.grid();
    std::uint64_t hops = 0;
    for (std::uint32_t a = 0; a < grid.node_count(); ++a) {
      for (std::uint32_t b = 0; b < grid.node_count(); ++b)
        hops += distance_hops(grid, GridNode{a}, GridNode{b});
    }
    std::uint64_t sent = 0;
    for (const Step& step : store_and_forward_exchange(placement, ports, tie).steps) {
      for (const Message& message : step) sent += message.blocks.size();
    }
    EXPECT_EQ(sent, hops) << to_string(grid);
  });
}

TEST(StoreAndForwardExchange,
     leaves_no_rank_with_more_than_p_blocks_on_tori_nor_with_twice_as_many_elsewhere) {
  for_all_grids(64, [](const Placement& placement, Ports ports, Tie tie) {
    const std::size_t p = placement.rank_count();
    const auto& axes = placement.grid().axes();
    const bool is_torus = std::all_of(axes.begin(), axes.end(), [](const Axis& axis) {
      return axis.ends == Ends::wrapped || axis.extent == 2;
    });
    std::vector<std::size_t> held(p, p);
    for (const Step& step : store_and_forward_exchange(placement, ports, tie).steps) {
      for (const Message& message : step) {
        held[label(message.from)] -= message.blocks.size();
        held[label(message.to)] += message.blocks.size();
      }
      const std::size_t most = *std::max_element(held.begin(), held.end());
      EXPECT_LE(most, is_torus && tie == Tie::balanced ? p : 2 * p - 1) << to_string(placement.grid());
    }
  });
}

// Pairs of nodes swap, first those that begin at even coordinates, then those at odd ones, then the even ones again. In
// the last step only the blocks that arrived in the step before it are left to move.
TEST(StoreAndForwardExchange, swaps_in_pairs_on_a_line_of_four) {
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  std::vector<Pairs> steps;
  const Placement placement = in_place(parse_grid("line:4"));
  for (const Step& step : store_and_forward_exchange(placement, Ports::one, Tie::balanced).steps) {
    Pairs& pairs = steps.emplace_back();
    for (const Message& message : step) pairs.emplace_back(label(message.from), label(message.to));
  }
  EXPECT_EQ(steps,
            (std::vector<Pairs>{{{0, 1}, {1, 0}, {2, 3}, {3, 2}}, {{1, 2}, {2, 1}}, {{1, 0}, {2, 3}}}));
}

TEST(StoreAndForwardExchange, lists_blocks_by_source_node_and_then_by_destination_node) {
  for_all_grids(36, [](const Placement& placement, Ports ports, Tie tie) {
    for (const Step& step : store_and_forward_exchange(placement, ports, tie).steps) {
      for (const Message& message : step) {
        EXPECT_TRUE(
            std::is_sorted(message.blocks.begin(), message.blocks.end(), [](const Block& a, const Block& b) {
              return std::pair(a.source, a.destination) < std::pair(b.source, b.destination);
            }));
      }
    }
  });
}

TEST(StoreAndForwardExchange, is_the_same_exchange_of_nodes_under_every_placement) {
  const Grid grid = parse_grid("torus:4x8");
  const Schedule by_node = store_and_forward_exchange(in_place(grid), Ports::one, Tie::balanced);
  for (const char* rule : {"xor", "gray", "by-weight", "standard,order=4-0-3-1-2"}) {
    const Placement placement(grid, parse_placement(rule));
    const auto node_label = [&](Rank rank) {
      return Rank{static_cast<std::uint32_t>(placement.node_of(rank))};
    };
    Schedule renamed = store_and_forward_exchange(placement, Ports::one, Tie::balanced);
    for (Step& step : renamed.steps) {
      for (Message& message : step) {
        message.from = node_label(message.from);
        message.to = node_label(message.to);
        for (Block& block : message.blocks) block = {node_label(block.source), node_label(block.destination)};
      }
      std::stable_sort(step.begin(), step.end(),
                       [](const Message& a, const Message& b) { return a.from < b.from; });
    }
    EXPECT_EQ(renamed, by_node) << rule;
  }
}

}  // namespace
}  // namespace cubefold
