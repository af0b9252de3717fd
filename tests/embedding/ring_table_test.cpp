#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "cubefold/embedding/dilation.hpp"
#include "embedding/cube_loads.hpp"
#include "embedding/named_placement.hpp"
#include "embedding/node_load.hpp"

namespace cubefold {
namespace {

using Spectrum = DilationSpectrum;

std::uint32_t sum(const std::vector<std::optional<std::uint32_t>>& distances) {
  std::uint32_t total = 0;
  for (const auto& distance : distances) total += distance.value();
  return total;
}

/// Holds a row of the second table in spec section 2: the hypercube of dimension d on a ring, with balanced ties.
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

}  // namespace
}  // namespace cubefold
