// How blocks of unequal sizes are exchanged, and those on networks whose queues are known.

#include "plan/alltoall_choice.hpp"

#include <gtest/gtest.h>

#include "support/alltoall_jobs.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

TEST(UnequalChoice, is_left_to_measured_calls) {
  const JobFacts job = job_on("torus:2x2x2");
  Names names{"MPI's own all-to-all", "linear", "direct", "direct with 16 steps ahead", "direct at once"};
  EXPECT_EQ(names_for(job), names);
  EXPECT_EQ(AlltoallChooser(job).decide(CallKind::unequal, one_block).round_count, 3U);
  EXPECT_EQ(
      AlltoallChooser(job).rule_for(CallKind::unequal),
      "measured calls choose between: MPI's own all-to-all; linear; direct; direct with 16 steps ahead; "
      "direct at once");
  names.push_back("direct by size");
  EXPECT_EQ(names_for(with_machine(job)), names);
  for (const JobFacts& shared : {even_job("ring:4", 2), uneven_job("ring:4")}) {
    EXPECT_EQ(names_for(shared), (Names{"MPI's own all-to-all", "direct between nodes"}));
    EXPECT_EQ(AlltoallChooser(shared).decide(CallKind::unequal, one_block).round_count, 3U);
  }
}

TEST(UnequalChoice, has_setups_without_slots_of_equal_blocks) {
  for (const JobFacts& job : {job_on("torus:2x2x2"), with_machine(job_on("torus:4x4"))}) {
    const AlltoallChooser chooser(job);
    for (const AlltoallCandidate& candidate : chooser.decide(CallKind::unequal, one_block).candidates) {
      const AlltoallSetup setup = chooser.setup_of(candidate, AlltoallChooser::typical_bytes);
      EXPECT_EQ(setup.sync, StepSync::data) << to_string(candidate);
      EXPECT_EQ(setup.backend, candidate.backend);
      if (candidate.window_steps) {
        EXPECT_EQ(setup.send_window_steps, *candidate.window_steps);
      }
    }
  }
}

TEST(UnequalChoice, goes_by_size_with_a_machine_file_where_nothing_may_be_measured) {
  JobFacts job = measuring_nothing(with_machine(job_on("torus:2x2x2")));
  job.machine->tau_seconds_per_byte = {1e-5};
  EXPECT_EQ(names_for(job), (Names{"direct", "direct by size"}));
  EXPECT_EQ(AlltoallChooser(job).rule_for(CallKind::unequal), "direct by size within its limits of size");
  EXPECT_EQ(names_for(measuring_nothing(job_on("torus:2x2x2"))), mpi_alone);
}

TEST(UnequalChoice, goes_by_size_where_the_sizes_are_at_most_a_quarter_of_the_data) {
  JobFacts job = requesting(with_machine(job_on("hypercube:2")), "direct");
  const auto goes = [&](const ExchangeSizes& sizes) {
    return names_for(job, sizes).back() == "direct by size";
  };
  EXPECT_TRUE(goes({100, 256, 256}));  // 4 * 4 sizes have 64 bytes
  EXPECT_FALSE(goes({100, 255, 255}));
  EXPECT_FALSE(goes({0, 0, 0}));
  constexpr std::uint64_t uncountable = std::uint64_t{1} << 31;
  EXPECT_FALSE(goes({uncountable, 1ULL << 40, 1ULL << 40}));
  EXPECT_TRUE(goes({uncountable - 1, 1ULL << 40, 1ULL << 40}));
  job = requesting(with_machine(job_on("ring:128")), "direct");
  EXPECT_TRUE(goes({1 << 20, 1 << 30, 1 << 30}));
  job = requesting(with_machine(job_on("ring:129")), "direct");
  EXPECT_FALSE(goes({1 << 20, 1 << 30, 1 << 30})) << "too many ranks";
}

