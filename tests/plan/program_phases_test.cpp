#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "cubefold/plan/phase.hpp"
#include "plan/phases_of.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

/// The messages that each pair of ranks exchanges.
using Sums = std::map<std::pair<std::uint32_t, std::uint32_t>, double>;

Sums sums(const Phase& phase) {
  Sums result;
  for (const auto& [from, to, messages] : phase.traffic) result[{label(from), label(to)}] += messages;
  return result;
}

Sums sums_of(const std::string& text, std::size_t rank_count) {
  return sums(parse_phase(text, rank_count).at(0));
}

std::set<std::uint32_t> destinations(const Sums& sums, std::uint32_t from) {
  std::set<std::uint32_t> result;
  for (const auto& [pair, messages] : sums) {
    if (pair.first == from) result.insert(pair.second);
  }
  return result;
}

std::string refusal_of(const std::string& text, std::size_t rank_count) {
  return message_of([&] { parse_phases(text, rank_count); });
}

/// Returns the messages of a halo exchange in a grid with the last axis fastest, from those of the grid with its axes
/// in reverse order.
Sums halo_by_stencil(const Grid& reversed, int diagonals) {
  Sums result;
  for (const auto& [pair, messages] : sums(stencil(reversed, diagonals))) result[pair] = messages;
  return result;
}

TEST(HaloPhase, numbers_ranks_as_mpi_cart_create_does) {
  const auto sent = sums_of("halo:12x10", 120);
  EXPECT_EQ(destinations(sent, 0), (std::set<std::uint32_t>{1, 10}));
  EXPECT_EQ(destinations(sent, 11), (std::set<std::uint32_t>{1, 10, 12, 21}));
  EXPECT_EQ(destinations(sent, 19), (std::set<std::uint32_t>{9, 18, 29}));
  EXPECT_EQ(sent.size(), 2U * (11 * 10 + 12 * 9));
}

TEST(HaloPhase, goes_round_periodic_axes_only) {
  EXPECT_EQ(destinations(sums_of("halo:12wx10", 120), 0), (std::set<std::uint32_t>{1, 10, 110}));
  EXPECT_EQ(destinations(sums_of("halo:12x10w", 120), 0), (std::set<std::uint32_t>{1, 9, 10}));
  EXPECT_EQ(destinations(sums_of("halo:12wx10w", 120), 0), (std::set<std::uint32_t>{1, 9, 10, 110}));
}

TEST(HaloPhase, with_diagonals_has_9_points_in_2d_and_27_in_3d) {
  EXPECT_EQ(destinations(sums_of("halo:4x5:full", 20), 6).size(), 8U);
  EXPECT_EQ(destinations(sums_of("halo:4x5:faces", 20), 6).size(), 4U);
  EXPECT_EQ(destinations(sums_of("halo:3x3x3:full", 27), 13).size(), 26U);
  EXPECT_EQ(destinations(sums_of("halo:3x3x3", 27), 13).size(), 6U);
}

TEST(HaloPhase, without_diagonals_of_cubes_has_19_points_in_3d_and_33_in_4d) {
  EXPECT_EQ(destinations(sums_of("halo:3x3x3:edges", 27), 13).size(), 18U);
  EXPECT_EQ(destinations(sums_of("halo:3x3x3x3:edges", 81), 40).size(), 32U);
  EXPECT_EQ(sums_of("halo:4x5w:edges", 20), sums_of("halo:4x5w:full", 20));
  EXPECT_EQ(sums_of("halo:7w:edges", 7), sums_of("halo:7w", 7));
}

TEST(HaloPhase, is_the_stencil_of_the_grid_with_its_axes_reversed) {
  const std::map<std::string, const char*> cases{{"7", "line:7"},
                                                 {"7w", "ring:7"},
                                                 {"3x5", "grid:5x3"},
                                                 {"3wx5", "grid:5x3w"},
                                                 {"4wx5w", "grid:5wx4w"},
                                                 {"2x3x4", "grid:4x3x2"},
                                                 {"5wx3x4w", "grid:4wx3x5w"},
                                                 {"2x2x2x3w", "grid:3wx2x2x2"},
                                                 {"1x6x1", "grid:1x6x1"}};
  for (const auto& [shape, reversed] : cases) {
    const Grid grid = parse_grid(reversed);
    const std::string halo = "halo:" + shape;
    EXPECT_EQ(sums_of(halo, grid.node_count()), halo_by_stencil(grid, 1)) << shape;
    EXPECT_EQ(sums_of(halo + ":edges", grid.node_count()), halo_by_stencil(grid, 2)) << shape;
    EXPECT_EQ(sums_of(halo + ":full", grid.node_count()), halo_by_stencil(grid, grid.axis_count())) << shape;
  }
}

