#include "collective/neighbour_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <utility>

#include "schedule/collective.hpp"
#include "schedule/conflict.hpp"
#include "schedule/delivery.hpp"
#include "schedule/local_program.hpp"
#include "schedule/mutations.hpp"
#include "support/full_stencil.hpp"

namespace cubefold {
namespace {

using Offsets = std::vector<NeighbourGrid::Offset>;

/// Appends the grids of `axis_count` more axes with extents from the last one or 2 on, and at most 64 nodes.
void append_grids(std::vector<Axis> axes, int axis_count, std::vector<Grid>& grids) {
  if (axis_count == 0) {
    grids.emplace_back(std::move(axes));
    return;
  }
  std::uint32_t nodes = 1;
  for (const Axis& axis : axes) nodes *= axis.extent;
  for (std::uint32_t extent = axes.empty() ? 2 : axes.back().extent; nodes * extent <= 64; ++extent) {
    for (const Ends ends : {Ends::open, Ends::wrapped}) {
      axes.push_back({extent, ends});
      append_grids(axes, axis_count - 1, grids);
      axes.pop_back();
    }
  }
}

std::vector<Grid> grids_to_64_nodes() {
  std::vector<Grid> grids;
  for (int axis_count = 1; axis_count <= 3; ++axis_count) append_grids({}, axis_count, grids);
  return grids;
}

std::optional<DeliveryFault> fault_of(const Schedule& schedule, const NeighbourGrid& edges) {
  return first_delivery_fault(schedule, Collective::neighbour_exchange(edges));
}

/// Expects that the program of each rank exists and has a place for each block of its edges.
void expect_programs(const NeighbourGrid& edges, const Schedule& schedule) {
  const Collective collective = Collective::neighbour_exchange(edges);
  for (std::uint32_t r = 0; r < edges.rank_count(); ++r) {
    const LocalProgram program =
        local_program(part_of(schedule, Rank{r}), Rank{r}, collective, ScratchSlots::of_one_chunk);
    std::set<Slot> received;
    for (const OwnBlock& own : program.own) EXPECT_TRUE(received.insert(own.receive).second);
    for (const LocalMessage& message : program.receives) {
      for (std::uint32_t i = 0; i < message.run_count; ++i) {
        const Run& run = program.runs[message.first_run + i];
        if (run.area != Area::receive) continue;
        for (Slot slot = run.first; slot < run.first + run.count; ++slot)
          EXPECT_TRUE(received.insert(slot).second);
      }
    }
    std::set<Slot> expected;
    for (std::uint32_t edge = 0; edge < edges.edge_count(); ++edge)
      if (edges.source(Rank{r}, edge)) expected.insert(edge);
    EXPECT_EQ(received, expected) << r;
  }
}

TEST(NeighbourSteps, deliver_the_full_stencil_on_all_grids_to_64_nodes_without_shared_links) {
  for (const Grid& grid : grids_to_64_nodes()) {
    SCOPED_TRACE(to_string(grid));
    const NeighbourGrid edges(grid, full_stencil(grid.axis_count()));
    const Placement placement(grid, {});
    for (const Ports ports : {Ports::one, Ports::all}) {
      const Schedule combined = combined_neighbour_schedule(edges, ports);
      EXPECT_FALSE(first_conflict(placement, combined, ports, Tie::balanced));
      EXPECT_LE(combined.steps.size(), static_cast<std::size_t>(2 * grid.axis_count()));
      const Schedule direct = direct_neighbour_schedule(edges, placement, {ports, Tie::balanced});
      EXPECT_FALSE(first_conflict(placement, direct, ports, Tie::balanced));
      if (ports == Ports::one) {
        EXPECT_FALSE(fault_of(combined, edges));
      } else {
        EXPECT_FALSE(fault_of(direct, edges));
      }
    }
  }
}

TEST(NeighbourSteps, deliver_far_repeated_and_own_edges) {
  for (const char* text :
       {"torus:5x3", "mesh:4x4", "torus:2x2x2", "grid:4wx1", "ring:7", "torus:1x1", "mesh:3"}) {
    SCOPED_TRACE(text);
    const Grid grid = parse_grid(text);
    Offsets offsets = full_stencil(grid.axis_count(), 2);
    offsets.push_back(offsets.front());
    offsets.insert(offsets.end(), 3, NeighbourGrid::Offset(static_cast<std::size_t>(grid.axis_count())));
    const NeighbourGrid edges(grid, offsets);
    for (const Ports ports : {Ports::one, Ports::all}) {
      const Schedule combined = combined_neighbour_schedule(edges, ports);
      EXPECT_FALSE(fault_of(combined, edges));
      expect_programs(edges, combined);
    }
    const Schedule direct = direct_neighbour_schedule(edges, Placement(grid, {}), {});
    EXPECT_FALSE(fault_of(direct, edges));
    expect_programs(edges, direct);
  }
}

TEST(NeighbourSteps, need_no_messages_without_edges) {
  const NeighbourGrid edges(parse_grid("torus:4x4"), {});
  EXPECT_TRUE(combined_neighbour_schedule(edges, Ports::all).steps.empty());
  EXPECT_TRUE(direct_neighbour_schedule(edges, Placement(edges.ranks(), {}), {}).steps.empty());
  EXPECT_EQ(neighbour_cost(edges, NeighbourMethod::combined, Placement(edges.ranks(), {}), {}, {}),
            NeighbourCost{});
}

TEST(NeighbourSteps, of_a_rank_are_its_part_of_the_schedule) {
  const NeighbourGrid edges(parse_grid("grid:4wx3x2w"), full_stencil(3));
  const auto sorted = [](Schedule part) {
    for (Step& step : part.steps) {
      std::ranges::sort(step, {},
                        [](const Message& each) { return std::pair(label(each.from), label(each.to)); });
    }
    return part;
  };
  for (const Ports ports : {Ports::one, Ports::all}) {
    const Schedule schedule = combined_neighbour_schedule(edges, ports);
    for (std::uint32_t r = 0; r < edges.rank_count(); ++r) {
      EXPECT_EQ(sorted(combined_neighbour_part(edges, ports, Rank{r})), sorted(part_of(schedule, Rank{r})));
    }
  }
}

TEST(NeighbourSteps, with_a_missing_message_a_missing_block_or_in_another_order_are_found_out) {
  std::mt19937 chance(1);
  const NeighbourGrid edges(parse_grid("torus:4x3"), full_stencil(2));
  const Schedule good = combined_neighbour_schedule(edges, Ports::one);
  for (int i = 0; i < 50; ++i) {
    Schedule lacks_message = good;
    mutations::taken_out(lacks_message, mutations::any_place(good, chance));
    EXPECT_TRUE(fault_of(lacks_message, edges));
    Schedule lacks_block = good;
    Message& message = mutations::at(lacks_block, mutations::any_place(good, chance));
    mutations::taken_out(message, mutations::any_below(message.blocks.size(), chance));
    EXPECT_TRUE(fault_of(lacks_block, edges));
  }
  Schedule reversed = good;
  std::ranges::reverse(reversed.steps);
  EXPECT_TRUE(fault_of(reversed, edges));
}

TEST(NeighbourSteps, that_send_a_block_of_no_edge_are_found_out) {
  const NeighbourGrid edges(parse_grid("line:3"), full_stencil(1));
  Schedule schedule = combined_neighbour_schedule(edges, Ports::one);
  schedule.steps.push_back({{Rank{0}, Rank{1}, {numbered_chunk(0)}}});  // rank 0 has no neighbour below
  EXPECT_TRUE(fault_of(schedule, edges));
}

TEST(NeighbourSteps, take_6_messages_for_26_neighbours_and_4_for_8) {
  const auto cost = [](const char* grid, NeighbourMethod method, Ports ports) {
    const NeighbourGrid edges(parse_grid(grid), full_stencil(parse_grid(grid).axis_count()));
    return neighbour_cost(edges, method, Placement(edges.ranks(), {}), {ports, Tie::balanced},
                          std::vector<std::uint64_t>(edges.edge_count(), 1));
  };
  EXPECT_EQ(cost("torus:4x4x4", NeighbourMethod::combined, Ports::one), (NeighbourCost{3, 6, 54, 28}));
  EXPECT_EQ(cost("torus:4x4x4", NeighbourMethod::direct, Ports::one), (NeighbourCost{1, 26, 26, 0}));
  EXPECT_EQ(cost("torus:4x4x4", NeighbourMethod::combined, Ports::all), (NeighbourCost{3, 6, 27, 28}));
  EXPECT_EQ(cost("torus:4x4x4", NeighbourMethod::direct, Ports::all), (NeighbourCost{1, 26, 9, 0}));
  EXPECT_EQ(cost("torus:8x8", NeighbourMethod::combined, Ports::one), (NeighbourCost{2, 4, 12, 4}));
  EXPECT_EQ(cost("torus:8x8", NeighbourMethod::direct, Ports::one), (NeighbourCost{1, 8, 8, 0}));
}

TEST(NeighbourSteps, go_by_links_of_their_own_where_neighbours_are_far_apart) {
  const Grid grid = parse_grid("torus:4x4");
  PlacementRule rule;
  for (std::uint32_t r = 0; r < 16; ++r) rule.nodes.push_back(static_cast<GridNode>(7 * r % 16));
  const Placement placement(grid, rule);
  const NeighbourGrid edges(grid, full_stencil(2));
  const Schedule direct = direct_neighbour_schedule(edges, placement, {Ports::all, Tie::balanced});
  EXPECT_FALSE(fault_of(direct, edges));
  EXPECT_FALSE(first_conflict(placement, direct, Ports::all, Tie::balanced));
  EXPECT_GT(direct.steps.size(), 3U);
}

TEST(NeighbourGrid, refuses_offsets_of_other_axes) {
  EXPECT_THROW(NeighbourGrid(parse_grid("torus:4x4"), {{1}}), std::invalid_argument);
}

TEST(NeighbourGrid, takes_offsets_round_a_wrapped_axis_as_one) {
  const NeighbourGrid edges(parse_grid("torus:2x5"), {{1, 4}, {-1, -1}, {3, 0}});
  EXPECT_EQ(edges.offset(0), (NeighbourGrid::Offset{1, -1}));
  EXPECT_EQ(edges.offset(1), edges.offset(0));
  EXPECT_EQ(edges.offset(2), (NeighbourGrid::Offset{1, 0}));
  EXPECT_EQ(edges.destination(Rank{0}, 0), Rank{9});
  EXPECT_EQ(edges.source(Rank{9}, 0), Rank{0});
  EXPECT_EQ(edges.offset_between(Rank{0}, Rank{9}), edges.offset(0));
  EXPECT_EQ(edges.first_edge({1, 0}), 2U);
  EXPECT_EQ(edges.first_edge({0, 0}), 3U);
}

}  // namespace
}  // namespace cubefold
