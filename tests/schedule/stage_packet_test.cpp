#include "cubefold/schedule/stage_packet.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Packets = std::vector<StagePacket>;

std::vector<int> first_dimensions(int count) {
  std::vector<int> dimensions(static_cast<std::size_t>(count));
  std::iota(dimensions.begin(), dimensions.end(), 0);
  return dimensions;
}

// [Calmant] figure 2 shows three dimensions and three packets.
TEST(PacketsOfIteration, are_those_of_the_figure_for_three_stages_and_three_packets) {
  const auto dimensions = first_dimensions(3);
  EXPECT_EQ(packets_of_iteration(dimensions, 3, 0), (Packets{{0, 0, 0, 3}}));
  EXPECT_EQ(packets_of_iteration(dimensions, 3, 1), (Packets{{0, 0, 1, 3}, {1, 1, 0, 3}}));
  EXPECT_EQ(packets_of_iteration(dimensions, 3, 2), (Packets{{0, 0, 2, 3}, {1, 1, 1, 3}, {2, 2, 0, 3}}));
  EXPECT_EQ(packets_of_iteration(dimensions, 3, 3), (Packets{{1, 1, 2, 3}, {2, 2, 1, 3}}));
  EXPECT_EQ(packets_of_iteration(dimensions, 3, 4), (Packets{{2, 2, 2, 3}}));
  EXPECT_EQ(packets_of_iteration(dimensions, 3, 5), Packets{});
}

TEST(PacketsOfIteration, are_whole_stages_with_one_packet) {
  const std::vector<int> bitonic{0, 1, 0, 2, 1, 0};
  for (std::size_t stage = 0; stage < bitonic.size(); ++stage)
    EXPECT_EQ(packets_of_iteration(bitonic, 1, stage), (Packets{{stage, bitonic[stage], 0, 1}}));
}

// Prologue and epilogue have Q - 1 iterations each and the kernel has d - Q + 1 if Q < d. Otherwise prologue and
// epilogue have d - 1 each and the kernel has Q - d + 1. Source: [Calmant] 2.4.
TEST(PacketsOfIteration, fill_prologue_kernel_and_epilogue_of_the_paper) {
  for (int d = 1; d <= 6; ++d) {
    for (std::size_t q = 1; q <= 9; ++q) {
      const auto dimensions = first_dimensions(d);
      const std::size_t widest = std::min(q, dimensions.size());
      const std::size_t kernel = std::max(q, dimensions.size()) - widest + 1;
      const std::size_t iterations = iteration_count(dimensions.size(), q);
      ASSERT_EQ(iterations, 2 * (widest - 1) + kernel);
      for (std::size_t k = 0; k < iterations; ++k) {
        const std::size_t expected = std::min({widest, k + 1, iterations - k});
        EXPECT_EQ(packets_of_iteration(dimensions, q, k).size(), expected) << d << ' ' << q << ' ' << k;
      }
    }
  }
}

TEST(PacketsOfIteration, bring_every_packet_once_and_in_its_iteration) {
  const std::vector<int> jacobi{0, 1, 0, 2, 0, 1, 0};
  for (std::size_t q = 1; q <= 9; ++q) {
    std::set<std::pair<std::size_t, std::size_t>> seen;
    for (std::size_t k = 0; k < iteration_count(jacobi.size(), q); ++k) {
      for (const StagePacket& packet : packets_of_iteration(jacobi, q, k)) {
        EXPECT_EQ(iteration_of(packet), k);
        EXPECT_EQ(packet.dimension, jacobi[packet.stage]);
        EXPECT_TRUE(seen.insert({packet.stage, packet.index}).second);
      }
    }
    EXPECT_EQ(seen.size(), jacobi.size() * q);
  }
}

TEST(IterationCount, is_0_without_stages_and_refuses_0_packets) {
  EXPECT_EQ(iteration_count(0, 5), 0);
  const std::string complaint = "packet count 0: a stage is cut in at least 1 packet";
  EXPECT_EQ(message_of([] { iteration_count(3, 0); }), complaint);
  EXPECT_EQ(message_of([] { packets_of_iteration(first_dimensions(3), 0, 0); }), complaint);
}

TEST(ShareOf, cuts_a_vector_in_ranges_that_follow_each_other) {
  for (std::size_t items = 0; items <= 20; ++items) {
    for (std::size_t q = 1; q <= 25; ++q) {
      std::size_t next = 0;
      for (std::size_t p = 0; p < q; ++p) {
        const ItemRange share = share_of({0, 0, p, q}, items);
        EXPECT_EQ(share.begin, next);
        EXPECT_EQ(share.size(), items / q + (p < items % q ? 1 : 0));
        next = share.end;
      }
      EXPECT_EQ(next, items);
    }
  }
}

}  // namespace
}  // namespace cubefold
