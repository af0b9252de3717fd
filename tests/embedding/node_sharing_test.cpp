#include "cubefold/embedding/node_sharing.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "embedding/cube_loads.hpp"
#include "embedding/named_placement.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

NodeSharing sharing(const char* grid, const char* rule, std::size_t per_node) {
  return {placement(grid, rule), per_node};
}

std::vector<GridNode> nodes(std::initializer_list<std::uint32_t> labels) {
  std::vector<GridNode> result;
  for (const std::uint32_t n : labels) result.push_back(GridNode{n});
  return result;
}

std::vector<Rank> ranks(std::initializer_list<std::uint32_t> labels) {
  std::vector<Rank> result;
  for (const std::uint32_t r : labels) result.push_back(Rank{r});
  return result;
}

TEST(NodeSharing, puts_groups_of_consecutive_ranks_where_the_placement_puts_their_number) {
  EXPECT_EQ(node_of_rank(sharing("line:3", "nodes=2-0-1", 2)), nodes({2, 2, 0, 0, 1, 1}));
}

TEST(NodeSharing, gives_every_node_its_slots) {
  for (const std::size_t per_node : {1U, 2U, 3U, 4U}) {
    const auto shared = sharing("torus:4x8", "xor/gray,bits=cyclic", per_node);
    std::vector<std::vector<int>> found(32, std::vector<int>(per_node));
    for (std::uint32_t r = 0; r < shared.rank_count(); ++r)
      ++found.at(static_cast<std::size_t>(shared.node_of(Rank{r}))).at(shared.slot_of(Rank{r}));
    EXPECT_EQ(found, std::vector(32, std::vector<int>(per_node, 1)));
  }
}

TEST(NodeSharing, keeps_low_dimensions_inside_and_multiplies_the_loads_of_the_others) {
  const auto shared = sharing("torus:4x8", "xor", 4);
  const auto node = node_of_rank(shared);
  for (int i = 0; i < 7; ++i) {
    LinkLoads loads(shared.network(), Tie::balanced);
    for (std::uint32_t r = 0; r < node.size(); ++r) loads.add(node[r], node[r ^ (1U << i)]);
    const auto expected = i < 2 ? 0 : 4 * busiest_link(shared.groups(), std::vector{i - 2}, Tie::balanced);
    EXPECT_EQ(loads.busiest(), expected) << i;
  }
}

TEST(NodeSharing, takes_processes_in_any_order_and_unequal_numbers) {
  const auto job = nodes({2, 0, 2, 1, 2, 0});
  const NodeSharing shared(placement("line:3", "nodes=1-2-0"), job);
  EXPECT_EQ(node_of_rank(shared), nodes({1, 2, 2, 2, 0, 0}));
  EXPECT_EQ(rank_of_process(shared, job), ranks({1, 4, 2, 0, 3, 5}));
  EXPECT_FALSE(shared.is_even());
  EXPECT_EQ(shared.largest_group(), 3U);
  for (std::uint32_t r = 0; r < 6; ++r) {
    const std::size_t group = shared.group_of(Rank{r});
    EXPECT_EQ(shared.first_rank(group) + shared.slot_of(Rank{r}), r);
  }
  EXPECT_EQ(to_string(shared), "6 ranks on 3 nodes of line:3");
}

TEST(NodeSharing, takes_a_network_without_some_of_its_nodes) {
  const auto job = nodes({1, 1, 0, 0});
  const NodeSharing shared(placement("ring:4,without=1-2", "identity"), job);
  EXPECT_EQ(node_of_rank(shared), nodes({0, 0, 1, 1}));
  EXPECT_EQ(rank_of_process(shared, job), ranks({2, 3, 0, 1}));
  EXPECT_TRUE(shared.is_even());
  EXPECT_EQ(to_string(shared), "2 ranks on each node of ring:4,without=1-2");
}

TEST(NodeSharing, refuses_what_breaks_its_rules) {
  EXPECT_EQ(message_of([] { sharing("ring:8", "xor", 0); }),
            "NodeSharing: 0 ranks on each node of ring:8 are not 1 to 2147483648 in all");
  EXPECT_EQ(message_of([] { sharing("ring:8", "xor", (std::size_t{1} << 28) + 1); }),
            "NodeSharing: 268435457 ranks on each node of ring:8 are not 1 to 2147483648 in all");
  EXPECT_EQ(message_of([] {
              NodeSharing(placement("ring:4", "xor"), nodes({0, 1, 3}));
            }),
            "NodeSharing: node 2 of ring:4 has no process");
  EXPECT_EQ(message_of([] { NodeSharing(placement("ring:4", "xor"), nodes({4})); }),
            "NodeSharing: ring:4 has no node 4");
}

TEST(SlotPlacement, adds_an_axis_of_slots_and_leaves_every_rank_on_its_node) {
  for (const char* rule : {"identity", "xor", "xor/gray,bits=cyclic", "standard,order=1-0-3-2", "by-weight",
                           "standard,bits=0-1-1-0"}) {
    for (const std::size_t per_node : {1U, 2U, 3U, 4U, 6U}) {
      const auto shared = sharing("torus:4x4", rule, per_node);
      const Placement slots = slot_placement(shared);
      ASSERT_EQ(slots.rank_count(), 16 * per_node);
      EXPECT_EQ(slots.grid().axis_count(), 3);
      for (std::uint32_t r = 0; r < slots.rank_count(); ++r) {
        const auto place = static_cast<std::size_t>(slots.node_of(Rank{r}));
        EXPECT_EQ(place / per_node, static_cast<std::size_t>(shared.node_of(Rank{r}))) << rule;
        EXPECT_EQ(place % per_node, shared.slot_of(Rank{r})) << rule;
      }
    }
  }
}

TEST(SlotPlacement, keeps_a_rule_where_slots_are_a_power_of_two) {
  EXPECT_EQ(to_string(slot_placement(sharing("torus:4x4", "xor", 4)).rule()),
            "standard/xor/xor,bits=0-0-1-1-2-2");
  EXPECT_EQ(to_string(slot_placement(sharing("line:2", "nodes=1-0", 2)).rule()), "nodes=2-3-0-1");
}

TEST(SlotPlacement, is_a_line_where_slots_are_unequal_or_links_do_not_follow_from_axes) {
  EXPECT_EQ(to_string(slot_placement({placement("line:2", "identity"), nodes({0, 0, 1})}).grid()), "line:3");
  EXPECT_EQ(to_string(slot_placement(sharing("ring:4,without=2", "identity", 2)).grid()), "line:6");
  EXPECT_EQ(to_string(slot_placement(sharing("hyperx:2x3", "identity", 2)).grid()), "line:12");
}

}  // namespace
}  // namespace cubefold