TEST(HaloPhase, sends_twice_to_the_rank_that_is_both_neighbours) {
  EXPECT_EQ(sums_of("halo:2wx3", 6), (Sums{{{0, 1}, 1},
                                           {{1, 0}, 1},
                                           {{1, 2}, 1},
                                           {{2, 1}, 1},
                                           {{3, 4}, 1},
                                           {{4, 3}, 1},
                                           {{4, 5}, 1},
                                           {{5, 4}, 1},
                                           {{0, 3}, 2},
                                           {{3, 0}, 2},
                                           {{1, 4}, 2},
                                           {{4, 1}, 2},
                                           {{2, 5}, 2},
                                           {{5, 2}, 2}}));
  EXPECT_TRUE(sums_of("halo:1w", 1).empty());
}

TEST(AllToAllPhase, is_between_all_pairs_or_within_rows_or_columns) {
  for (const auto& [text, is_sent] :
       std::initializer_list<std::pair<const char*, bool (*)(std::uint32_t, std::uint32_t)>>{
           {"alltoall", [](std::uint32_t, std::uint32_t) { return true; }},
           {"alltoall:rows=3x5", [](std::uint32_t a, std::uint32_t b) { return a / 5 == b / 5; }},
           {"alltoall:columns=3x5", [](std::uint32_t a, std::uint32_t b) { return a % 5 == b % 5; }}}) {
    Sums expected;
    for (std::uint32_t from = 0; from < 15; ++from) {
      for (std::uint32_t to = 0; to < 15; ++to) {
        if (from != to && is_sent(from, to)) expected[{from, to}] = 1;
      }
    }
    EXPECT_EQ(sums_of(text, 15), expected) << text;
  }
  EXPECT_TRUE(sums_of("alltoall", 1).empty());
}

TEST(RingPhase, sends_to_the_next_rank) {
  EXPECT_EQ(sums_of("ring", 3), (Sums{{{0, 1}, 1}, {{1, 2}, 1}, {{2, 0}, 1}}));
  EXPECT_EQ(sums_of("ring", 2), (Sums{{{0, 1}, 1}, {{1, 0}, 1}}));
  EXPECT_TRUE(sums_of("ring", 1).empty());
}

TEST(AllreducePhase, is_a_cube_for_powers_of_two) {
  const auto steps = parse_phase("allreduce*3", 32);
  const auto dimensions = parse_phase("cube*3", 32);
  ASSERT_EQ(steps.size(), dimensions.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(sums(steps[i]), sums(dimensions[i]));
    EXPECT_EQ(steps[i].name, "allreduce:" + std::to_string(i));
    EXPECT_EQ(steps[i].weight, 3);
  }
}

/// Performs the steps with sets of contributions. In the last step of other numbers than powers of two, results are
/// copied, and in all other steps disjoint sets are joined.
void expect_that_all_ranks_get_all_contributions(std::uint32_t rank_count) {
  std::vector<std::set<std::uint32_t>> held;
  for (std::uint32_t r = 0; r < rank_count; ++r) held.push_back({r});
  const auto steps = parse_phase("allreduce", rank_count);
  const bool copies_at_last = (rank_count & (rank_count - 1)) != 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto before = held;
    for (const auto& [from, to, messages] : steps[i].traffic) {
      auto& mine = held[label(to)];
      const auto size = mine.size() + before[label(from)].size();
      if (copies_at_last && i + 1 == steps.size()) mine.clear();
      mine.insert(before[label(from)].begin(), before[label(from)].end());
      EXPECT_TRUE(copies_at_last || mine.size() == size) << rank_count << " ranks, step " << i;
    }
  }
  for (const auto& set : held) EXPECT_EQ(set.size(), rank_count);
}

TEST(AllreducePhase, gives_every_rank_the_contributions_of_all) {
  for (std::uint32_t rank_count = 1; rank_count <= 70; ++rank_count)
    expect_that_all_ranks_get_all_contributions(rank_count);
}

TEST(AllreducePhase, has_a_step_before_and_one_after_the_others_for_other_numbers_of_ranks) {
  const auto steps = parse_phase("allreduce", 6);
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_EQ(sums(steps[0]), (Sums{{{0, 1}, 1}, {{2, 3}, 1}}));
  EXPECT_EQ(sums(steps[1]), (Sums{{{1, 3}, 1}, {{3, 1}, 1}, {{4, 5}, 1}, {{5, 4}, 1}}));
  EXPECT_EQ(sums(steps[2]), (Sums{{{1, 4}, 1}, {{4, 1}, 1}, {{3, 5}, 1}, {{5, 3}, 1}}));
  EXPECT_EQ(sums(steps[3]), (Sums{{{1, 0}, 1}, {{3, 2}, 1}}));
  EXPECT_EQ(sums_of("allreduce:2", 6), sums(steps[2]));
  EXPECT_EQ(parse_phase("allreduce:1-2", 6).size(), 2U);
  EXPECT_TRUE(parse_phase("allreduce", 1).empty());
}

