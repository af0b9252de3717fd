// Rules that hold for the decision of every job: all combinations of processes, hosts, knowledge, requests and calls.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plan/alltoall_choice.hpp"
#include "support/alltoall_jobs.hpp"

namespace cubefold {
namespace {

constexpr std::uint64_t above_int = std::uint64_t{1} << 31;

/// Returns sizes of blocks: none, short and long ones, and those that are not measured.
std::vector<ExchangeSizes> all_sizes() {
  std::vector<ExchangeSizes> sizes;
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{8}, std::uint64_t{1} << 20, above_int})
    for (const std::uint64_t blocks : {1U, 64U}) sizes.push_back({bytes, blocks * bytes, blocks * bytes});
  return sizes;
}

/// Returns all ways to set the requests of a job.
std::vector<ExchangeRequests> all_requests() {
  std::vector<ExchangeRequests> result;
  for (const char* exchange : {"", "mpi", "direct", "axes", "cc-cube:3", "nodes:direct", "slots:linear"}) {
    for (const std::optional<std::size_t> rounds : {std::optional<std::size_t>(), {0}, {3}}) {
      for (const Queues queues : {Queues::unknown, Queues::lossy, Queues::lossless}) {
        ExchangeRequests requests{};
        if (*exchange != '\0') requests.exchange = parse_requested_exchange(exchange);
        requests.round_count = rounds;
        requests.queues = queues;
        result.push_back(requests);
      }
    }
  }
  return result;
}

/// Calls look(job) for every combination of processes, hosts, knowledge and requests.
void for_each_job(const std::function<void(const JobFacts&)>& look) {
  for (const JobFacts& known : all_jobs()) {
    for (const bool has_machine : {false, true}) {
      JobFacts job = has_machine ? with_machine(known) : known;
      for (const ExchangeRequests& requests : all_requests()) {
        job.requests = requests;
        for (const bool knows_network : {true, false}) {
          job.knows_network = knows_network;
          for (const std::size_t hosts : {std::size_t{1}, known.host_count}) {
            job.host_count = hosts;
            look(job);
          }
        }
      }
    }
  }
}

std::string name_of(const JobFacts& job) {
  return to_string(job.placement.grid()) + (job.sharing ? " with shared nodes" : "") + ", request '" +
         job.requests.exchange.text + "', rounds " + std::to_string(job.round_count()) + ", hosts " +
         std::to_string(job.host_count) + (job.machine ? ", machine" : "") +
         (job.knows_network ? "" : ", unknown network");
}

/// Returns the first rule that a candidate breaks, or an empty text.
std::string broken_rule(const JobFacts& job, CallKind kind, const Decision& decision,
                        const AlltoallCandidate& candidate) {
  const bool is_between = is_between_nodes(candidate.backend);
  if (std::ranges::count(decision.candidates, candidate) > 1) return "it comes twice";
  const auto has_its_name = [&](const auto& each) { return to_string(each) == to_string(candidate); };
  if (std::ranges::count_if(decision.candidates, has_its_name) > 1) return "another one has its name";
  // Choices for blocks of one size are kept in files by their names.
  if (kind != CallKind::unequal && parse_candidate(to_string(candidate)) != candidate)
    return "its name is that of another candidate";
  if ((candidate.backend == Backend::mpi) == candidate.method.has_value()) return "a method and MPI's own";
  if (is_between && !(job.sharing && job.are_groups_on_hosts))
    return "it is between nodes that nobody shares";
  if (candidate.backend == Backend::slots && !job.sharing->is_even()) return "nodes have different slots";
  if (candidate.backend == Backend::by_size && (kind != CallKind::unequal || !job.machine))
    return "it is by size without sizes or times";
  const bool overlaps = kind == CallKind::overlapped && decision.round_count > 0;
  if (overlaps && (is_between || !candidate.method)) return "it does not overlap";
  return "";
}

/// Returns the first rule that the setup of a candidate breaks, or an empty text.
std::string broken_rule(const JobFacts& job, const AlltoallCandidate& candidate, const AlltoallSetup& setup) {
  if (setup.backend != candidate.backend) return "its setup has another backend";
  if (setup.sync == StepSync::clock && !job.machine) return "it has a clock without times";
  if (is_between_nodes(candidate.backend) != !setup.between_nodes.empty()) return "nothing is between nodes";
  if (candidate.backend != Backend::schedule) return "";
  if (setup.method != *candidate.method) return "its setup has another method";
  if (candidate.slot_tau_seconds && job.machine) return "it has slots of its own beside a machine file";
  const bool waits = setup.sync == StepSync::clock || setup.send_window_steps != unlimited_steps;
  const bool is_lossless = job.queues() == Queues::lossless;
  if (is_lossless && waits) return "it waits where queues lose nothing";
  if (is_lossless != (setup.single_block_bytes != AlltoallSetup::never))
    return "its blocks travel in messages of their own where queues may drop packets, or not where none do";
  return "";
}