// 255 has one bit more than 100, 256 has two, 1023 has three, and 1024 has four.
TEST(UnequalChoice, sends_all_blocks_at_once_where_processes_send_little_but_one_block) {
  const auto names_linear = [](const ExchangeSizes& sizes) {
    return names_contain(names_for(job_on("torus:2x2x2"), sizes), "linear");
  };
  EXPECT_TRUE(names_linear({100, 100, 100}));
  EXPECT_TRUE(names_linear({100, 255, 255}));
  EXPECT_FALSE(names_linear({100, 256, 256}));
  EXPECT_TRUE(names_linear({100, 1023, 255}));
  EXPECT_FALSE(names_linear({100, 1023, 256}));
  EXPECT_FALSE(names_linear({100, 1024, 255}));
  EXPECT_FALSE(names_linear(many_blocks));
}

TEST(UnequalChoice, is_the_same_for_all_sizes_of_a_class) {
  EXPECT_EQ(class_of(CallKind::unequal, {10, 100, 100}), class_of(CallKind::unequal, {15, 127, 127}));
  EXPECT_NE(class_of(CallKind::unequal, {10, 100, 100}), class_of(CallKind::unequal, {10, 128, 128}));
  EXPECT_NE(class_of(CallKind::unequal, {10, 100, 100}), class_of(CallKind::unequal, {16, 100, 100}));
  EXPECT_NE(class_of(CallKind::unequal, {10, 100, 20}), class_of(CallKind::unequal, {10, 100, 100}));
  EXPECT_EQ(class_of(CallKind::blocking, {4, 8, 8}), class_of(CallKind::blocking, {7, 77, 77}));
  EXPECT_NE(class_of(CallKind::blocking, {4, 8, 8}), class_of(CallKind::overlapped, {4, 8, 8}));
}

TEST(UnequalChoice, obeys_requests) {
  const JobFacts job = even_job("ring:4", 2);
  EXPECT_EQ(names_for(requesting(job, "mpi")), mpi_alone);
  EXPECT_EQ(names_for(requesting(job, "direct")), mpi_alone);
  for (const auto& [method, leaders] : {std::pair("direct", "direct"), std::pair("linear", "linear"),
                                        std::pair("axes", "direct")}) {  // axes forwards blocks
    const JobFacts asked = requesting(job, std::string("nodes:") + method);
    EXPECT_EQ(names_for(asked), (Names{"MPI's own all-to-all", std::string(leaders) + " between nodes"}));
    EXPECT_EQ(AlltoallChooser(asked).decide(CallKind::unequal, one_block).round_count, 0U);
  }
  EXPECT_EQ(names_for(requesting(job_on("ring:4"), "direct")), Names{"direct"});
}

TEST(TypedChoice, compares_what_needs_no_sizes_of_other_processes) {
  const auto names = [](const JobFacts& job) {
    return names_of(AlltoallChooser(job).decide(CallKind::typed, one_block).candidates);
  };
  const Names measured{"MPI's own all-to-all", "direct", "direct with 16 steps ahead", "direct at once"};
  EXPECT_EQ(names(job_on("torus:2x2x2")), measured);
  EXPECT_EQ(names(with_machine(job_on("torus:2x2x2"))), measured);
  EXPECT_EQ(names(even_job("ring:4", 2)), (Names{"MPI's own all-to-all", "linear at once"}));
  EXPECT_EQ(names(requesting(even_job("ring:4", 2), "nodes:direct")),
            (Names{"MPI's own all-to-all", "linear at once"}));
  EXPECT_EQ(names(requesting(job_on("ring:4"), "direct")), Names{"direct"});
  for (const JobFacts& job : {measuring_nothing(job_on("torus:2x2x2")), requesting(job_on("ring:4"), "mpi"),
                              requesting(even_job("ring:4", 2), "direct")})
    EXPECT_EQ(names(job), mpi_alone);
}

TEST(TypedChoice, has_the_classes_of_unequal_blocks) {
  EXPECT_EQ(class_of(CallKind::typed, {10, 100, 100}), class_of(CallKind::typed, {15, 127, 127}));
  EXPECT_NE(class_of(CallKind::typed, {10, 100, 100}), class_of(CallKind::typed, {10, 128, 128}));
  EXPECT_NE(class_of(CallKind::typed, {10, 100, 100}), class_of(CallKind::unequal, {10, 100, 100}));
}

