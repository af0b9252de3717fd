// Bricks of a Cartesian grid of ranks, whose ranks share a node.

#include "cubefold/plan/bricks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "plan/phases_of.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

std::string refusal_of(const std::string& text) {
  return message_of([&] { parse_bricks(text); });
}

std::vector<std::uint32_t> numbers_of(const std::string& text) {
  std::vector<std::uint32_t> numbers;
  for (const Rank number : numbers_by_bricks(parse_bricks(text))) numbers.push_back(label(number));
  return numbers;
}

TEST(Bricks, are_read_and_written) {
  EXPECT_EQ(parse_bricks("16x12x8/1x2x2"), (Bricks{{16, 12, 8}, {1, 2, 2}}));
  EXPECT_EQ(to_string(Bricks{{16, 12, 8}, {1, 2, 2}}), "16x12x8/1x2x2");
  EXPECT_EQ(parse_bricks("6/2"), (Bricks{{6}, {2}}));
  EXPECT_EQ(brick_size(parse_bricks("16x12x8/1x2x2")), 4U);
}

TEST(Bricks, are_refused_with_the_text_and_the_rule) {
  EXPECT_EQ(refusal_of("4x4"), "'4x4' is not RANKS/BRICK, as in 16x12x8/1x2x2");
  EXPECT_EQ(refusal_of("4x4/2/2"), "'4x4/2/2' is not RANKS/BRICK, as in 16x12x8/1x2x2");
  EXPECT_EQ(refusal_of("4x4/2"), "'4x4/2': the ranks have 2 axes and the brick has 1");
  EXPECT_EQ(refusal_of("4x4/2x3"), "'4x4/2x3': 3 does not divide 4");
  EXPECT_EQ(refusal_of("4x4/2x0"), "'4x4/2x0': extent 0 of axis 1 is not positive");
  EXPECT_EQ(refusal_of("4x-4/2x2"), "'4x-4/2x2': '-4' is no number of ranks");
  EXPECT_EQ(refusal_of("/"), "'/': '' is no number of ranks");
  EXPECT_NE(refusal_of("65536x65536/1x1").find("more than"), std::string::npos);
}

TEST(Bricks, are_numbered_with_the_last_axis_fastest) {
  EXPECT_EQ(numbers_of("4/2"), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(numbers_of("2x4/2x2"), (std::vector<std::uint32_t>{0, 1, 4, 5, 2, 3, 6, 7}));
  EXPECT_EQ(numbers_of("4x2/2x1"), (std::vector<std::uint32_t>{0, 2, 1, 3, 4, 6, 5, 7}));
}

/// Returns a text of at most `size` ranks in bricks, for every grid of three axes up to 6 and every brick.
std::vector<std::string> small_bricks() {
  std::vector<std::string> all;
  for (std::uint32_t code = 0; code < 6 * 6 * 6; ++code) {
    const std::vector<std::uint32_t> ranks{1 + code % 6, 1 + code / 6 % 6, 1 + code / 36};
    for (std::uint32_t part = 0; part < 6 * 6 * 6; ++part) {
      const std::vector<std::uint32_t> brick{1 + part % 6, 1 + part / 6 % 6, 1 + part / 36};
      const bool fits = ranks[0] % brick[0] == 0 && ranks[1] % brick[1] == 0 && ranks[2] % brick[2] == 0;
      if (fits) all.push_back(to_string(Bricks{ranks, brick}));
    }
  }
  return all;
}

TEST(Bricks, have_consecutive_numbers_of_ranks_that_are_in_one_brick) {
  for (const std::string& text : small_bricks()) {
    const Bricks bricks = parse_bricks(text);
    const auto numbers = numbers_of(text);
    std::vector<std::uint32_t> sorted = numbers;
    std::ranges::sort(sorted);
    std::vector<std::uint32_t> all(numbers.size());
    std::iota(all.begin(), all.end(), 0);
    ASSERT_EQ(sorted, all) << text;
    std::vector<std::vector<std::uint32_t>> brick_of_number(numbers.size());
    for (std::uint32_t rank = 0; rank < numbers.size(); ++rank) {
      const std::uint32_t z = rank % bricks.ranks[2];
      const std::uint32_t y = rank / bricks.ranks[2] % bricks.ranks[1];
      const std::uint32_t x = rank / bricks.ranks[2] / bricks.ranks[1];
      brick_of_number[numbers[rank]] = {x / bricks.brick[0], y / bricks.brick[1], z / bricks.brick[2]};
    }
    ASSERT_TRUE(std::ranges::is_sorted(brick_of_number)) << text;
  }
}

TEST(BrickMapping, places_whole_bricks_with_the_values_that_evaluate_counts) {
  const Grid grid = parse_grid("torus:4x3");
  const auto phases = parse_phases("halo:6wx8", 48);
  const Bricks bricks = parse_bricks("6x8/2x2");
  MappingOptions options;
  options.per_node = 4;
  const Mapping mapping = choose_placement(grid, phases, bricks, options);
  const auto node_of_brick = node_of_rank(Placement(grid, parse_placement(mapping.placement)));
  for (std::uint32_t rank = 0; rank < 48; ++rank) {
    const std::uint32_t brick = rank / 8 / 2 * 4 + rank % 8 / 2;
    EXPECT_EQ(mapping.node_of_rank.at(rank), node_of_brick[brick]) << rank;
  }
  EXPECT_EQ(evaluate(grid, mapping.node_of_rank, phases).exact_objective, mapping.values.exact_objective);
  EXPECT_EQ(mapping.values.objective, 2) << "3 x 4 bricks are the torus, with two ranks on each side";
}

/// Returns the node of every brick, from the node of every rank.
std::vector<GridNode> nodes_of_bricks(const Bricks& bricks, const std::vector<GridNode>& node_of_rank) {
  const auto number_of_rank = numbers_by_bricks(bricks);
  std::vector<GridNode> nodes(node_of_rank.size() / brick_size(bricks));
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    nodes.at(label(number_of_rank[rank]) / brick_size(bricks)) = node_of_rank[rank];
  }
  return nodes;
}

