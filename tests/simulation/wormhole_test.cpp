#include "simulation/wormhole.hpp"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "simulation/flit_by_flit.hpp"

namespace cubefold {
namespace {

using Cycles = std::vector<std::uint64_t>;

std::vector<WormholeMessage> random_messages(const Grid& grid, int count, std::uint32_t most_flits,
                                             unsigned seed) {
  std::mt19937 random(seed);
  const auto node_count = static_cast<std::uint32_t>(grid.node_count());
  std::vector<WormholeMessage> messages;
  while (count > 0) {
    const GridNode from{static_cast<std::uint32_t>(random() % node_count)};
    const GridNode to{static_cast<std::uint32_t>(random() % node_count)};
    if (from == to) continue;
    messages.push_back({from, to, static_cast<std::uint32_t>(1 + random() % most_flits)});
    --count;
  }
  return messages;
}

/// Returns a router that sends every message the same way round a mesh of 2x2 nodes.
Router clockwise(const Grid& square) {
  return [square](GridNode here, GridNode to) -> std::vector<Link> {
    if (here == to) return {};
    const std::uint32_t x = square.coordinate(here, 0);
    const std::uint32_t y = square.coordinate(here, 1);
    const int axis = x == y ? 0 : 1;
    const bool up = axis == 0 ? x == 0 : y == 0;
    return {{here, axis, up ? Direction::positive : Direction::negative}};
  };
}

TEST(ArrivalCycles, of_a_message_alone_are_hops_and_flits_and_1) {
  const Grid grid = parse_grid("mesh:5x4");
  for (const std::uint32_t flit_count : {1U, 2U, 7U, 20U}) {
    for (std::uint32_t to = 1; to < grid.node_count(); ++to) {
      const WormholeMessage message{GridNode{0}, GridNode{to}, flit_count};
      for (const Router& router : {dimension_order(grid), negative_first(grid)}) {
        EXPECT_EQ(arrival_cycles(grid, router, {{message}}),
                  Cycles{distance_hops(grid, message.from, message.to) + flit_count + 1});
      }
    }
  }
}

TEST(ArrivalCycles, of_messages_on_one_link_are_flits_and_1_apart) {
  const Grid grid = parse_grid("line:2");
  const std::vector<WormholeMessage> messages(4, {GridNode{0}, GridNode{1}, 10});
  EXPECT_EQ(arrival_cycles(grid, dimension_order(grid), messages), (Cycles{12, 23, 34, 45}));
}

TEST(ArrivalCycles, are_those_of_moving_every_flit_from_buffer_to_buffer) {
  for (const char* text : {"hypercube:3", "hypercube:4", "mesh:4x3", "line:6", "mesh:2x3x2"}) {
    const Grid grid = parse_grid(text);
    for (unsigned seed = 0; seed < 20; ++seed) {
      const auto messages = random_messages(grid, 40, seed % 2 == 0 ? 4 : 12, seed);
      for (const Router& router : {dimension_order(grid), negative_first(grid)}) {
        EXPECT_EQ(arrival_cycles(grid, router, messages), arrival_cycles_flit_by_flit(grid, router, messages))
            << text << ", seed " << seed;
      }
    }
  }
}

TEST(ArrivalCycles, favour_the_header_that_came_to_the_router_first) {
  const Grid grid = parse_grid("line:4");
  // Both messages need the link from node 2 to 3. The second message starts there, the first one two hops before.
  const std::vector<WormholeMessage> messages{{GridNode{0}, GridNode{3}, 5}, {GridNode{2}, GridNode{3}, 5}};
  EXPECT_EQ(arrival_cycles(grid, dimension_order(grid), messages), (Cycles{13, 7}));
}

TEST(ArrivalCycles, favour_the_message_sent_first_of_those_that_came_together) {
  const Grid grid = parse_grid("mesh:3x2");
  const WormholeMessage from_below{GridNode{0}, GridNode{4}, 5};
  const WormholeMessage from_above{GridNode{2}, GridNode{4}, 5};
  const Router router = dimension_order(grid);
  EXPECT_EQ(arrival_cycles(grid, router, {{from_below, from_above}}), (Cycles{8, 14}));
  EXPECT_EQ(arrival_cycles(grid, router, {{from_above, from_below}}), (Cycles{8, 14}));
}

TEST(ArrivalCycles, of_an_adaptive_router_avoid_a_link_that_is_taken) {
  const Grid grid = parse_grid("hypercube:2");
  const std::vector<WormholeMessage> messages{{GridNode{0}, GridNode{1}, 30}, {GridNode{0}, GridNode{3}, 4}};
  EXPECT_EQ(arrival_cycles(grid, negative_first(grid), messages, 2), (Cycles{32, 7}));
  EXPECT_EQ(arrival_cycles(grid, dimension_order(grid), messages, 2), (Cycles{32, 38}));
}

TEST(ArrivalCycles, with_two_ports_of_two_messages_for_different_links_are_those_of_each_alone) {
  const Grid grid = parse_grid("hypercube:2");
  const std::vector<WormholeMessage> messages{{GridNode{0}, GridNode{1}, 9}, {GridNode{0}, GridNode{2}, 9}};
  EXPECT_EQ(arrival_cycles(grid, dimension_order(grid), messages, 1), (Cycles{11, 21}));
  EXPECT_EQ(arrival_cycles(grid, dimension_order(grid), messages, 2), (Cycles{11, 11}));
}

TEST(ArrivalCycles, are_0_for_a_message_from_a_node_to_itself_and_none_for_none) {
  const Grid grid = parse_grid("hypercube:0");
  EXPECT_EQ(arrival_cycles(grid, dimension_order(grid), {{{GridNode{0}, GridNode{0}, 3}}}), Cycles{0});
  EXPECT_TRUE(arrival_cycles(grid, dimension_order(grid), {}).empty());
}

TEST(ArrivalCycles, notice_a_deadlock) {
  const Grid square = parse_grid("hypercube:2");
  const Router router = clockwise(square);
  EXPECT_FALSE(is_free_of_cyclic_waits(square, router));
  std::vector<WormholeMessage> messages;
  for (std::uint32_t node = 0; node < 4; ++node) messages.push_back({GridNode{node}, GridNode{3 - node}, 9});
  EXPECT_THROW(arrival_cycles(square, router, messages), std::runtime_error);

  messages.pop_back();
  EXPECT_NO_THROW(arrival_cycles(square, router, messages));
}

TEST(ArrivalCycles, of_many_messages_at_once_exist_under_p_cube_and_e_cube) {
  for (const char* text : {"hypercube:6", "mesh:6x5"}) {
    const Grid grid = parse_grid(text);
    for (unsigned seed = 0; seed < 5; ++seed) {
      const auto messages = random_messages(grid, 5000, 30, seed);
      for (const Router& router : {negative_first(grid), dimension_order(grid)}) {
        for (const auto cycle : arrival_cycles(grid, router, messages)) ASSERT_GT(cycle, 0U);
      }
    }
  }
}

TEST(ArrivalCycles, are_refused_for_what_cannot_be_sent) {
  const Grid grid = parse_grid("hypercube:2");
  const Router router = dimension_order(grid);
  const WormholeMessage good{GridNode{0}, GridNode{1}, 3};
  const auto send = [&](const WormholeMessage& message) { return arrival_cycles(grid, router, {{message}}); };
  EXPECT_NO_THROW(send(good));
  EXPECT_THROW(send({GridNode{4}, GridNode{1}, 3}), std::invalid_argument);
  EXPECT_THROW(send({GridNode{0}, GridNode{4}, 3}), std::invalid_argument);
  EXPECT_THROW(send({GridNode{0}, GridNode{1}, 0}), std::invalid_argument);
  EXPECT_THROW(arrival_cycles(grid, router, {{good}}, 0), std::invalid_argument);
  EXPECT_THROW(arrival_cycles(grid, [](GridNode, GridNode) { return std::vector<Link>{}; }, {{good}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace cubefold
