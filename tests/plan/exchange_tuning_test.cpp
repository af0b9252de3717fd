#include "plan/exchange_tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(ExchangeTuning, chooses_the_fastest_candidate_by_calls_in_turn) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 2);
  EXPECT_EQ(calls_of(tuning, {0.12, 0.1, 0.11}), (std::vector<std::size_t>{0, 1, 2, 1, 2, 0, 2, 0, 1}));
  EXPECT_TRUE(tuning.is_chosen());
  EXPECT_EQ(tuning.next(), 1U);
  EXPECT_EQ(tuning.best(), 1U);
  EXPECT_EQ(tuning.text(), "b, fastest of up to 2 calls of each; a 120 ms; b 100 ms; c 110 ms");
}

TEST(ExchangeTuning, goes_on_with_short_exchanges_until_their_times_are_certain) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  EXPECT_EQ(calls_of(tuning, {1e-4, 1.1e-4}).size(), 2 * (1 + ExchangeTuning::most_rounds));
  EXPECT_EQ(tuning.next(), 0U);
}

TEST(ExchangeTuning, does_not_count_the_first_calls) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 1);
  tuning.record(0.3);
  tuning.record(0.9);
  EXPECT_EQ(tuning.median_seconds(1), std::nullopt);
  EXPECT_EQ(tuning.best(), 0U) << "the baseline is the best while nothing is known";
  tuning.record(0.2);
  tuning.record(0.3);
  EXPECT_EQ(tuning.next(), 1U);
  EXPECT_EQ(tuning.median_seconds(1), 0.2);
}

TEST(ExchangeTuning, leaves_out_what_is_predicted_to_take_twice_as_long_as_the_first_call_of_the_baseline) {
  ExchangeTuning tuning({{"a"}, {"b", 2.1}, {"c", 1.9}}, 1);
  EXPECT_EQ(calls_of(tuning, {1, 100, 0.9}), (std::vector<std::size_t>{0, 2, 2, 0}));
  EXPECT_EQ(tuning.text(), "c, fastest of up to 1 calls of each; a 1000 ms; c 900 ms; left out: b");
}

TEST(ExchangeTuning, calls_no_candidate_again_that_took_much_longer_than_the_fastest_first_call) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 1);
  EXPECT_EQ(calls_of(tuning, {1, 4.1, 0.9}), (std::vector<std::size_t>{0, 1, 2, 2, 0}));
}

TEST(ExchangeTuning, leaves_out_what_is_slower_by_half_once_the_least_rounds_have_been_counted) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 4);
  const auto calls = calls_of(tuning, {1.6e-4, 1e-4, 1.1e-4});
  EXPECT_EQ(std::count(calls.begin(), calls.end(), 0U), 1 + 4);
  EXPECT_EQ(std::count(calls.begin(), calls.end(), 2U), 1 + ExchangeTuning::most_rounds);
  EXPECT_EQ(tuning.next(), 1U);
}

TEST(ExchangeTuning, calls_no_candidate_a_third_time_that_took_twice_as_long_in_both_calls) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 2);
  for (const double seconds : {1.0, 3.9, 3.9}) tuning.record(seconds);
  EXPECT_EQ(calls_of(tuning, {1, 2.1, 1.9}), (std::vector<std::size_t>{1, 2, 0, 2, 0}));
  EXPECT_EQ(tuning.next(), 0U);
}

TEST(ExchangeTuning, leaves_out_the_baseline_too_if_it_takes_twice_as_long) {
  ExchangeTuning tuning({{"a"}, {"b"}, {"c"}}, 1);
  EXPECT_EQ(calls_of(tuning, {2.1, 1, 1.1}), (std::vector<std::size_t>{0, 1, 2, 1, 2, 0}));
  EXPECT_EQ(tuning.median_seconds(0), 2.1);
  EXPECT_EQ(tuning.next(), 1U);
}

TEST(ExchangeTuning, leaves_out_nobody_for_a_single_slow_call) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  for (const double seconds : {1.0, 0.9}) tuning.record(seconds);
  for (const double seconds : {5.0, 1.0}) tuning.record(seconds);
  EXPECT_EQ(calls_of(tuning, {1, 0.9}).size(), 4U);
  EXPECT_EQ(tuning.next(), 1U);
}

// A short exchange is measured in 25 rounds. In one of them the call of b is slow.
TEST(ExchangeTuning, goes_on_with_a_candidate_whose_first_counted_call_was_slow) {
  for (const std::size_t least_rounds : {1U, 2U}) {
    ExchangeTuning tuning({{"a"}, {"b"}}, least_rounds);
    for (const double seconds : {1e-4, 0.9e-4}) tuning.record(seconds);
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

// Candidate a had one short call, as an exchange may have that mostly loses packets. Candidate b takes longer by half
// than this call.
TEST(ExchangeTuning, compares_with_the_least_median_and_not_with_a_single_short_call) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 3);
  record_until_chosen(tuning, {{4, 1, 4, 4}, {1.6, 1.6, 1.6, 1.6}});
  EXPECT_EQ(tuning.next(), 1U);
}

TEST(ExchangeTuning, favours_no_candidate_in_a_program_whose_calls_take_turns) {
  ExchangeTuning tuning({{"a"}, {"b"}}, 4);
  for (int call = 0; !tuning.is_chosen(); ++call)
    tuning.record((call % 2 == 0 ? 1 : 1.2) + (tuning.next() == 1 ? 0 : 0.1));
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
  for (const double seconds : {1.0, 1.0, 1.0, 1.0}) tuning.record(seconds);
  tuning.leave_out(1);
  EXPECT_EQ(calls_of(tuning, {9, 0, 8}), (std::vector<std::size_t>{2, 0}));
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
  for (const double seconds : {1.0, 1.0, 2.0}) tuning.record(seconds);
  EXPECT_EQ(tuning.text(), "measuring; the next call uses a; up to 1 calls of each so far; b 2000 ms");
}

TEST(ExchangeTuning, needs_candidates_and_rounds) {
  EXPECT_EQ(message_of([] { ExchangeTuning({}, 3); }), "ExchangeTuning: there are no candidates");
  EXPECT_EQ(message_of([] { ExchangeTuning({{"a"}}, 0); }), "ExchangeTuning: 0 rounds measure nothing");
}

}  // namespace
}  // namespace cubefold
