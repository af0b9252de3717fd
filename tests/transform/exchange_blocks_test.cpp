#include "transform/block_geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "lowered_run.hpp"
#include "transform/layouts.hpp"

namespace cubefold::fft {
namespace {

constexpr Spread spreads_over_processes[] = {Spread::block, Spread::cyclic, Spread::conjugate_pairs};

IndexDimension over(IndexDimension dimension, Spread spread, int axis = 0) {
  dimension.spread = spread;
  dimension.axis = axis;
  return dimension;
}

std::vector<ExchangeStage> small_exchanges() {
  std::vector<ExchangeStage> stages;
  for (const std::size_t members : {1U, 2U, 3U, 4U, 5U}) {
    const std::vector<std::size_t> one{members};
    for (const Spread from : spreads_over_processes) {
      for (const Spread to : spreads_over_processes) {
        for (std::size_t high = 1; high <= 9; high += 2) {
          for (std::size_t low = 1; low <= 9; ++low) {
            const IndexDimension a{high, low};
            const IndexDimension b{low, 1};
            stages.push_back({{{over(a, from), b}, one}, {{a, over(b, to)}, one}});
            stages.push_back({{{over(a, from), b}, one}, {{over(b, to), a}, one}});
            stages.push_back({{{b, over(a, from)}, one}, {{b, over(a, to)}, one}});
          }
        }
        const std::vector<std::size_t> two{3, members};
        const IndexDimension a{5, 12};
        const IndexDimension b{4, 3, Spread::block, 0};
        const IndexDimension c{3, 1};
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
  std::size_t form = 0;
  for (const ExchangeStage& stage : small_exchanges()) {
    Numbers indices(stage.before.index_count());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<long double>(i);
    const Program program{stage.before, {stage}, stage.after};
    const auto after = run_lowered(program, lowered_forms[form++ % 4], dealt(indices, stage.before));
    ASSERT_TRUE(is_equal(after, dealt(indices, stage.after)))
        << to_string(stage.before) << " to " << to_string(stage.after);
  }
}

/// Returns how many points the process has for each member of the stage's axis.
std::vector<std::size_t> counts_for_members(const ExchangeStage& stage, const Layout::Members& members) {
  std::vector<std::size_t> counts(stage.before.axis_members()[std::size_t(stage.axis)]);
  for (std::size_t place = 0; place < stage.before.local_count(members); ++place)
    ++counts[stage.after.owner(stage.before.point_at(members, place))[std::size_t(stage.axis)]];
  return counts;
}

TEST(ExchangeBlocks, are_as_large_as_the_largest_and_count_what_leaves) {
  for (const ExchangeStage& stage : small_exchanges()) {
    std::size_t largest = 0;
    std::size_t most_sent = 0;
    for (const auto& members : all_members(stage.before.axis_members())) {
      const auto counts = counts_for_members(stage, members);
      const std::size_t own = counts[members[std::size_t(stage.axis)]];
      largest = std::max(largest, *std::max_element(counts.begin(), counts.end()));
      most_sent = std::max(most_sent, stage.before.local_count(members) - own);
    }
    ASSERT_EQ(sent_count(stage), most_sent) << to_string(stage.before) << " to " << to_string(stage.after);
    ASSERT_GE(block_count(stage), largest);
    const bool of_pairs = to_string(stage.before).find("conjugate") != std::string::npos ||
                          to_string(stage.after).find("conjugate") != std::string::npos;
    if (!of_pairs) {
      ASSERT_EQ(block_count(stage), largest) << to_string(stage.before) << to_string(stage.after);
    }
  }
}

TEST(ExchangeBlocks, have_the_points_that_a_sender_and_a_receiver_share) {
  // A matrix of 8 x 12 points over 4 processes goes from blocks of 2 rows to blocks of 3 columns.
  const ExchangeStage columns{{{{8, 12, Spread::block}, {12, 1}}, {4}},
                              {{{8, 12}, {12, 1, Spread::block}}, {4}}};
  EXPECT_EQ(block_count(columns), 6U);
  EXPECT_EQ(sent_count(columns), 18U);
}

}  // namespace
}  // namespace cubefold::fft
