#include "exchange/pairing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

std::vector<Pairing> pairings() {
  std::vector<Pairing> all;
  for (const std::size_t ranks : {1U, 2U, 8U, 64U}) all.push_back(Pairing::cube(ranks));
  for (const char* grid : {"ring:1", "ring:2", "ring:4", "ring:8", "ring:32", "line:16", "torus:8x8",
                           "torus:2x16", "torus:4x8x2", "mesh:1x8", "hypercube:5"})
    all.push_back(Pairing::swing(Placement(parse_grid(grid), {})));
  return all;
}

TEST(Pairing, gives_every_rank_another_partner_whose_partner_it_is) {
  for (const Pairing& pairing : pairings()) {
    EXPECT_EQ(pairing.rank_count(), std::size_t{1} << pairing.step_count());
    for (std::size_t step = 0; step < pairing.step_count(); ++step) {
      for (std::uint32_t r = 0; r < pairing.rank_count(); ++r) {
        const Rank partner = pairing.partner(Rank{r}, step);
        EXPECT_NE(partner, Rank{r});
        EXPECT_EQ(pairing.partner(partner, step), Rank{r});
      }
    }
  }
}

TEST(Pairing, leads_from_every_rank_to_every_rank_once) {
  for (const Pairing& pairing : pairings()) {
    for (std::uint32_t r = 0; r < pairing.rank_count(); ++r) {
      for (const auto& ranks :
           {pairing.destinations(Rank{r}, 0), pairing.origins(Rank{r}, pairing.step_count())}) {
        EXPECT_EQ(ranks.size(), pairing.rank_count());
        EXPECT_EQ(std::set<Rank>(ranks.begin(), ranks.end()).size(), pairing.rank_count());
      }
    }
  }
}

TEST(Pairing, splits_what_is_reached_between_a_rank_and_its_partner) {
  for (const Pairing& pairing : pairings()) {
    for (std::size_t step = 0; step < pairing.step_count(); ++step) {
      for (std::uint32_t r = 0; r < pairing.rank_count(); ++r) {
        auto both = pairing.destinations(Rank{r}, step + 1);
        for (const Rank rank : pairing.destinations(pairing.partner(Rank{r}, step), step + 1))
          both.push_back(rank);
        auto whole = pairing.destinations(Rank{r}, step);
        std::ranges::sort(both);
        std::ranges::sort(whole);
        EXPECT_EQ(both, whole);
      }
    }
  }
}

TEST(Swing, has_partners_at_distances_1_1_3_5_11_in_alternating_directions) {
  const Grid ring = parse_grid("ring:64");
  const Pairing pairing = Pairing::swing(Placement(ring, {}));
  const std::vector<std::int64_t> steps{1, -1, 3, -5, 11, -21};
  for (std::size_t k = 0; k < steps.size(); ++k) {
    for (std::uint32_t r = 0; r < 64; ++r) {
      const auto to = static_cast<GridNode>(label(pairing.partner(Rank{r}, k)));
      const std::int64_t up = axis_steps(ring, 0, static_cast<GridNode>(r), to, Tie::balanced);
      EXPECT_EQ(up, r % 2 == 0 ? steps[k] : -steps[k]) << k << ' ' << r;
    }
  }
}

TEST(Swing, goes_round_the_axes) {
  const Grid grid = parse_grid("torus:2x8");
  const Pairing pairing = Pairing::swing(Placement(grid, {}));
  const std::vector<std::uint32_t> first{1, 2, 14, 6};  // axis 0, then the steps 1, -1 and 3 of axis 1
  for (std::size_t step = 0; step < first.size(); ++step)
    EXPECT_EQ(pairing.partner(Rank{0}, step), Rank{first[step]}) << step;
}

TEST(Pairing, is_refused_where_it_does_not_fit) {
  EXPECT_EQ(message_of([] { Pairing::cube(6); }), "cube: 6 ranks are no power of two");
  EXPECT_EQ(message_of([] { Pairing::swing(Placement(parse_grid("torus:4x6"), {})); }),
            "swing: extent 6 of torus:4x6 is no power of two");
}

}  // namespace
}  // namespace cubefold
