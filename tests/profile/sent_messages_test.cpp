#include "profile/sent_messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/plan/phase.hpp"

namespace cubefold::profile {
namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST(DoublingReceivers, are_those_of_the_planner_for_any_number_of_ranks) {
  for (std::size_t count = 2; count <= 33; ++count) {
    Pairs planned;
    for (const Phase& phase : parse_phases("allreduce", count))
      for (const Traffic& sent : phase.traffic) planned.emplace_back(label(sent.from), label(sent.to));
    Pairs noted;
    for (int rank = 0; rank < static_cast<int>(count); ++rank)
      for (const int to : doubling_receivers(rank, static_cast<int>(count))) noted.emplace_back(rank, to);
    std::sort(planned.begin(), planned.end());
    std::sort(noted.begin(), noted.end());
    EXPECT_EQ(noted, planned) << count << " ranks";
  }
}

TEST(SentMessages, share_a_row_if_they_are_alike_and_evenly_apart) {
  SentMessages sent;
  const std::size_t phase = sent.phase("a");
  EXPECT_EQ(sent.phase("a"), phase);
  for (const int to : {9, 1, 5, 6, 7}) sent.add(phase, to, {1, 8});
  sent.add(phase, 7, {1, 8});
  sent.add(sent.phase("b"), 2, {3, 0});
  EXPECT_EQ(sent.rows(4),
            (std::vector<std::string>{",\n[\"a\", 4, 1, 2, 4, 1, 8]", ",\n[\"a\", 4, 6, 1, 1, 1, 8]",
                                      ",\n[\"a\", 4, 7, 1, 1, 2, 16]", ",\n[\"a\", 4, 9, 1, 1, 1, 8]",
                                      ",\n[\"b\", 4, 2, 1, 1, 3, 0]"}));
}

}  // namespace
}  // namespace cubefold::profile
