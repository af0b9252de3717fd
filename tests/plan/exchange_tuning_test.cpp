#include "plan/exchange_tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

/// Performs calls whose candidates take the given seconds, until a candidate is chosen, and returns the candidates of
/// the calls in order.
std::vector<std::size_t> calls_of(ExchangeTuning& tuning, const std::vector<double>& seconds) {
  std::vector<std::size_t> calls;
  while (!tuning.is_chosen() && calls.size() < 1000) {
    calls.push_back(tuning.next());
    tuning.record(seconds[tuning.next()]);
  }
  return calls;
}

/// Performs calls until a candidate is chosen. The seconds of each candidate are those of its calls in order.
void record_until_chosen(ExchangeTuning& tuning, const std::vector<std::vector<double>>& seconds) {
  std::vector<std::size_t> calls(seconds.size(), 0);
  while (!tuning.is_chosen()) {
    const std::size_t next = tuning.next();
    tuning.record(seconds[next].at(calls[next]++));
  }
}

TEST(ExchangeTuning, counts_the_baseline_before_it_tries_others_and_then_those_with_the_fewest_calls) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 2);
  EXPECT_EQ(calls_of(tuning, {0.101, 0.1, 0.102}), (std::vector<std::size_t>{0, 1, 0, 2, 1, 1, 0, 2}));
  EXPECT_TRUE(tuning.is_chosen());
  EXPECT_EQ(tuning.next(), 1U);
  EXPECT_EQ(tuning.best(), 1U);
  EXPECT_EQ(tuning.text(), "b, fastest of up to 2 calls of each; a 101 ms; b 100 ms; c 102 ms");
}

TEST(ExchangeTuning, goes_on_with_short_exchanges_until_their_times_are_certain) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  EXPECT_EQ(calls_of(tuning, {1e-4, 1.02e-4}).size(), 2 * (1 + ExchangeTuning::most_rounds));
  EXPECT_EQ(tuning.next(), 0U);
}

TEST(ExchangeTuning, does_not_count_the_calls_that_make_connections) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 1);
  tuning.record(0.3);
  tuning.record(0.9);
  for (const std::size_t candidate : {0U, 1U}) EXPECT_EQ(tuning.median_seconds(candidate), std::nullopt);
  EXPECT_EQ(tuning.best(), 0U) << "the baseline is the best while nothing is known";
  tuning.record(0.3);
  tuning.record(0.25);
  EXPECT_EQ(tuning.median_seconds(2), 0.25);
  EXPECT_EQ(tuning.next(), 1U);
}

TEST(ExchangeTuning, leaves_out_what_is_predicted_to_take_half_as_long_again_as_the_shortest_call) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c", 1.6}, {"d", 1.4}}, 1);
  EXPECT_EQ(calls_of(tuning, {1, 1, 100, 0.9}), (std::vector<std::size_t>{0, 1, 0, 3, 1}));
  EXPECT_EQ(tuning.text(),
            "d, fastest of up to 1 calls of each; a 1000 ms; b 1000 ms; d 900 ms; left out: c");
}

