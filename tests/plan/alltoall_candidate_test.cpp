#include "plan/alltoall_candidate.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/measured_methods.hpp"
#include "support/alltoall_jobs.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

TEST(AlltoallCandidates, are_mpis_own_exchange_linear_and_the_best_methods) {
  for (const char* grid : {"ring:2", "line:3", "hypercube:2", "torus:2x2x2", "mesh:8x8"}) {
    for (const JobFacts& job : {job_on(grid), with_machine(job_on(grid))}) {
      const AlltoallChooser chooser(job);
      const auto blocking = names_of(candidates(job, 64));
      ASSERT_GE(blocking.size(), 2U);
      EXPECT_EQ(blocking[0], "MPI's own all-to-all");
      EXPECT_EQ(blocking[1], "linear");
      EXPECT_EQ(std::ranges::count(blocking, "linear"), 1);
      const auto overlapped = names_of(candidates(job, 64, CallKind::overlapped));
      EXPECT_EQ(overlapped, std::vector(blocking.begin() + 1, blocking.end()));
      EXPECT_LE(blocking.size(), 12U);
    }
  }
}

TEST(AlltoallCandidates, have_the_setups_of_their_plans) {
  for (const JobFacts& job : {job_on("torus:2x2x2"), with_machine(job_on("mesh:8x8"))}) {
    const AlltoallChooser chooser(job);
    for (const AlltoallCandidate& candidate : candidates(job, 64)) {
      const AlltoallSetup setup = chooser.setup_of(candidate, 64);
      EXPECT_EQ(setup.backend, candidate.backend);
      EXPECT_EQ(setup.method, candidate.method.value_or(linear));
      EXPECT_TRUE(candidate.has_no_slots_yet() || setup.sync == candidate.sync.value_or(setup.sync));
    }
  }
}

TEST(AlltoallCandidates, have_predictions_of_a_machine_file_alone) {
  const auto seconds_of = [](const JobFacts& job) {
    std::vector<double> seconds;
    for (const AlltoallCandidate& each : candidates(job, 4096)) seconds.push_back(each.predicted_seconds);
    return seconds;
  };
  const JobFacts job = job_on("mesh:8x8");
  for (const double seconds : seconds_of(job)) EXPECT_EQ(seconds, 0);
  JobFacts measured = with_machine(job);
  measured.machine->plain_exchanges = {{4096, 1, 3}};
  measured.requests.round_count = 3;
  const auto seconds = seconds_of(measured);
  EXPECT_EQ(seconds[0], 0) << "the baseline";
  EXPECT_EQ(seconds[1], 3) << "linear, by the times of the file";
  for (std::size_t i = 2; i < seconds.size(); ++i) EXPECT_GT(seconds[i], 0);
}

// A process of p sends 16 KiB in blocks of 16 KiB / (p - 1), which is where the planner's rule takes the clock.
TEST(AlltoallCandidates, have_direct_with_both_synchronisations_where_the_rule_may_be_wrong) {
  for (const char* grid : {"hypercube:2", "torus:2x2x2"}) {
    JobFacts job = job_on(grid);
    const std::size_t near = (16 << 10) / (job.placement.rank_count() - 1);
    const auto expect_other = [](const JobFacts& measured, std::size_t bytes, std::string_view other) {
      const auto names = names_of(candidates(measured, bytes));
      EXPECT_EQ(names_contain(names, "direct by clock"), other == "clock") << bytes;
      EXPECT_EQ(names_contain(names, "direct by data"), other == "data") << bytes;
    };
    job = with_machine(job);
    job.machine->alpha_seconds = 1e-7;
    job.machine->gap_seconds = 1e-7;
    job.machine->tau_seconds_per_byte = {1e-7};
    expect_other(job, near / 2, "clock");
    expect_other(job, 2 * near, "data");
    for (const std::size_t far : {near / 10, 10 * near}) expect_other(job, far, "");
  }
}

TEST(AlltoallCandidates, have_direct_at_once_and_by_the_clock_where_nothing_is_known_of_the_network) {
  const auto names_on = [](const JobFacts& job, std::size_t bytes) {
    return names_of(candidates(job, bytes));
  };
  const JobFacts job = job_on("torus:4x4");
  for (const std::size_t bytes : {256U, 1U << 20}) {
    const Names names = names_on(job, bytes);
    EXPECT_TRUE(names_contain(names, bytes == 256 ? "direct" : "direct at once"));
    for (const char* name :
         {"direct by clock", "direct at once on all ports", "direct by clock on all ports"})
      EXPECT_TRUE(names_contain(names, name)) << name;
    EXPECT_FALSE(names_contain(names_on(job_on("ring:16"), bytes), "direct by clock on all ports"))
        << "the steps of one port and of all ports are the same";
    for (const JobFacts& known : {with_machine(job), with_queues(job, Queues::lossless)})
      EXPECT_FALSE(some_contain(names_on(known, bytes), "on all ports"));
  }
}