// With the least effort, the search finds no placement of random messages that is as good as the start.
TEST(BrickMapping, starts_from_placements_of_bricks) {
  const Grid grid = parse_grid("mesh:4x5");
  const Bricks bricks = parse_bricks("8x10/2x2");
  std::mt19937_64 generator(1);
  const std::vector phases{random_phase(80, 120, generator)};
  MappingOptions options;
  options.per_node = 4;
  options.effort = 20'000'000;
  const Mapping found = choose_placement(grid, phases, bricks, options);
  options.effort = 1;
  EXPECT_GT(choose_placement(grid, phases, bricks, options).values.exact_objective,
            found.values.exact_objective);
  options.starts = {nodes_of_bricks(bricks, found.node_of_rank)};
  EXPECT_EQ(choose_placement(grid, phases, bricks, options).values.exact_objective,
            found.values.exact_objective);
}

TEST(BrickMapping, refuses_bricks_of_another_size_and_ranks_outside_of_the_grid) {
  const Grid grid = parse_grid("line:3");
  MappingOptions options;
  options.per_node = 2;
  const auto phases = parse_phases("ring", 6);
  EXPECT_EQ(message_of([&] { choose_placement(grid, phases, parse_bricks("6x1/3x1"), options); }),
            "choose_placement: bricks of 3x1 are not of 2 ranks");
  EXPECT_EQ(message_of([&] { choose_placement(grid, phases, parse_bricks("4/2"), options); }),
            "there is no rank 4 in a grid of 4 ranks");
  EXPECT_EQ(message_of([&] { choose_bricks(grid, phases, {4}, options); }),
            "choose_bricks: a grid of 4 has not 6 ranks");
}

// With the least effort, the search finds no placement of random messages that is as good as the start.
TEST(BrickMapping, is_no_worse_than_a_start_of_consecutive_ranks) {
  const Grid grid = parse_grid("mesh:4x5");
  std::mt19937_64 generator(1);
  const std::vector phases{random_phase(80, 120, generator)};
  MappingOptions options;
  options.per_node = 4;
  options.effort = 20'000'000;
  const Mapping found = choose_placement(grid, phases, options);
  std::vector<GridNode> start;
  for (std::size_t rank = 0; rank < 80; rank += 4) start.push_back(found.node_of_rank[rank]);
  options.effort = 1;
  EXPECT_TRUE(is_better(found.values, choose_bricks(grid, phases, {8, 10}, options).mapping.values));
  options.starts = {start};
  EXPECT_FALSE(is_better(found.values, choose_bricks(grid, phases, {8, 10}, options).mapping.values));
}

