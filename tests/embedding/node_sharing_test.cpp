#include "embedding/node_sharing.hpp"

#include <gtest/gtest.h>

#include "embedding/cube_loads.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

NodeSharing sharing(const char* grid, const char* rule, std::size_t per_node) {
  return {Placement(parse_grid(grid), parse_placement(rule)), per_node};
}

TEST(NodeSharing, puts_groups_of_consecutive_ranks_where_the_placement_puts_their_number) {
  const auto shared = sharing("line:3", "nodes=2-0-1", 2);
  EXPECT_EQ(node_of_rank(shared),
            (std::vector{GridNode{2}, GridNode{2}, GridNode{0}, GridNode{0}, GridNode{1}, GridNode{1}}));
  EXPECT_EQ(ranks_on(shared, GridNode{2}), (std::vector{Rank{0}, Rank{1}}));
}

TEST(NodeSharing, gives_every_node_its_ranks) {
  for (const std::size_t per_node : {1U, 2U, 3U, 4U}) {
    const auto shared = sharing("torus:4x8", "xor/gray,bits=cyclic", per_node);
    std::vector<int> found(shared.rank_count());
    for (std::uint32_t n = 0; n < 32; ++n) {
      EXPECT_EQ(ranks_on(shared, GridNode{n}).size(), per_node);
      for (const Rank rank : ranks_on(shared, GridNode{n})) {
        EXPECT_EQ(shared.node_of(rank), GridNode{n});
        ++found.at(label(rank));
      }
    }
    EXPECT_EQ(found, std::vector<int>(32 * per_node, 1));
  }
}

TEST(NodeSharing, keeps_low_dimensions_inside_and_multiplies_the_loads_of_the_others) {
  const auto shared = sharing("torus:4x8", "xor", 4);
  const auto nodes = node_of_rank(shared);
  for (int i = 0; i < 7; ++i) {
    LinkLoads loads(shared.groups().grid(), Tie::balanced);
    for (std::uint32_t r = 0; r < nodes.size(); ++r) loads.add(nodes[r], nodes[r ^ (1U << i)]);
    const auto expected = i < 2 ? 0 : 4 * busiest_link(shared.groups(), std::vector{i - 2}, Tie::balanced);
    EXPECT_EQ(loads.busiest(), expected) << i;
  }
}

TEST(NodeSharing, refuses_empty_nodes_and_too_many_ranks) {
  EXPECT_EQ(message_of([] { sharing("ring:8", "xor", 0); }),
            "NodeSharing: 0 ranks on each node of ring:8 are not 1 to 2147483648 in all");
  EXPECT_EQ(message_of([] { sharing("ring:8", "xor", (std::size_t{1} << 28) + 1); }),
            "NodeSharing: 268435457 ranks on each node of ring:8 are not 1 to 2147483648 in all");
}

}  // namespace
}  // namespace cubefold