TEST(AlltoallCandidates, by_the_clock_have_the_slots_that_calls_have_shown) {
  AlltoallCandidate candidate = parse_candidate("direct by clock on all ports");
  candidate.slot_tau_seconds = 2e-6;
  const AlltoallSetup setup = AlltoallChooser(job_on("torus:4x4")).setup_of(candidate, 4096);
  EXPECT_EQ(setup.sync, StepSync::clock);
  EXPECT_EQ(setup.network.ports, Ports::all);
  EXPECT_EQ(setup.times.seconds(4096, 0), 8 * 4096 * 2e-6) << "8 blocks on every link";
}

TEST(AlltoallCandidates, are_exchanges_of_leaders_and_of_slots_where_ranks_share_nodes) {
  for (const JobFacts& job : {even_job("ring:2", 2), even_job("torus:4x4", 4), uneven_job("torus:3x3")}) {
    const AlltoallChooser chooser(job);
    const auto names = names_of(candidates(job, 64));
    EXPECT_TRUE(some_contain(names, " between nodes"));
    EXPECT_EQ(some_contain(names, " between slots"), job.sharing->is_even());
    EXPECT_EQ(names_of(candidates(job, 64, CallKind::overlapped)), std::vector<std::string>{"linear"});
    for (const AlltoallCandidate& candidate : candidates(job, 64)) {
      const AlltoallSetup setup = chooser.setup_of(candidate, 64);
      EXPECT_EQ(setup.backend, candidate.backend);
      if (!is_between_nodes(candidate.backend)) continue;
      EXPECT_EQ(setup.between_nodes.at(0).method, *candidate.method);
    }
  }
  EXPECT_EQ(names_of(candidates(uneven_job("torus:3x3"), 64)),
            (std::vector<std::string>{"MPI's own all-to-all", "linear", "direct between nodes"}));
}

// A block of 1024 bytes is one of 16 from the 4 ranks of a node to those of another.
TEST(AlltoallCandidates, between_slots_share_the_links_of_their_nodes) {
  const JobFacts job = with_machine(even_job("torus:4x4", 4));
  const ExchangeModel model = exchange_model(*job.machine, Tie::balanced);
  const auto methods = measured_methods(job.sharing->groups(), 4 * 1024, model, 1);
  std::vector<AlltoallCandidate> slots;
  for (const auto& candidate : candidates(job, 1024))
    if (candidate.backend == Backend::slots) slots.push_back(candidate);
  ASSERT_EQ(slots.size(), methods.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    EXPECT_EQ(slots[i].method, methods[i].method);
    EXPECT_EQ(slots[i].predicted_seconds, 4 * methods[i].seconds);
  }
}

// Between leaders, blocks of 16 KiB form blocks of 256 KiB, which travel in pieces.
TEST(AlltoallCandidates, between_nodes_and_slots_have_the_setups_for_their_own_blocks) {
  const JobFacts job = with_machine(even_job("torus:4x4", 4));
  const auto setup_for = [&](std::size_t bytes) {
    return setup_of(
        plan_exchange(job.sharing->groups(), bytes, exchange_model(*job.machine, Tie::balanced), {{direct}}));
  };
  const AlltoallChooser chooser(job);
  const auto between = [&](Backend backend) {
    return chooser.setup_of({direct, 0, backend}, 16 << 10).between_nodes.at(0);
  };
  EXPECT_EQ(between(Backend::nodes), setup_for(256 << 10));
  EXPECT_EQ(between(Backend::slots), setup_for(64 << 10));
  EXPECT_NE(between(Backend::nodes), between(Backend::slots));
}

TEST(AlltoallCandidates, have_no_exchanges_between_nodes_that_share_no_memory) {
  JobFacts apart = even_job("ring:4", 2);
  apart.are_groups_on_hosts = false;
  for (const JobFacts& job : {apart, even_job("line:2", 512)}) {
    EXPECT_EQ(names_of(candidates(job, 64)), (std::vector<std::string>{"MPI's own all-to-all", "linear"}));
    EXPECT_EQ(names_for(job), mpi_alone);
  }
}

TEST(AlltoallCandidates, are_found_by_their_names) {
  for (const JobFacts& job : all_jobs()) {
    for (const JobFacts& each : {job, with_machine(job)}) {
      for (const AlltoallCandidate& candidate : candidates(each, 4096))
        EXPECT_EQ(parse_candidate(to_string(candidate)), candidate) << to_string(candidate);
    }
  }
  for (const char* name : {"direct by size", "direct with 16 steps ahead", "direct at once",
                           "bruck:4 by clock", "direct at once on all ports"})
    EXPECT_EQ(to_string(parse_candidate(name)), name);
  for (const char* name : {"", "directly", "direct ", "direct by", "direct with 17 steps ahead", "mpi"})
    EXPECT_NE(message_of([&] { parse_candidate(name); }), "") << name;
}

}  // namespace
}  // namespace cubefold
