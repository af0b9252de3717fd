#include "embedding/cube_loads.hpp"

#include <gtest/gtest.h>

#include <string>

#include "cubefold/embedding/dilation.hpp"
#include "embedding/named_placement.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

// The numbers are the first row of the last table in spec section 3. The pattern is that of NAS CG on 64 ranks:
// dimensions 0, 1 and 2 and the transpose of 8 x 8, all at once. The test also fixes the meaning of `order`.
TEST(LinkLoads, of_the_cg_pattern_are_those_of_the_known_placements) {
  struct Row {
    const char* rule;
    std::uint64_t busiest;
    double average_hops;
  };
  for (const Row& row :
       {Row{"standard", 5, 1.806}, {"xor", 5, 1.548}, {"standard,order=0-3-1-4-2-5", 1, 1.161}}) {
    const Placement p = placement("torus:4x4x4", row.rule);
    LinkLoads loads(p.grid(), Tie::positive);
    int message_count = 0;
    const auto send = [&](std::uint32_t from, std::uint32_t to) {
      loads.add(p.node_of(Rank{from}), p.node_of(Rank{to}));
      message_count += from == to ? 0 : 1;
    };
    for (std::uint32_t r = 0; r < 64; ++r) {
      for (const std::uint32_t bit : {1U, 2U, 4U}) send(r, r ^ bit);
      send(r, r % 8 * 8 + r / 8);
    }
    EXPECT_EQ(loads.busiest(), row.busiest) << row.rule;
    EXPECT_NEAR(static_cast<double>(loads.total_hops()) / message_count, row.average_hops, 0.0005)
        << row.rule;
  }
}

TEST(BusiestLink, of_one_dimension_is_its_distance_on_a_mesh) {
  const Placement p = placement("mesh:8x8", "standard");
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(busiest_link(p, std::vector{i}, Tie::positive),
              constant_distances(p)[static_cast<std::size_t>(i)]);
  }
}

TEST(BusiestLink, refuses_a_dimension_that_is_not_there) {
  EXPECT_EQ(message_of([] { busiest_link(placement("ring:8", "xor"), std::vector{3}, Tie::balanced); }),
            "cube_link_loads: dimension 3 is not in 0 .. 2");
}

TEST(CubeLinkLoads, of_all_dimensions_are_the_sums_of_those_of_each) {
  const Placement p = placement("grid:8wx4", "gray/by-weight,order=4-2-0-1-3");
  const auto together = cube_link_loads(p, all_dimensions(p), Tie::balanced).by_link_index();
  std::vector<std::uint64_t> sums(together.size());
  for (const int i : all_dimensions(p)) {
    const auto loads = cube_link_loads(p, std::vector{i}, Tie::balanced).by_link_index();
    for (std::size_t link = 0; link < sums.size(); ++link) sums[link] += loads[link];
  }
  EXPECT_EQ(sums, together);
}

}  // namespace
}  // namespace cubefold