// The rules are those that the tests below expect of all decisions.
TEST(BrokenRule, is_found_in_candidates_and_setups) {
  const AlltoallCandidate steps{direct};
  const AlltoallCandidate mpi{std::nullopt, 0, Backend::mpi};
  const JobFacts alone = job_on("torus:4x4");
  const auto rule = [](const JobFacts& job, CallKind kind, const std::vector<AlltoallCandidate>& candidates) {
    return broken_rule(job, kind, {candidates, 3}, candidates.front());
  };
  EXPECT_EQ(rule(alone, CallKind::blocking, {steps, mpi}), "");
  EXPECT_EQ(rule(alone, CallKind::blocking, {steps, steps}), "it comes twice");
  const AlltoallCandidate windowed{direct, 0, Backend::schedule, std::nullopt, short_window_steps};
  EXPECT_EQ(rule(alone, CallKind::unequal, {steps, windowed}), "another one has its name");
  EXPECT_EQ(rule(alone, CallKind::blocking, {windowed}), "its name is that of another candidate");
  EXPECT_EQ(rule(alone, CallKind::unequal, {AlltoallCandidate{direct, 0, Backend::mpi}}),
            "a method and MPI's own");
  EXPECT_EQ(rule(alone, CallKind::blocking, {AlltoallCandidate{direct, 0, Backend::nodes}}),
            "it is between nodes that nobody shares");
  EXPECT_EQ(rule(uneven_job("torus:3x3"), CallKind::blocking, {AlltoallCandidate{direct, 0, Backend::slots}}),
            "nodes have different slots");
  EXPECT_EQ(rule(alone, CallKind::unequal, {AlltoallCandidate{direct, 0, Backend::by_size}}),
            "it is by size without sizes or times");
  EXPECT_EQ(rule(alone, CallKind::overlapped, {mpi}), "it does not overlap");

  AlltoallSetup setup = AlltoallChooser(alone).setup_of(steps, 8);
  EXPECT_EQ(broken_rule(alone, steps, setup), "");
  EXPECT_EQ(broken_rule(alone, mpi, setup), "its setup has another backend");
  EXPECT_EQ(broken_rule(alone, AlltoallCandidate{linear}, setup), "its setup has another method");
  setup.send_window_steps = short_window_steps;
  EXPECT_EQ(broken_rule(with_queues(alone, Queues::lossless), steps, setup),
            "it waits where queues lose nothing");
  setup.sync = StepSync::clock;
  EXPECT_EQ(broken_rule(alone, steps, setup), "it has a clock without times");
}

TEST(EveryDecision, follows_the_rules) {
  std::size_t count = 0;
  for_each_job([&](const JobFacts& job) {
    const AlltoallChooser chooser(job);
    for (const CallKind kind : {CallKind::blocking, CallKind::overlapped, CallKind::unequal}) {
      for (const ExchangeSizes& sizes : all_sizes()) {
        const Decision decision = chooser.decide(kind, sizes);
        ++count;
        ASSERT_FALSE(decision.candidates.empty()) << name_of(job);
        ASSERT_TRUE(decision.round_count == 0 || decision.round_count == job.round_count());
        ASSERT_EQ(decision.round_count == 0, !decision.reason.empty()) << name_of(job);
        for (const AlltoallCandidate& candidate : decision.candidates) {
          ASSERT_EQ(broken_rule(job, kind, decision, candidate), "")
              << to_string(candidate) << ": " << name_of(job);
        }
      }
    }
  });
  EXPECT_GT(count, 20'000U);
}

TEST(EveryDecision, leaves_all_to_mpi_or_nothing) {
  for_each_job([](const JobFacts& job) {
    const AlltoallChooser chooser(job);
    const bool obeys = job.requests.exchange.method && chooser.refusal().empty();
    const bool is_lost = job.host_count == 1 || !job.knows_network;
    const bool is_blind = !job.machine && job.round_count() == 0;
    const bool is_mpis = job.requests.exchange.text == "mpi" || (!obeys && (is_lost || is_blind));
    ASSERT_EQ(chooser.leaves_all_to_mpi(), is_mpis) << name_of(job);
    if (!is_mpis) return;
    for (const CallKind kind : {CallKind::blocking, CallKind::unequal}) {
      for (const ExchangeSizes& sizes : all_sizes())
        ASSERT_TRUE(chooser.decide(kind, sizes).is_mpi_alone()) << name_of(job);
    }
  });
}

TEST(EveryDecision, is_the_requested_method_if_it_fits) {
  for_each_job([](const JobFacts& job) {
    const AlltoallChooser chooser(job);
    const RequestedExchange& requested = job.requests.exchange;
    if (!requested.method || !chooser.refusal().empty()) return;
    const Decision decision = chooser.decide(CallKind::blocking, all_sizes().back());
    ASSERT_EQ(decision.round_count, 0U) << name_of(job);
    ASSERT_EQ(decision.candidates.back().method, requested.method) << name_of(job);
  });
}

// Setups are planned, which takes longer than decisions, so not all jobs are asked for them.
TEST(EveryDecision, has_a_setup_for_every_candidate) {
  for (const JobFacts& known : all_jobs()) {
    for (JobFacts job : {known, with_machine(known)}) {
      for (const Queues queues : {Queues::unknown, Queues::lossless}) {
        job.requests.queues = queues;
        const AlltoallChooser chooser(job);
        for (const CallKind kind : {CallKind::blocking, CallKind::overlapped, CallKind::unequal}) {
          for (const std::uint64_t bytes : {8U, 1U << 20}) {
            for (const auto& candidate : chooser.decide(kind, {bytes, 64 * bytes, 64 * bytes}).candidates) {
              ASSERT_EQ(broken_rule(job, candidate, chooser.setup_of(candidate, bytes)), "")
                  << to_string(candidate) << ": " << name_of(job);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace cubefold