TEST(MostlyEmpty, blocks_are_at_most_a_third_of_all) {
  EXPECT_TRUE(are_mostly_empty(16, 5));
  EXPECT_FALSE(are_mostly_empty(16, 6));
  EXPECT_TRUE(are_mostly_empty(3, 1));
  EXPECT_FALSE(are_mostly_empty(2, 1));
}

TEST(LosslessNetworks, are_known_from_the_user_or_else_from_the_machine_file) {
  JobFacts job = with_machine(job_on("ring:4"));
  EXPECT_EQ(job.queues(), Queues::unknown);
  job.machine->queues = Queues::lossless;
  EXPECT_EQ(job.queues(), Queues::lossless);
  job.requests.queues = Queues::lossy;
  EXPECT_EQ(job.queues(), Queues::lossy);
  EXPECT_EQ(parse_requests("", "", "lossless").queues, Queues::lossless);
  EXPECT_EQ(parse_requests("", "", "").queues, Queues::unknown);
  EXPECT_EQ(message_of([] { parse_requests("", "", "none"); }),
            "CUBEFOLD_QUEUES: unknown kind of queues 'none'; known: unknown, lossless, lossy");
}

// Exchanges that post everything at once in the order of the schedule need no clock, no window and no pieces.
TEST(LosslessNetworks, post_everything_at_once) {
  for (const JobFacts& job : {job_on("torus:4x4"), with_machine(job_on("torus:2x2x2"))}) {
    const AlltoallChooser chooser(with_queues(job, Queues::lossless));
    for (const CallKind kind : {CallKind::blocking, CallKind::overlapped, CallKind::unequal}) {
      for (const AlltoallCandidate& candidate :
           chooser.decide(kind, {1 << 17, 1 << 24, 1 << 24}).candidates) {
        if (candidate.backend != Backend::schedule) continue;
        const AlltoallSetup setup = chooser.setup_of(candidate, 1 << 17);
        EXPECT_EQ(setup.sync, StepSync::data) << to_string(candidate);
        EXPECT_EQ(setup.piece_bytes, 0U);
        EXPECT_EQ(setup.send_window_steps, unlimited_steps);
        EXPECT_FALSE(candidate.sync) << "the clock is no candidate";
      }
    }
  }
}

TEST(LosslessNetworks, carry_blocks_alone_if_their_copies_take_longer_than_the_gaps_of_messages) {
  EXPECT_EQ(least_single_block_bytes(0), 8571U);
  JobFacts job = with_queues(with_machine(job_on("ring:4")), Queues::lossless);
  const auto least = [&](double gap_seconds) {
    job.machine->gap_seconds = gap_seconds;
    return AlltoallChooser(job).setup_of(parse_candidate("direct"), 1 << 16).single_block_bytes;
  };
  EXPECT_EQ(least(0.7e-6), 20'000U);
  EXPECT_EQ(least(0), 8571U);
  EXPECT_EQ(least_single_block_bytes(0.7e-6, 10e9), 10'000U);
  job = with_queues(job, Queues::lossy);
  EXPECT_EQ(least(0.7e-6), AlltoallSetup::never);
}

TEST(LosslessNetworks, are_tried_like_lossy_ones_where_queues_are_unknown) {
  const JobFacts job = job_on("torus:4x4");
  const auto names = [&](Queues queues) { return names_of(candidates(with_queues(job, queues), 1 << 16)); };
  EXPECT_TRUE(names_contain(names(Queues::unknown), "direct"));
  EXPECT_TRUE(names_contain(names(Queues::unknown), "direct at once"));
  EXPECT_FALSE(names_contain(names(Queues::lossy), "direct at once"));
  EXPECT_FALSE(names_contain(names(Queues::lossless), "direct at once")) << "direct posts everything at once";
  EXPECT_EQ(names_for(with_queues(job, Queues::lossless)),
            (Names{"MPI's own all-to-all", "linear", "direct at once"}));
  const AlltoallChooser chooser(with_queues(job, Queues::lossy));
  EXPECT_LT(chooser.setup_of(parse_candidate("direct"), 1 << 16).send_window_steps, unlimited_steps);
}

}  // namespace
}  // namespace cubefold
