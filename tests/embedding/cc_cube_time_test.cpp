#include "embedding/cube_loads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cubefold/topology/route.hpp"
#include "embedding/named_placement.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

std::uint32_t hops(const Placement& p, Rank rank, int dimension) {
  return distance_hops(p.grid(), p.node_of(rank), p.node_of(neighbour(rank, dimension)));
}

/// Returns T_i(r) as spec section 2 defines it, with t_a = 0 and t_c = 1. Stage -1 is the beginning.
std::uint32_t done_after(const Placement& p, int stage, Rank rank) {
  if (stage < 0) return 0;
  return hops(p, rank, stage) +
         std::max(done_after(p, stage - 1, rank), done_after(p, stage - 1, neighbour(rank, stage)));
}

TEST(CcCubeTime, is_the_recurrence_and_its_waiting_is_what_travelling_leaves) {
  for (const char* grid : {"line:32", "ring:16", "mesh:4x8", "torus:8x2x2", "hypercube:4", "ring:1"}) {
    for (const char* rule : {"standard", "xor", "gray", "by-weight", "gray,bits=cyclic"}) {
      const Placement p = placement(grid, rule);
      const int d = dimension_count(p);
      std::uint32_t last = 0, longest_wait = 0, waits = 0;
      for (std::uint32_t r = 0; r < p.rank_count(); ++r) {
        const auto done = done_after(p, d - 1, Rank{r});
        std::uint32_t travelled = 0;
        for (int i = 0; i < d; ++i) travelled += hops(p, Rank{r}, i);
        last = std::max(last, done);
        longest_wait = std::max(longest_wait, done - travelled);
        waits += done - travelled;
      }
      const auto time = cc_cube_time(p, {0.25, 2});
      EXPECT_DOUBLE_EQ(time.seconds, 2.0 * last + 0.25 * d) << grid << ' ' << rule;
      EXPECT_DOUBLE_EQ(time.longest_waiting_seconds, 2.0 * longest_wait) << grid << ' ' << rule;
      EXPECT_DOUBLE_EQ(time.average_waiting_seconds, 2.0 * waits / static_cast<double>(p.rank_count()));
    }
  }
}

TEST(CcCubeTime, without_constant_distances_contains_waiting_and_is_longer) {  // [Xor] 2.3, fig. 4
  const StageCosts hops_only{0, 1};
  const auto standard = cc_cube_time(placement("line:8", "standard"), hops_only);
  const auto by_weight = cc_cube_time(placement("line:8", "by-weight"), hops_only);
  EXPECT_EQ(standard.seconds, 7);
  EXPECT_EQ(standard.longest_waiting_seconds, 0);
  EXPECT_GT(by_weight.seconds, standard.seconds);
  EXPECT_GT(by_weight.longest_waiting_seconds, 0);
}

TEST(CcCubeTime, refuses_grids_without_a_hypercube) {
  EXPECT_EQ(message_of([] {
              cc_cube_time(placement("ring:6", "identity"), {1, 1});
            }),
            "ring:6 has 6 nodes; a hypercube needs a power of two");
}

}  // namespace
}  // namespace cubefold
