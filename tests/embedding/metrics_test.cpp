#include "cubefold/embedding/metrics.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <ostream>
#include <string>

#include "cubefold/topology/link_loads.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Spectrum = std::map<std::uint32_t, std::uint64_t>;
using Distances = std::vector<std::optional<std::uint32_t>>;

Placement placement(const std::string& grid, const std::string& rule) {
  return {parse_grid(grid), parse_placement(rule)};
}

std::vector<int> all_dimensions(const Placement& p) {
  std::vector<int> dimensions(static_cast<std::size_t>(dimension_count(p)));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

std::uint32_t sum(const Distances& distances) {
  std::uint32_t total = 0;
  for (const auto& distance : distances) total += distance.value();
  return total;
}

/// A row of the second table in spec section 2: the hypercube of dimension d on a ring, ties balanced.
struct RingRow {
  int d;
  std::uint32_t sum_standard, sum_xor;
  Spectrum spectrum_standard, spectrum_xor;
  NodeLoad load_standard, load_xor;
  std::uint64_t link_standard, link_xor;
};

void PrintTo(const RingRow& row, std::ostream* out) {
  *out << "d = " << row.d;
}

const RingRow ring_rows[] = {
    {3, 7, 5, {{1, 4}, {2, 4}, {4, 4}}, {{1, 4}, {2, 8}}, {6, 4, 5}, {4, 4, 4}, 4, 3},
    {4, 15, 11, {{1, 8}, {2, 8}, {4, 8}, {8, 8}}, {{1, 8}, {2, 8}, {4, 16}}, {11, 7, 9.5}, {8, 7, 7.5}, 9, 6},
    {5,
     31,
     23,
     {{1, 16}, {2, 16}, {4, 16}, {8, 16}, {16, 16}},
     {{1, 16}, {2, 16}, {4, 16}, {8, 32}},
     {21, 12, 18},
     {15, 12, 14},
     18,
     13},
    {6,
     63,
     47,
     {{1, 32}, {2, 32}, {4, 32}, {8, 32}, {16, 32}, {32, 32}},
     {{1, 32}, {2, 32}, {4, 32}, {8, 32}, {16, 64}},
     {40, 21, 34.5},
     {29, 21, 26.5},
     37,
     26},
};

class RingTable : public testing::TestWithParam<RingRow> {
 protected:
  Placement standard = placement("ring:" + std::to_string(1 << GetParam().d), "standard");
  Placement xor_ = placement("ring:" + std::to_string(1 << GetParam().d), "xor");
};

TEST_P(RingTable, has_the_sums_of_distances) {
  EXPECT_EQ(sum(constant_distances(standard)), GetParam().sum_standard);
  EXPECT_EQ(sum(constant_distances(xor_)), GetParam().sum_xor);
}

TEST_P(RingTable, has_the_dilation_spectra) {
  EXPECT_EQ(dilation_spectrum(standard), GetParam().spectrum_standard);
  EXPECT_EQ(dilation_spectrum(xor_), GetParam().spectrum_xor);
}

void expect_equal(const NodeLoad& load, const NodeLoad& expected) {
  EXPECT_EQ(load.maximum, expected.maximum);
  EXPECT_EQ(load.minimum, expected.minimum);
  EXPECT_DOUBLE_EQ(load.average, expected.average);
}

TEST_P(RingTable, has_the_node_loads) {
  expect_equal(node_load(standard), GetParam().load_standard);
  expect_equal(node_load(xor_), GetParam().load_xor);
}

TEST_P(RingTable, has_the_busiest_links_of_all_dimensions_at_once) {
  EXPECT_EQ(busiest_link(standard, all_dimensions(standard), Tie::balanced), GetParam().link_standard);
  EXPECT_EQ(busiest_link(xor_, all_dimensions(xor_), Tie::balanced), GetParam().link_xor);
}

INSTANTIATE_TEST_SUITE_P(Rows, RingTable, testing::ValuesIn(ring_rows));

// Spec section 2, table of embeddings, column "distances".

TEST(ConstantDistances, of_standard_are_powers_of_the_position_on_meshes) {
  EXPECT_EQ(constant_distances(placement("mesh:8x8", "standard")), (Distances{1, 2, 4, 1, 2, 4}));
  EXPECT_EQ(constant_distances(placement("mesh:4x4x4", "standard,bits=cyclic")),
            (Distances{1, 1, 1, 2, 2, 2}));
}

TEST(ConstantDistances, of_xor_have_a_shorter_top_bit_on_wrapped_axes) {
  EXPECT_EQ(constant_distances(placement("torus:8x8", "xor")), (Distances{1, 2, 2, 1, 2, 2}));
  EXPECT_EQ(constant_distances(placement("ring:64", "xor")), (Distances{1, 2, 4, 8, 16, 16}));
}

TEST(ConstantDistances, of_xor_are_all_1_where_every_axis_is_a_4_ring) {
  EXPECT_EQ(constant_distances(placement("torus:4x4x4", "xor")), Distances(6, 1));
  EXPECT_EQ(constant_distances(placement("torus:4x4x4", "xor,bits=cyclic")), Distances(6, 1));
}

TEST(ConstantDistances, do_not_exist_for_by_weight) {
  const auto distances = constant_distances(placement("line:8", "by-weight"));
  EXPECT_EQ(distances, (Distances{std::nullopt, std::nullopt, std::nullopt}));
}

TEST(ConstantDistances, exist_for_some_dimensions_of_gray_only) {
  const auto distances = constant_distances(placement("line:8", "gray"));
  EXPECT_EQ(distances[0], 1U);
  EXPECT_EQ(distances[2], std::nullopt);
}

TEST(DilationSpectrum,
     of_by_weight_on_a_line_has_a_smaller_longest_dilation_than_standard) {  // [Xor] section 2.3
  const auto longest = [](const char* rule) {
    return dilation_spectrum(placement("line:64", rule)).rbegin()->first;
  };
  EXPECT_LT(longest("by-weight"), longest("standard"));
}

// Spec section 3, last table, first row: the pattern of NAS CG on 64 ranks, dimensions 0, 1 and 2 and the
// transpose of 8 x 8, all at once. It also fixes what the order convention means.
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
            "busiest_link: dimension 3 is not in 0 .. 2");
}

TEST(Metrics, refuse_grids_without_a_hypercube) {
  EXPECT_EQ(message_of([] { dilation_spectrum(placement("ring:6", "identity")); }),
            "ring:6 has 6 nodes; a hypercube needs a power of two");
}

}  // namespace
}  // namespace cubefold