/// Performs the steps of an allgather by their partners. Every rank sends all that it has, whose share of the vector
/// the messages must count.
TEST(HalvingPhases, send_what_ranks_have_of_the_vector) {
  for (const std::uint32_t rank_count : {2U, 8U, 32U}) {
    const auto steps = parse_phase("allgather*3", rank_count);
    std::vector<std::set<std::uint32_t>> held;
    for (std::uint32_t r = 0; r < rank_count; ++r) held.push_back({r});
    for (const Phase& step : steps) {
      EXPECT_EQ(step.weight, 3);
      const auto before = held;
      for (const auto& [from, to, messages] : step.traffic) {
        EXPECT_EQ(messages * rank_count, before[label(from)].size());
        held[label(to)].insert(before[label(from)].begin(), before[label(from)].end());
      }
    }
    for (const auto& set : held) EXPECT_EQ(set.size(), rank_count);
    const auto scattering = parse_phase("reduce-scatter", rank_count);
    ASSERT_EQ(scattering.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i)
      EXPECT_EQ(sums(scattering[i]), sums(steps[steps.size() - 1 - i])) << "an allgather backwards";
  }
}

TEST(ProgramPhases, that_make_no_sense_are_refused_with_the_text_and_the_rule) {
  EXPECT_EQ(refusal_of("halo", 12),
            "phase 'halo': say halo:SHAPE, as in halo:12x10, or halo:12wx10 if the first axis is periodic");
  EXPECT_EQ(refusal_of("halo:3x5", 12), "phase 'halo:3x5': 3x5 are 15 ranks, not 12");
  EXPECT_EQ(refusal_of("halo:3x", 12), "phase 'halo:3x': '' is not a number");
  EXPECT_EQ(refusal_of("halo:3wwx4", 12), "phase 'halo:3wwx4': '3w' is not a number");
  EXPECT_EQ(refusal_of("halo:0x4", 12), "phase 'halo:0x4': extent 0 of axis 0 is not positive");
  EXPECT_EQ(refusal_of("halo:99999x99999", 12),
            "phase 'halo:99999x99999': axes 0 to 1 have more than 2147483648 nodes");
  EXPECT_EQ(refusal_of("halo:3x4:ful", 12),
            "phase 'halo:3x4:ful': unknown stencil 'ful'; did you mean 'full'? known: faces, edges, full");
  EXPECT_EQ(refusal_of("halo:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1:full", 1),
            "phase 'halo:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1:full': 43046720 messages are more than 33554432");
  EXPECT_EQ(refusal_of("alltoall:3x4", 12),
            "phase 'alltoall:3x4': '3x4' is neither rows=ROWSxCOLUMNS nor columns=ROWSxCOLUMNS");
  EXPECT_EQ(refusal_of("alltoall:row=3x4", 12),
            "phase 'alltoall:row=3x4': 'row=3x4' is neither rows=ROWSxCOLUMNS nor columns=ROWSxCOLUMNS");
  EXPECT_EQ(refusal_of("alltoall:rows=3x5", 12), "phase 'alltoall:rows=3x5': 3 x 5 are 15 ranks, not 12");
  EXPECT_EQ(refusal_of("alltoall", 8192), "phase 'alltoall': 67100672 messages are more than 33554432");
  EXPECT_EQ(refusal_of("ring:2", 12),
            "phase 'ring:2': it takes nothing after its name; halo:12w is a ring of 12 that sends both ways");
  EXPECT_EQ(refusal_of("allreduce:5", 12), "phase 'allreduce:5': step 5 is not in 0 .. 4");
  EXPECT_EQ(refusal_of("allgather", 12), "phase 'allgather': 12 ranks are no power of two; say ring*11");
  EXPECT_EQ(refusal_of("reduce-scatter:3", 8), "phase 'reduce-scatter:3': step 3 is not in 0 .. 2");
  EXPECT_EQ(refusal_of("allreduce:0", 1), "phase 'allreduce:0': a single rank has no steps");
  EXPECT_EQ(refusal_of("rings", 12).substr(0, 60),
            "phase 'rings': unknown name 'rings'; did you mean 'ring'? kn");
  std::string many = "halo:1";
  for (int axis = 0; axis < 64; ++axis) many += "x1";
  EXPECT_EQ(refusal_of(many, 1), "phase '" + many + "': 65 axes are more than 64");
}

}  // namespace
}  // namespace cubefold
