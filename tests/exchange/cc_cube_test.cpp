#include <gtest/gtest.h>

#include "cubefold/embedding/dilation.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "schedule/conflict.hpp"
#include "schedule/delivery.hpp"
#include "schedule/local_program.hpp"
#include "support/cc_cube_schedule.hpp"
#include "support/program_replay.hpp"

namespace cubefold {
namespace {

constexpr int most_dimensions = 8;

TEST(CcCubeExchange, delivers_every_block_once) {
  for (int d = 0; d <= most_dimensions; ++d)
    EXPECT_EQ(first_delivery_fault(cc_cube_exchange(d)), std::nullopt) << d;
}

// A d-cube takes d steps. [Calmant] 2.3 counts a start-up for every hop, which are c (n - 1) on a mesh of n^c nodes.
TEST(CcCubeExchange, takes_d_steps_of_half_the_blocks_each) {
  for (int d = 1; d <= most_dimensions; ++d) {
    const Schedule schedule = cc_cube_exchange(d);
    ASSERT_EQ(schedule.steps.size(), static_cast<std::size_t>(d));
    for (const Step& step : schedule.steps) {
      ASSERT_EQ(step.size(), schedule.rank_count);
      for (const Message& message : step) EXPECT_EQ(message.blocks.size(), schedule.rank_count / 2);
    }
  }
}

TEST(CcCubeExchange, is_free_of_conflicts_where_neighbours_are_one_hop_apart) {
  for (const auto& [grid, rule] : {std::pair{"hypercube:6", "standard"},
                                   {"torus:4x4", "xor"},
                                   {"torus:4x4x4", "xor"},
                                   {"torus:4x4x4", "xor,bits=cyclic"},
                                   {"grid:4wx2x2", "xor"}}) {
    const Placement placement(parse_grid(grid), parse_placement(rule));
    const Schedule schedule = cc_cube_exchange(dimension_count(placement));
    EXPECT_EQ(first_conflict(placement, schedule, Ports::one, Tie::balanced), std::nullopt) << grid;
  }
}

TEST(CcCubeExchange, uses_one_port_on_any_grid) {
  const Placement placement(parse_grid("hypercube:7"), parse_placement("standard,order=6-5-4-3-2-1-0"));
  EXPECT_EQ(first_conflict(placement, cc_cube_exchange(7), Ports::one, Tie::positive), std::nullopt);
}

TEST(CcCubeExchange, loads_links_with_as_many_messages_as_neighbours_are_hops_apart) {
  for (const char* grid : {"ring:16", "line:16", "mesh:8x8", "torus:8x8"}) {
    const Placement placement(parse_grid(grid), parse_placement("standard"));
    const int d = dimension_count(placement);
    const auto distances = constant_distances(placement);
    const Schedule schedule = cc_cube_exchange(d);
    for (int stage = 0; stage < d; ++stage) {
      LinkLoads loads(placement.grid(), Tie::positive);
      for (const Message& m : schedule.steps[static_cast<std::size_t>(stage)]) {
        loads.add(placement.node_of(m.from), placement.node_of(m.to));
      }
      EXPECT_EQ(loads.busiest(), distances[static_cast<std::size_t>(stage)]) << grid << " stage " << stage;
    }
  }
}

TEST(CcCubeExchange, lists_blocks_from_the_highest_position_down) {  // [Calmant] 5.1 lists 07, 05, 03, 01
  const Schedule schedule = cc_cube_exchange(3);
  const Message& first = schedule.steps[0][0];
  ASSERT_EQ(first.from, Rank{0});
  EXPECT_EQ(
      first.blocks,
      (std::vector<Block>{{Rank{0}, Rank{7}}, {Rank{0}, Rank{5}}, {Rank{0}, Rank{3}}, {Rank{0}, Rank{1}}}));
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) {
      for (std::size_t k = 1; k < message.blocks.size(); ++k) {
        const auto position = [&](std::size_t i) {
          return label(message.blocks[i].source) ^ label(message.blocks[i].destination);
        };
        EXPECT_LT(position(k), position(k - 1));
      }
    }
  }
}

TEST(CcCubeExchange, ends_with_the_block_of_rank_i_in_slot_i) {
  for (int d = 0; d <= 5; ++d)
    EXPECT_EQ(first_replay_fault(local_programs(cc_cube_exchange(d))), std::nullopt) << d;
}

// The last stage brings the blocks of half of the ranks, and these ranks are consecutive. The exchange therefore needs
// no permutation after it.
TEST(CcCubeExchange, receives_the_blocks_of_its_last_stage_where_they_belong_in_one_run) {
  constexpr int d = 5;
  const Schedule schedule = cc_cube_exchange(d);
  for (std::uint32_t r = 0; r < 1U << d; ++r) {
    const LocalProgram program = local_program(part_of(schedule, Rank{r}), Rank{r});
    const LocalMessage& last = program.receives.back();
    ASSERT_EQ(last.run_count, 1U);
    const auto& [area, first, count] = program.runs[last.first_run];
    EXPECT_EQ(area, Area::receive) << r;
    EXPECT_EQ(first, (r & 16U) ^ 16U) << r;
    EXPECT_EQ(count, 16U) << r;
  }
}

}  // namespace
}  // namespace cubefold