TEST(ExchangeTuning, tries_those_with_short_predictions_and_few_blocks_first) {
  ExchangeTuning tuning(
      {{"a"}, {"b"}, {"c", 0.9}, {"d", 0.8, {2, 9}}, {"e", 0.8, {2, 8}}, {"f", 0, {}, true}}, 1);
  const auto calls = calls_of(tuning, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(std::vector(calls.begin(), calls.begin() + 7), (std::vector<std::size_t>{0, 1, 0, 4, 3, 2, 5}));
}

// A start-up takes 100 us at most, so 15 of them take 1.5 ms of the baseline's 10, and a block takes 0.57 ms.
TEST(ExchangeTuning, leaves_out_what_fewer_startups_cannot_make_faster) {
  const ExchangeLoad all{15, 15};
  ExchangeTuning tuning({{"a", 0, all}, {"b", 0, all}, {"c", 0, {6, 24}}, {"d", 0, {6, 16}}}, 1);
  EXPECT_EQ(std::ranges::count(calls_of(tuning, {1e-2, 1e-2, 1, 0.99e-2}), 2U), 0);
  EXPECT_EQ(tuning.next(), 3U);
  EXPECT_TRUE(tuning.is_left_out(2));
}

// The first exchange of few start-ups takes as long as its blocks alone would.
TEST(ExchangeTuning, learns_how_long_startups_take) {
  const ExchangeLoad all{15, 15};
  ExchangeTuning tuning({{"a", 0, all}, {"b", 0, all}, {"c", 0, {6, 24}}, {"d", 0, {4, 32}}}, 1);
  for (const double seconds : {15e-4, 15e-4, 15e-4}) tuning.record(seconds);
  EXPECT_FALSE(tuning.is_left_out(2)) << "start-ups may take all the time";
  EXPECT_EQ(tuning.next(), 2U);
  tuning.record(24e-4);
  EXPECT_TRUE(tuning.is_left_out(3));
}

TEST(ExchangeTuning, calls_no_candidate_again_that_took_more_than_twice_as_long) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 1);
  EXPECT_EQ(calls_of(tuning, {1, 0.9, 2.1}), (std::vector<std::size_t>{0, 1, 0, 2, 1}));
  EXPECT_TRUE(tuning.is_left_out(2));
}

TEST(ExchangeTuning, calls_a_candidate_again_whose_first_call_may_have_been_slow_by_chance) {
  const ExchangeLoad load{3, 3};
  ExchangeTuning tuning({{"a", 0, load}, {"b", 0, load}, {"c", 0, load}}, 3);
  record_until_chosen(tuning, {{1, 1, 1, 1, 1}, {3, 1, 1, 1, 1}, {3, 0.9, 0.9, 0.9}});
  EXPECT_EQ(tuning.next(), 2U);
  ExchangeTuning other({{"a", 0, load}, {"b", 0, load}, {"c", 0, load}}, 1);
  EXPECT_EQ(calls_of(other, {1, 4.1, 4.1}), (std::vector<std::size_t>{0, 1, 0, 2}));
}

TEST(ExchangeTuning, leaves_out_after_two_counted_calls_what_is_behind_by_more_than_the_spread) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 4);
  record_until_chosen(tuning, {{1, 1, 1, 1, 1}, {1.04, 1.04, 1.04}, {0.96, 1.04, 1.04, 1.04}});
  EXPECT_TRUE(tuning.is_left_out(1));
  EXPECT_FALSE(tuning.is_left_out(2)) << "its calls differ by more than it is behind";
  EXPECT_EQ(tuning.next(), 0U);
}

TEST(ExchangeTuning, tries_near_candidates_as_often_as_they_need_before_it_tries_far_ones_again) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 3);
  EXPECT_EQ(calls_of(tuning, {1, 1.9, 1.01}), (std::vector<std::size_t>{0, 1, 0, 2, 0, 2, 0, 2, 1, 1}));
  EXPECT_TRUE(tuning.is_left_out(1));
}

TEST(ExchangeTuning, leaves_out_the_baseline_too_if_it_takes_twice_as_long) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 1);
  EXPECT_EQ(calls_of(tuning, {2.1, 1, 1.1}), (std::vector<std::size_t>{0, 1, 0, 2, 1}));
  EXPECT_TRUE(tuning.is_left_out(0));
  EXPECT_EQ(tuning.median_seconds(0), 2.1);
  EXPECT_EQ(tuning.next(), 1U);
}

// A short exchange is measured in 6 rounds. In one of them the call of b is slow.
TEST(ExchangeTuning, goes_on_with_a_candidate_whose_first_counted_call_was_slow) {
  for (const std::size_t least_rounds : {1U, 2U}) {
    ExchangeTuning tuning({{"a"}, {"b"}}, least_rounds);
    for (const double seconds : {1e-4, 0.9e-4, 1e-4}) tuning.record(seconds);
    ASSERT_EQ(tuning.next(), 1U);
    tuning.record(5e-4);
    calls_of(tuning, {1e-4, 0.9e-4});
    EXPECT_EQ(tuning.next(), 1U) << least_rounds;
  }
}

TEST(ExchangeTuning, chooses_by_medians_and_not_by_single_calls) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  record_until_chosen(tuning, {{1.0, 1.0, 1.4, 1.4}, {1.0, 1.1, 1.1, 1.1}});
  EXPECT_EQ(tuning.next(), 1U);
}

