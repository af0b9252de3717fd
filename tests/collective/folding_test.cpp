#include "collective/folding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace cubefold {
namespace {

std::vector<std::uint32_t> labels(const std::vector<Rank>& ranks) {
  std::vector<std::uint32_t> labels;
  for (const Rank rank : ranks) labels.push_back(label(rank));
  return labels;
}

TEST(Folding, of_a_ring_of_6_sends_1_to_0_and_3_to_2) {
  const Folding folding(Placement(parse_grid("ring:6"), {}));
  EXPECT_EQ(folding.step_count(), 1U);
  EXPECT_EQ(folding.inner().rank_count(), 4U);
  EXPECT_EQ(folding.receiver(Rank{1}, 0), Rank{0});
  EXPECT_EQ(folding.receiver(Rank{3}, 0), Rank{2});
  for (const std::uint32_t staying : {0U, 2U, 4U, 5U}) EXPECT_FALSE(folding.receiver(Rank{staying}, 0));
  std::vector<Rank> staying;
  for (std::uint32_t inner = 0; inner < 4; ++inner) staying.push_back(folding.outer_rank(Rank{inner}));
  EXPECT_EQ(labels(staying), (std::vector<std::uint32_t>{0, 2, 4, 5}));
  EXPECT_EQ(labels(folding.members(Rank{2}, 1)), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(labels(folding.members(Rank{4}, 1)), (std::vector<std::uint32_t>{4}));
}

TEST(Folding, of_powers_of_two_is_the_placement_itself) {
  const Placement placement(parse_grid("torus:4x8"), parse_placement("xor"));
  const Folding folding(placement);
  EXPECT_EQ(folding.step_count(), 0U);
  EXPECT_EQ(node_of_rank(folding.inner()), node_of_rank(placement));
  for (std::uint32_t r = 0; r < 32; ++r) {
    EXPECT_EQ(folding.outer_rank(Rank{r}), Rank{r});
    EXPECT_EQ(folding.inner_rank(Rank{r}), Rank{r});
  }
}

/// Looks at every axis order of a grid, with ranks placed backwards too.
template <typename Look>
void for_all_foldings(Look look) {
  for (const char* text : {"ring:3", "line:5", "ring:6", "ring:7", "mesh:1x6", "torus:3x5", "torus:6x4",
                           "torus:5x4x3", "torus:7x6", "hyperx:3x5", "torus:3x5,cut=0-1"}) {
    const Grid grid = parse_grid(text);
    PlacementRule backwards;
    for (std::size_t node = grid.node_count(); node > 0; --node)
      backwards.nodes.push_back(static_cast<GridNode>(node - 1));
    for (std::size_t first_axis = 0; first_axis < 3; ++first_axis) {
      for (const PlacementRule& rule : {PlacementRule{}, backwards}) {
        SCOPED_TRACE(std::string(text) + " from axis " + std::to_string(first_axis));
        const Placement placement(grid, rule);
        look(placement, Folding(placement, {first_axis, false}));
      }
    }
  }
}

TEST(Folding, lets_every_rank_leave_once_or_stay) {
  for_all_foldings([](const Placement& placement, const Folding& folding) {
    std::size_t staying = 0;
    for (std::uint32_t r = 0; r < placement.rank_count(); ++r) {
      std::size_t left = 0;
      for (std::size_t step = 0; step < folding.step_count(); ++step) {
        const auto receiver = folding.receiver(Rank{r}, step);
        if (!receiver) continue;
        EXPECT_EQ(folding.sender(*receiver, step), Rank{r});
        ++left;
      }
      const auto inner = folding.inner_rank(Rank{r});
      EXPECT_EQ(left, inner ? 0U : 1U);
      if (!inner) continue;
      ++staying;
      EXPECT_EQ(folding.outer_rank(*inner), Rank{r});
    }
    EXPECT_EQ(staying, folding.inner().rank_count());
  });
}

TEST(Folding, gives_every_rank_to_one_that_stays) {
  for_all_foldings([](const Placement& placement, const Folding& folding) {
    std::multiset<Rank> members;
    for (std::uint32_t inner = 0; inner < folding.inner().rank_count(); ++inner) {
      const auto folded = folding.members(folding.outer_rank(Rank{inner}), folding.step_count());
      EXPECT_EQ(folding.member_count(folding.outer_rank(Rank{inner}), folding.step_count()), folded.size());
      members.insert(folded.begin(), folded.end());
    }
    EXPECT_EQ(members.size(), placement.rank_count());
    EXPECT_EQ(std::set<Rank>(members.begin(), members.end()).size(), placement.rank_count());
  });
}

TEST(Folding, keeps_the_order_of_what_stays) {
  const Folding folding(Placement(parse_grid("line:11"), {}));
  for (std::uint32_t inner = 1; inner < folding.inner().rank_count(); ++inner)
    EXPECT_LT(folding.members(folding.outer_rank(Rank{inner - 1}), 1).back(),
              folding.outer_rank(Rank{inner}));
}

}  // namespace
}  // namespace cubefold
