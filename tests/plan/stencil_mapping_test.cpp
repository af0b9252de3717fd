#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/mapping.hpp"
#include "plan/phases_of.hpp"

namespace cubefold {
namespace {

/// Returns the phase with rank r replaced by numbers[r].
Phase renumbered(Phase phase, const std::vector<Rank>& numbers) {
  for (Traffic& sent : phase.traffic)
    sent = {numbers[label(sent.from)], numbers[label(sent.to)], sent.messages};
  return phase;
}

Phase scrambled(const Phase& phase, std::size_t rank_count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<Rank> numbers;
  for (std::uint32_t r = 0; r < rank_count; ++r) numbers.push_back(Rank{r});
  // The result of std::shuffle depends on the standard library, so the ranks are shuffled here.
  for (std::size_t k = rank_count; k > 1; --k) std::swap(numbers[k - 1], numbers[generator() % k]);
  return renumbered(phase, numbers);
}

/// Returns a halo exchange on a process grid whose ranks are numbered at random.
Phase scrambled_stencil(const char* process_grid, int diagonals, std::uint64_t seed = 1) {
  const Grid grid = parse_grid(process_grid);
  return scrambled(stencil(grid, diagonals), grid.node_count(), seed);
}

/// Returns whether every rank runs on a different node.
bool is_bijection(const Mapping& mapping) {
  const std::set<GridNode> different(mapping.node_of_rank.begin(), mapping.node_of_rank.end());
  return different.size() == mapping.node_of_rank.size();
}

Mapping quickly_chosen(const Grid& grid, const Phase& phase) {
  MappingOptions options;
  options.effort = 400'000'000;
  return choose_placement(grid, std::vector{phase}, options);
}

TEST(StencilMapping, finds_8x8_again_under_any_numbers) {
  for (const char* text : {"mesh:8x8", "torus:8x8"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Mapping mapping =
          choose_placement(parse_grid(text), std::vector{scrambled_stencil(text, 1, seed)});
      EXPECT_EQ(mapping.values.objective, 1) << text << " " << seed;
      EXPECT_EQ(mapping.values.average_hops, 1) << text << " " << seed;
      EXPECT_EQ(mapping.optimal, true);
      EXPECT_TRUE(is_bijection(mapping));
    }
  }
}

TEST(StencilMapping, finds_large_and_odd_ones_again) {
  for (const char* text : {"mesh:64x64", "torus:64x64", "mesh:16x16x16", "torus:12x10", "torus:16x12",
                           "torus:12x8x8", "mesh:5x3x7", "torus:3x5", "ring:100", "line:9", "grid:4x6wx3"}) {
    const Mapping mapping = choose_placement(parse_grid(text), std::vector{scrambled_stencil(text, 1)});
    EXPECT_EQ(mapping.values.objective, 1) << text << ": " << mapping.searched;
    EXPECT_EQ(mapping.values.average_hops, 1) << text;
    EXPECT_EQ(mapping.optimal, true);
    EXPECT_TRUE(is_bijection(mapping));
  }
}

TEST(StencilMapping, finds_those_with_diagonals_again) {
  for (const char* text : {"mesh:8x8", "torus:8x8", "mesh:5x9", "torus:6x7", "mesh:4x5x6", "torus:5x5x5"}) {
    const Grid grid = parse_grid(text);
    const std::vector in_place{stencil(grid, grid.axis_count())};
    const Mapping mapping = quickly_chosen(grid, scrambled_stencil(text, grid.axis_count()));
    EXPECT_EQ(mapping.values.objective, evaluate(grid, node_of_rank(Placement(grid, {})), in_place).objective)
        << text << ": " << mapping.searched;
  }
}

// In communicators of MPI_Cart_create, the last axis varies fastest with the rank.
TEST(StencilMapping, turns_the_axes_of_cartesian_communicators) {
  for (const char* text : {"torus:12x10", "torus:16x12", "torus:12x8x8", "mesh:7x5", "torus:16x8"}) {
    const Grid grid = parse_grid(text);
    std::vector<Rank> numbers;
    for (std::uint32_t n = 0; n < grid.node_count(); ++n) {
      std::uint32_t rank = 0;
      for (int axis = 0; axis < grid.axis_count(); ++axis)
        rank = rank * grid.extent(axis) + grid.coordinate(GridNode{n}, axis);
      numbers.push_back(Rank{rank});
    }
    const Mapping mapping = choose_placement(grid, std::vector{renumbered(stencil(grid, 1), numbers)});
    EXPECT_EQ(mapping.values.objective, 1) << text;
    EXPECT_EQ(mapping.values.average_hops, 1) << text;
  }
}

TEST(StencilMapping, says_a_permutation_of_bits_as_a_rule) {
  const Grid grid = parse_grid("torus:8x16");
  std::vector<Rank> numbers;
  for (std::uint32_t n = 0; n < 128; ++n) numbers.push_back(Rank{n % 8 * 16 + n / 8});
  EXPECT_EQ(choose_placement(grid, std::vector{renumbered(stencil(grid, 1), numbers)}).placement,
            "standard,order=4-5-6-0-1-2-3");
}

TEST(StencilMapping, folds_process_grids_of_other_extents) {
  struct Case {
    const char* process_grid;
    const char* machine;
    double most;  ///< largest allowed load of the busiest link, in messages
  };
  for (const auto& [process_grid, machine, most] :
       {Case{"line:4096", "mesh:64x64", 1}, Case{"ring:4096", "torus:64x64", 1},
        Case{"ring:16", "line:16", 2}, Case{"torus:8x8", "mesh:8x8", 2}, Case{"mesh:6x20", "mesh:12x10", 3},
        Case{"torus:32x128", "torus:64x64", 3}, Case{"mesh:16x16x16", "mesh:64x64", 5},
        Case{"torus:5x6x7", "torus:14x15", 4}}) {
    const Mapping mapping = quickly_chosen(parse_grid(machine), scrambled_stencil(process_grid, 1));
    EXPECT_LE(mapping.values.objective, most)
        << process_grid << " on " << machine << ": " << mapping.searched;
    EXPECT_TRUE(is_bijection(mapping));
  }
}

TEST(StencilMapping, knows_a_grid_by_several_phases_and_beside_others) {
  const Grid grid = parse_grid("mesh:8x6");
  Phase along[2] = {{"along axis 0", 1, {}}, {"along axis 1", 3, {}}};
  for (const Traffic& sent : stencil(grid, 1).traffic) {
    const auto distance =
        std::max(label(sent.from), label(sent.to)) - std::min(label(sent.from), label(sent.to));
    along[distance == 1 ? 0 : 1].traffic.push_back(sent);
  }
  const std::vector halves{scrambled(along[0], 48, 7), scrambled(along[1], 48, 7)};
  EXPECT_EQ(choose_placement(grid, halves).values.busiest_link, (std::vector<double>{1, 1}));
  EXPECT_EQ(choose_placement(grid, std::vector{halves[1]}).values.objective, 3);

  const std::vector with_one_more{scrambled_stencil("mesh:8x6", 1),
                                  Phase{"gather", 0.01, {{Rank{1}, Rank{0}}}}};
  EXPECT_EQ(choose_placement(grid, with_one_more).values.busiest_link[0], 1);
}

TEST(StencilMapping, is_not_misled_by_graphs_that_are_nearly_grids) {
  for (const char* text : {"mesh:4x6", "torus:5x6", "mesh:3x3x3"}) {
    const Grid grid = parse_grid(text);
    const Phase whole = scrambled_stencil(text, 1);
    for (std::size_t gone = 0; gone < 4; ++gone) {
      Phase less = whole;
      less.traffic.erase(less.traffic.begin() + static_cast<std::ptrdiff_t>(gone * 5));
      Phase more = whole;
      more.traffic.push_back({Rank{static_cast<std::uint32_t>(gone)}, Rank{11}});
      for (const Phase& phase : {less, more}) {
        const Mapping mapping = quickly_chosen(grid, phase);
        EXPECT_TRUE(is_bijection(mapping)) << text;
        EXPECT_LE(mapping.values.objective, 4) << text << ": " << mapping.searched;
      }
    }
  }
}

}  // namespace
}  // namespace cubefold