TEST(ExchangeTuning, chooses_a_single_candidate_at_once) {
  const ExchangeTuning tuning({{"a"}}, 3);
  EXPECT_TRUE(tuning.is_chosen());
  EXPECT_EQ(tuning.text(), "a");
}

TEST(ExchangeTuning, goes_on_without_a_candidate_that_cannot_be_used) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 1);
  tuning.record(1);
  EXPECT_EQ(tuning.next(), 1U);
  tuning.leave_out(1);
  EXPECT_EQ(tuning.next(), 2U);
  tuning.leave_out(2);
  EXPECT_TRUE(tuning.is_chosen());
  EXPECT_EQ(tuning.next(), 0U);
  EXPECT_NE(message_of([&] { tuning.leave_out(0); }), "");
}

TEST(ExchangeTuning, counts_the_candidate_that_is_alone_after_the_first_calls) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  EXPECT_EQ(calls_of(tuning, {1, 4.1}), (std::vector<std::size_t>{0, 1, 0}));
  EXPECT_EQ(tuning.median_seconds(0), 1);
}

TEST(ExchangeTuning, chooses_the_candidate_that_is_alone_even_if_it_cannot_be_used) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  for (const double seconds : {1.0, 4.1}) tuning.record(seconds);
  EXPECT_FALSE(tuning.is_chosen());
  tuning.leave_out(0);
  EXPECT_TRUE(tuning.is_chosen());
  EXPECT_EQ(tuning.next(), 0U);
}

TEST(ExchangeTuning, compares_with_no_candidate_that_was_left_out) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 1);
  for (const double seconds : {1.0, 1.0, 9.0}) tuning.record(seconds);
  tuning.leave_out(1);
  EXPECT_EQ(calls_of(tuning, {9, 0, 8}), std::vector<std::size_t>{2});
  EXPECT_EQ(tuning.next(), 2U);
}

TEST(ExchangeTuning, forgets_all_when_it_starts_again) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 1);
  calls_of(tuning, {1, 2});
  tuning.restart();
  EXPECT_FALSE(tuning.is_chosen());
  calls_of(tuning, {2, 1});
  EXPECT_EQ(tuning.next(), 1U);
}

TEST(ExchangeTuning, goes_on_without_the_baseline) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 1);
  tuning.leave_out(0);
  EXPECT_EQ(calls_of(tuning, {0, 1, 2}), (std::vector<std::size_t>{1, 2, 1, 2}));
}

TEST(ExchangeTuning, takes_what_an_earlier_run_has_found) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  tuning.choose(1);
  EXPECT_TRUE(tuning.is_chosen());
  EXPECT_EQ(tuning.text(), "b");
}

TEST(ExchangeTuning, says_how_far_it_is) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  EXPECT_EQ(tuning.text(), "measuring; the next call uses a");
  for (const double seconds : {2.0, 2.0, 2.0}) tuning.record(seconds);
  EXPECT_EQ(tuning.text(), "measuring; the next call uses b; up to 1 calls of each so far; a 2000 ms");
}

TEST(ExchangeTuning, forgets_the_calls_of_a_candidate_that_is_not_what_it_was) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  for (const double seconds : {1.0, 1.5, 1.0, 1.5}) tuning.record(seconds);
  tuning.replace_times(1, std::nullopt);
  EXPECT_EQ(tuning.median_seconds(1), std::nullopt);
  calls_of(tuning, {1, 0.5});
  EXPECT_EQ(tuning.next(), 1U);
  ExchangeTuning other({{"a"}, {"b"}}, 3);
  other.replace_times(1, 0.75);
  EXPECT_EQ(other.median_seconds(1), 0.75);
}

TEST(ExchangeTuning, needs_candidates_and_rounds) {
  EXPECT_EQ(message_of([] { ExchangeTuning({}, 3); }), "ExchangeTuning: there are no candidates");
  EXPECT_EQ(message_of([] { ExchangeTuning({{"a"}}, 0); }), "ExchangeTuning: 0 rounds measure nothing");
}

}  // namespace
}  // namespace cubefold
