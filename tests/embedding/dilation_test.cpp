#include "cubefold/embedding/dilation.hpp"

#include <gtest/gtest.h>

#include <string>

#include "embedding/named_placement.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Distances = std::vector<std::optional<std::uint32_t>>;

// These distances are in column "distances" of the table of embeddings in spec section 2.

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

TEST(DilationSpectrum, has_a_total) {
  EXPECT_EQ(total_dilation({{1, 4}, {2, 3}, {7, 1}}), 17U);
}

TEST(DilationSpectrum, of_a_single_node_is_empty) {
  const auto spectrum = dilation_spectrum(placement("hypercube:0", "identity"));
  EXPECT_TRUE(spectrum.empty());
  EXPECT_EQ(total_dilation(spectrum), 0U);
}

TEST(DilationSpectrum,
     adds_up_to_the_total_dilations_of_the_paper_on_rings) {  // [Xor] 4.4
  for (int d = 2; d <= 10; ++d) {
    const auto ring = "ring:" + std::to_string(1 << d);
    const auto links = std::uint64_t{1} << (d - 1);
    EXPECT_EQ(total_dilation(dilation_spectrum(placement(ring, "standard"))), links * ((1U << d) - 1));
    EXPECT_EQ(total_dilation(dilation_spectrum(placement(ring, "xor"))), links * (3 * (1U << (d - 2)) - 1));
  }
}

TEST(Metrics, refuse_grids_without_a_hypercube) {
  EXPECT_EQ(message_of([] { dilation_spectrum(placement("ring:6", "identity")); }),
            "ring:6 has 6 nodes; a hypercube needs a power of two");
}

}  // namespace
}  // namespace cubefold