/// Returns the least exact objective over all bricks of a grid of two axes and consecutive ranks.
ExactSum least_of_all(const Grid& grid, const std::vector<Phase>& phases, std::uint32_t rows,
                      std::uint32_t columns, const MappingOptions& options) {
  ExactSum least = choose_placement(grid, phases, options).values.exact_objective;
  for (std::uint32_t a = 1; a <= rows; ++a) {
    const auto b = static_cast<std::uint32_t>(options.per_node / a);
    if (rows % a != 0 || b == 0 || options.per_node % a != 0 || columns % b != 0) continue;
    const Bricks bricks{{rows, columns}, {a, b}};
    least = std::min(least, choose_placement(grid, phases, bricks, options).values.exact_objective);
  }
  return least;
}

TEST(BrickMapping, is_the_best_of_all_bricks_and_of_consecutive_ranks) {
  const Grid grid = parse_grid("torus:3x4");
  for (const auto& [rows, columns] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {12, 4}, {6, 8}, {8, 6}, {4, 12}, {48, 1}, {16, 3}}) {
    const std::string halo = "halo:" + std::to_string(rows) + "x" + std::to_string(columns);
    const auto phases = parse_phases(halo, 48);
    MappingOptions options;
    options.per_node = 4;
    const BrickMapping chosen = choose_bricks(grid, phases, {rows, columns}, options);
    EXPECT_LE(chosen.mapping.values.exact_objective, least_of_all(grid, phases, rows, columns, options))
        << halo;
    const auto& of_node = chosen.mapping.node_of_rank;
    EXPECT_EQ(evaluate(grid, of_node, phases).exact_objective, chosen.mapping.values.exact_objective);
  }
}

/// Messages on the busiest link of a halo exchange, with consecutive ranks and with bricks.
struct TableRow {
  const char* network;
  const char* halo;
  std::size_t per_node;
  double consecutive;
  double of_bricks;
  const char* bricks;
};

void PrintTo(const TableRow& row, std::ostream* out) {
  *out << row.network << " " << row.bricks;
}

class BrickTable : public testing::TestWithParam<TableRow> {};

TEST_P(BrickTable, has_the_values_of_consecutive_ranks_and_of_bricks) {
  const auto& [network, halo, per_node, consecutive, of_bricks, text] = GetParam();
  const Grid grid = parse_grid(network);
  const Bricks bricks = parse_bricks(text);
  MappingOptions options;
  options.per_node = per_node;
  options.effort = 500'000'000;
  const auto phases = parse_phases(halo, grid.node_count() * per_node);
  const BrickMapping chosen = choose_bricks(grid, phases, bricks.ranks, options);
  EXPECT_EQ(chosen.bricks, bricks);
  EXPECT_EQ(chosen.mapping.values.objective, of_bricks);
  EXPECT_EQ(chosen.mapping.optimal, true);
  EXPECT_EQ(choose_placement(grid, phases, options).values.objective, consecutive);
}

INSTANTIATE_TEST_SUITE_P(Rows, BrickTable,
                         testing::Values(TableRow{"torus:4x4x4", "halo:16x8x4", 8, 8, 4, "16x8x4/2x2x2"},
                                         TableRow{"torus:8x8x8", "halo:16x16x16", 8, 16, 4, "16x16x16/2x2x2"},
                                         TableRow{"torus:8x8", "halo:32wx32w", 16, 18, 4, "32x32/4x4"},
                                         TableRow{"torus:12x8x8", "halo:24wx16wx8w", 4, 8, 4,
                                                  "24x16x8/2x2x1"},
                                         TableRow{"torus:6x4", "halo:12x16", 8, 8, 4, "12x16/2x4"},
                                         TableRow{"torus:8x8", "halo:64x64", 64, 64, 8, "64x64/8x8"}));

TEST(BrickMapping, is_of_consecutive_ranks_if_nothing_else_is_better) {
  MappingOptions options;
  EXPECT_EQ(choose_bricks(parse_grid("ring:6"), parse_phases("ring", 6), {6}, options).bricks, std::nullopt);
  options.per_node = 2;
  EXPECT_EQ(choose_bricks(parse_grid("ring:6"), parse_phases("ring", 12), {12}, options).bricks,
            std::nullopt);
}

}  // namespace
}  // namespace cubefold
