#include "schedule/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "exchange/cc_cube.hpp"
#include "schedule/messages.hpp"
#include "support/pairwise_exchange.hpp"

namespace cubefold {
namespace {

/// Builds a complete exchange in which rank 0 gathers the blocks of all other ranks before it sends them on.
Schedule by_way_of_rank_0(std::uint32_t rank_count) {
  Schedule schedule{rank_count, {}};
  for (std::uint32_t r = 1; r < rank_count; ++r) {
    Message& gathered = schedule.steps.emplace_back().emplace_back(Message{Rank{r}, Rank{0}, {}});
    for (std::uint32_t j = 0; j < rank_count; ++j) {
      if (j != r) gathered.blocks.push_back(block(r, j));
    }
  }
  for (std::uint32_t r = 1; r < rank_count; ++r) {
    Message& scattered = schedule.steps.emplace_back().emplace_back(Message{Rank{0}, Rank{r}, {}});
    for (std::uint32_t j = 0; j < rank_count; ++j) {
      if (j != r) scattered.blocks.push_back(block(j, r));
    }
  }
  return schedule;
}

/// Returns what peak_scratch_blocks() returns. Keeps the set of foreign blocks before and after each step.
ScratchPeak peak_by_sets(const Schedule& schedule, Rank rank) {
  ScratchPeak peak{0, 0};
  std::set<std::pair<Rank, Rank>> held;
  for (const Step& step : schedule.steps) {
    auto with_arriving = held;
    auto after = held;
    for (const Message& message : step) {
      for (const Block& moved : message.blocks) {
        if (moved.source == rank || moved.destination == rank) continue;
        if (message.from == rank) after.erase({moved.source, moved.destination});
        if (message.to != rank) continue;
        with_arriving.insert({moved.source, moved.destination});
        after.insert({moved.source, moved.destination});
      }
    }
    held = after;
    peak.within_steps = std::max(peak.within_steps, with_arriving.size());
    peak.between_steps = std::max(peak.between_steps, held.size());
  }
  return peak;
}

TEST(PeakScratchBlocks, are_none_where_every_block_travels_once) {
  EXPECT_EQ(peak_scratch_blocks(pairwise_exchange(4)), std::vector<ScratchPeak>(16, {0, 0}));
}

TEST(PeakScratchBlocks, of_the_cc_cube_exchange_follow_from_the_bits_that_are_crossed) {
  // After stage i a rank holds the blocks whose source agrees with it in bit i + 1 and above and whose destination
  // agrees with it in the bits 0 to i. 2^d - 2^(d-i-1) - 2^(i+1) + 1 of these blocks are foreign.
  for (int d = 1; d <= 8; ++d) {
    std::int64_t most = 0;
    for (int i = 0; i < d; ++i) {
      most = std::max(most,
                      (std::int64_t{1} << d) - (std::int64_t{1} << (d - i - 1)) - (std::int64_t{2} << i) + 1);
    }
    for (const ScratchPeak& peak : peak_scratch_blocks(cc_cube_exchange(d))) {
      EXPECT_EQ(peak.between_steps, static_cast<std::size_t>(most)) << d;
    }
  }
}

TEST(PeakScratchBlocks, of_a_rank_by_which_all_others_send_are_all_blocks_of_others) {
  const auto peaks = peak_scratch_blocks(by_way_of_rank_0(5));
  EXPECT_EQ(peaks[0], (ScratchPeak{4 * 3, 4 * 3}));
  for (std::size_t r = 1; r < 5; ++r) EXPECT_EQ(peaks[r], (ScratchPeak{0, 0}));
}

TEST(PeakScratchBlocks, within_a_step_count_what_arrives_beside_what_has_not_left) {
  // Rank 1 passes on the block 0 -> 2 while it receives the block 2 -> 0.
  const Schedule schedule{3,
                          {{{Rank{0}, Rank{1}, {block(0, 2)}}},
                           {{Rank{1}, Rank{2}, {block(0, 2)}}, {Rank{2}, Rank{1}, {block(2, 0)}}},
                           {{Rank{1}, Rank{0}, {block(2, 0)}}}}};
  EXPECT_EQ(peak_scratch_blocks(schedule)[1], (ScratchPeak{1, 2}));
}

TEST(PeakScratchBlocks, are_those_of_the_sets_of_blocks_themselves) {
  for (const Schedule& schedule :
       {cc_cube_exchange(1), cc_cube_exchange(3), cc_cube_exchange(5), by_way_of_rank_0(6)}) {
    const auto peaks = peak_scratch_blocks(schedule);
    for (std::uint32_t r = 0; r < schedule.rank_count; ++r) {
      EXPECT_EQ(peaks[r], peak_by_sets(schedule, Rank{r})) << schedule.rank_count << " ranks, rank " << r;
    }
  }
}

TEST(PeakScratchBlocks, of_one_rank_follow_from_its_part_alone) {
  for (const Schedule& schedule : {cc_cube_exchange(4), pairwise_exchange(3), by_way_of_rank_0(7)}) {
    const auto peaks = peak_scratch_blocks(schedule);
    for (std::uint32_t r = 0; r < schedule.rank_count; ++r) {
      EXPECT_EQ(peak_scratch_blocks(part_of(schedule, Rank{r}), Rank{r}), peaks[r]);
      EXPECT_EQ(peak_scratch_blocks(schedule, Rank{r}), peaks[r]);
    }
  }
}

}  // namespace
}  // namespace cubefold
