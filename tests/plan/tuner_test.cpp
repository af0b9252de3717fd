#include "plan/tuner.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cubefold {
namespace {

const AlltoallCandidate theirs = parse_candidate("MPI's own all-to-all");
const AlltoallCandidate ours = parse_candidate("direct");
const AlltoallCandidate by_size = parse_candidate("direct by size");

Tuner measuring(CallKind kind, std::size_t round_count = 3) {
  return {kind, {{theirs, ours}, round_count}};
}

/// Makes calls with these bytes, of which the candidates take so long, until no call is measured, and returns the
/// candidate of the next call.
AlltoallCandidate chosen(Tuner& tuner, std::uint64_t bytes, double of_mpi, double of_others) {
  while (tuner.measures(bytes)) tuner.record(tuner.next(bytes).candidate == 0 ? of_mpi : of_others);
  return tuner.candidates()[tuner.next(bytes).candidate];
}

TEST(Tuner, takes_the_last_candidate_of_a_rule) {
  Tuner tuner(CallKind::unequal, {{theirs, ours, by_size}, 0, "the rule"});
  EXPECT_TRUE(tuner.is_decided());
  EXPECT_FALSE(tuner.measures(10));
  EXPECT_EQ(tuner.next(10).candidate, 2U);
  EXPECT_FALSE(tuner.next(10).is_measured);
  EXPECT_EQ(tuner.text(), "the rule");
  EXPECT_EQ(tuner.medians(), std::nullopt);
}

TEST(Tuner, goes_on_without_candidates_for_which_there_is_no_memory) {
  for (const std::size_t round_count : {0U, 3U}) {
    Tuner tuner(CallKind::unequal, {{theirs, ours, by_size}, round_count, ""});
    std::size_t candidate = tuner.next(10).candidate;
    for (int left = 3; left > 1; --left) {
      EXPECT_TRUE(tuner.has_others());
      const std::size_t other = tuner.leave_out(candidate);
      EXPECT_NE(other, candidate);
      EXPECT_EQ(tuner.best(), other);
      candidate = other;
    }
    EXPECT_FALSE(tuner.has_others());
    EXPECT_EQ(tuner.next(10).candidate, candidate);
  }
}

TEST(Tuner, chooses_the_fastest_candidate) {
  for (const CallKind kind : {CallKind::blocking, CallKind::overlapped, CallKind::unequal}) {
    Tuner first = measuring(kind);
    EXPECT_EQ(chosen(first, 100, 1, 2), theirs);
    EXPECT_TRUE(first.text().starts_with("MPI's own all-to-all, fastest of ")) << first.text();
    Tuner second = measuring(kind);
    EXPECT_EQ(chosen(second, 100, 2, 1), ours);
    EXPECT_EQ(second.text().ends_with(" (blocks of 100 bytes)"), kind != CallKind::unequal) << second.text();
  }
}

TEST(Tuner, measures_equal_blocks_of_one_size) {
  Tuner tuner = measuring(CallKind::blocking);
  EXPECT_TRUE(tuner.next(20).is_measured);
  tuner.record(1);
  EXPECT_FALSE(tuner.next(28).is_measured);
  EXPECT_TRUE(tuner.next(20).is_measured);
  tuner.record(1);
  for (int call = 1; call < Tuner::most_others; ++call) EXPECT_FALSE(tuner.next(28).is_measured);
  EXPECT_TRUE(tuner.next(28).is_measured) << "a size that has taken the place of the first one";
  EXPECT_EQ(tuner.measured_bytes(), 28U);
}

// The candidate that is measured with more bytes takes longer, but not for each byte.
TEST(Tuner, compares_calls_of_unequal_blocks_by_the_time_of_a_byte) {
  Tuner tuner = measuring(CallKind::unequal);
  while (!tuner.is_decided()) {
    Tuner ahead = tuner;
    const bool is_ours = ahead.next(64).candidate == 1;
    EXPECT_TRUE(tuner.next(is_ours ? 127 : 64).is_measured);
    tuner.record(is_ours ? 1.2 : 1.0);
  }
  EXPECT_EQ(tuner.candidates()[tuner.best()], ours);
}

/// A tuner that has chosen direct, whose calls took 1 s where MPI's own took 1.2 s.
Tuner chosen_direct() {
  Tuner tuner = measuring(CallKind::blocking);
  EXPECT_EQ(chosen(tuner, 100, 1.2, 1),
            ours);  // also makes the first call after the choice, which is measured
  tuner.record(1);
  return tuner;
}

TEST(Tuner, checks_its_choice_in_calls_whose_number_is_a_power_of_two) {
  Tuner tuner = chosen_direct();
  for (int call = 2; call <= 64; ++call) {
    EXPECT_FALSE(tuner.next(28).is_measured) << "another size";
    const bool is_measured = tuner.next(100).is_measured;
    EXPECT_EQ(is_measured, call == 2 || call == 4 || call == 8 || call == 16 || call == 32 || call == 64)
        << call;
    if (is_measured) tuner.record(1.2);
  }
  EXPECT_EQ(tuner.candidates()[tuner.best()], ours);
}

TEST(Tuner, takes_another_candidate_after_three_calls_in_a_row_that_are_slower_than_it) {
  Tuner tuner = chosen_direct();
  for (const double seconds : {2.0, 2.0, 1.0, 2.0, 2.0}) {
    while (!tuner.next(100).is_measured) {
    }
    tuner.record(seconds);
    EXPECT_EQ(tuner.candidates()[tuner.best()], ours);
  }
  EXPECT_TRUE(tuner.next(100).is_measured) << "the call after one that was slow";
  tuner.record(2);
  EXPECT_EQ(tuner.candidates()[tuner.best()], theirs);
  EXPECT_EQ(tuner.tuning().median_seconds(1), 2.0);
  for (int call = 0; call < 3; ++call) {
    while (!tuner.next(100).is_measured) {
    }
    tuner.record(3);
  }
  EXPECT_EQ(tuner.candidates()[tuner.best()], ours) << "which is the faster one again";
}

TEST(Tuner, does_not_check_what_it_has_not_measured) {
  Tuner known = measuring(CallKind::blocking);
  known.choose(ours, "");
  Tuner rule(CallKind::blocking, {{theirs, ours}, 0, "the rule"});
  Tuner alone = measuring(CallKind::blocking);
  alone.next(100);
  alone.record(1);
  alone.leave_out(0);
  for (Tuner* tuner : {&known, &rule, &alone})
    for (int call = 0; call < 20; ++call) EXPECT_FALSE(tuner->next(100).is_measured);
}

TEST(Tuner, ignores_the_time_of_a_call_that_failed) {
  Tuner tuner = measuring(CallKind::unequal);
  const std::size_t first = tuner.next(100).candidate;
  tuner.record(std::numeric_limits<double>::infinity());
  EXPECT_EQ(tuner.next(100).candidate, first) << "the candidate is measured again";
}

// Candidates take equally long, so all of them are measured as often as possible.
TEST(Tuner, measures_the_first_ten_calls_and_then_at_most_a_tenth_of_all_calls) {
  Tuner tuner(CallKind::blocking, {{theirs, ours, by_size}, 20, ""});
  std::size_t trials = 0;
  for (std::size_t call = 1; call <= 200; ++call) {
    const bool is_measured = tuner.next(100).is_measured;
    if (is_measured) tuner.record(1e-4);
    EXPECT_TRUE(is_measured || call > 10) << call;
    trials += call > 10 && is_measured ? 1 : 0;
    EXPECT_LE(10 * trials, call);
  }
  EXPECT_EQ(trials, 20U);
  tuner.measure_every_call();
  EXPECT_TRUE(tuner.next(100).is_measured);
}

/// Candidates whose last one runs by the clock, with 10 blocks in its slots.
Tuner measuring_clock() {
  AlltoallCandidate by_clock = parse_candidate("direct by clock");
  by_clock.slot_tau_seconds = 0;
  by_clock.slot_blocks = 10;
  return {CallKind::blocking, {{theirs, ours, by_clock}, 3, ""}};
}

/// Makes a call of the next candidate with blocks of 100 bytes, and returns the end of its slots.
double end_of_slots(Tuner& tuner) {
  const AlltoallCandidate candidate = tuner.candidates()[tuner.next(100).candidate];
  return candidate.slot_tau_seconds.value_or(0) * 10 * 100;
}

TEST(Tuner, makes_slots_shorter_until_calls_take_longer) {
  Tuner tuner = measuring_clock();
  for (const double seconds : {1.0, 1.0, 1.0}) {
    EXPECT_EQ(end_of_slots(tuner), 0);
    tuner.record(seconds);
  }
  EXPECT_NEAR(end_of_slots(tuner), 0.95, 1e-9);
  tuner.record(0.95);
  EXPECT_NEAR(end_of_slots(tuner), 0.95 * 0.96, 1e-9);
  tuner.record(1.04);
  EXPECT_NEAR(*tuner.candidates()[2].slot_tau_seconds, 0.95 / 1000, 1e-12);
  EXPECT_EQ(tuner.tuning().median_seconds(2), 0.95);
}

TEST(Tuner, repeats_a_call_by_the_clock_once_that_was_late_by_chance) {
  Tuner tuner = measuring_clock();
  for (const double seconds : {1.0, 1.0, 1.0}) {
    tuner.next(100);
    tuner.record(seconds);
  }
  for (int late = 0; late < 2; ++late) {
    EXPECT_NEAR(end_of_slots(tuner), 0.95, 1e-9);
    EXPECT_EQ(tuner.tuning().next(), 2U);
    tuner.record(1.6);
  }
  EXPECT_NE(tuner.tuning().next(), 2U);
}

TEST(Tuner, tries_no_slots_that_are_shorter_than_the_distance_of_clocks) {
  Tuner tuner = measuring_clock();
  for (int call = 0; call < 3; ++call) {
    tuner.next(100);
    tuner.record(9e-3);
  }
  EXPECT_TRUE(tuner.tuning().is_left_out(2));
}

TEST(Tuner, takes_a_choice_by_the_clock_with_its_slots_only) {
  AlltoallCandidate known = parse_candidate("direct by clock");
  Tuner without = measuring_clock();
  without.choose(known, ", found");
  EXPECT_FALSE(without.is_decided());
  known.slot_tau_seconds = 3e-6;
  Tuner with_slots = measuring_clock();
  with_slots.choose(known, ", found");
  EXPECT_TRUE(with_slots.is_decided());
  EXPECT_EQ(with_slots.candidates()[with_slots.best()].slot_tau_seconds, 3e-6);
}

TEST(Tuner, takes_the_choice_of_an_earlier_run_if_that_is_a_candidate) {
  Tuner tuner = measuring(CallKind::blocking);
  tuner.choose(by_size, ", found");
  EXPECT_FALSE(tuner.is_decided());
  tuner.choose(ours, ", found");
  EXPECT_EQ(tuner.next(8).candidate, 1U);
  EXPECT_EQ(tuner.text(), "direct, found");
}

}  // namespace
}  // namespace cubefold
