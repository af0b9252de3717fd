#include "cubefold/fft/exchange_blocks.hpp"

#include <gtest/gtest.h>

#include "cubefold/fft/layouts.hpp"
#include "serial_interpreter.hpp"

namespace cubefold::fft {
namespace {

constexpr Spread spreads[] = {Spread::block, Spread::cyclic, Spread::mirrored};

Digit over(Digit digit, Spread spread, int axis = 0) {
  digit.spread = spread;
  digit.axis = axis;
  return digit;
}

std::vector<ExchangeStage> small_exchanges() {
  std::vector<ExchangeStage> stages;
  for (const std::size_t members : {1U, 2U, 3U, 4U, 5U}) {
    const std::vector<std::size_t> one{members};
    for (const Spread from : spreads) {
      for (const Spread to : spreads) {
        for (std::size_t high = 1; high <= 9; high += 2) {
          for (std::size_t low = 1; low <= 9; ++low) {
            const Digit a{high, low};
            const Digit b{low, 1};
            stages.push_back({{{over(a, from), b}, one}, {{a, over(b, to)}, one}});
            stages.push_back({{{over(a, from), b}, one}, {{over(b, to), a}, one}});
            stages.push_back({{{b, over(a, from)}, one}, {{b, over(a, to)}, one}});
          }
        }
        const std::vector<std::size_t> two{3, members};
        const Digit a{5, 12};
        const Digit b{4, 3, Spread::block, 0};
        const Digit c{3, 1};
        stages.push_back({{{over(a, from, 1), b, c}, two}, {{b, a, over(c, to, 1)}, two}, 1});
      }
    }
  }
  return stages;
}

bool is_equal(const Memories& a, const Memories& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

TEST(ExchangeBlocks, bring_every_index_to_its_place) {
  for (const ExchangeStage& stage : small_exchanges()) {
    Numbers indices(stage.before.index_count());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<long double>(i);
    ASSERT_TRUE(is_equal(after_exchange(stage, dealt(indices, stage.before)), dealt(indices, stage.after)))
        << to_string(stage.before) << " to " << to_string(stage.after);
  }
}

std::size_t count_of(const std::vector<Box>& boxes) {
  std::size_t count = 0;
  for (const Box& box : boxes) count += box.count();
  return count;
}

TEST(ExchangeBlocks, are_as_large_as_the_largest_and_count_what_leaves) {
  for (const ExchangeStage& stage : small_exchanges()) {
    std::size_t largest = 0;
    std::size_t most_sent = 0;
    for (const auto& members : all_members(stage.before.axis_members())) {
      std::size_t sent = 0;
      for (std::size_t peer = 0; peer < stage.before.axis_members()[std::size_t(stage.axis)]; ++peer) {
        const std::size_t count = count_of(sent_boxes(stage, members, peer));
        largest = std::max(largest, count);
        if (peer != members[std::size_t(stage.axis)]) sent += count;
      }
      most_sent = std::max(most_sent, sent);
    }
    ASSERT_EQ(sent_count(stage), most_sent) << to_string(stage.before) << " to " << to_string(stage.after);
    ASSERT_GE(block_count(stage), largest);
    const bool of_mirrored = to_string(stage.before).find("mirrored") != std::string::npos ||
                             to_string(stage.after).find("mirrored") != std::string::npos;
    if (!of_mirrored) {
      ASSERT_EQ(block_count(stage), largest) << to_string(stage.before) << to_string(stage.after);
    }
  }
}

TEST(ExchangeBlocks, are_one_stretch_where_memory_order_allows) {
  // Rows of a 8 x 12 matrix in blocks over 4 become columns: 2 rows from each, 3 columns to each.
  const ExchangeStage columns{{{{8, 12, Spread::block}, {12, 1}}, {4}},
                              {{{8, 12}, {12, 1, Spread::block}}, {4}}};
  EXPECT_EQ(block_count(columns), 6U);
  EXPECT_EQ(sent_count(columns), 18U);
  EXPECT_EQ(sent_boxes(columns, {1}, 2), (std::vector<Box>{{6, 0, {{2, 12, 3}, {3, 1, 1}}}}));
  EXPECT_EQ(received_boxes(columns, {2}, 1), (std::vector<Box>{{6, 0, {{6, 1, 1}}}}));
}

TEST(ExchangeBlocks, are_in_two_stretches_from_mirrored_rows) {
  const ExchangeStage stage{{{{2, 12}, {12, 1, Spread::mirrored}}, {3}},
                            {{{2, 12, Spread::block}, {12, 1}}, {3}}};
  EXPECT_EQ(sent_boxes(stage, {1}, 0), (std::vector<Box>{{0, 0, {{2, 1, 1}}}, {2, 2, {{2, 1, 1}}}}));
  EXPECT_EQ(received_boxes(stage, {0}, 1), (std::vector<Box>{{2, 0, {{2, 1, 1}}}, {9, 2, {{2, 1, 1}}}}));
}

TEST(ExchangeBlocks, are_missing_where_nothing_goes) {
  const ExchangeStage stage{{{{5, 1, Spread::block}}, {4}}, {{{5, 1, Spread::cyclic}}, {4}}};
  EXPECT_TRUE(sent_boxes(stage, {3}, 0).empty());  // has no points
  EXPECT_TRUE(sent_boxes(stage, {0}, 3).empty());  // 0 and 1 are not for 3
  EXPECT_EQ(sent_boxes(stage, {1}, 3), (std::vector<Box>{{1, 0, {}}}));
}

}  // namespace
}  // namespace cubefold::fft
