// The network, the hosts, the machine file and the requests of a job decide how its blocks are exchanged.

#include "plan/alltoall_choice.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "plan/measured_methods.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
const ExchangeMethod linear{ExchangeAlgorithm::linear, {}};

Placement placement_on(const std::string& grid, const std::string& rule = "identity") {
  return {parse_grid(grid), parse_placement(rule)};
}

/// Returns the facts about a job with one rank on each node of a grid, each node on a separate host.
JobFacts job_on(const std::string& grid) {
  JobFacts job{.placement = placement_on(grid), .source = "the test"};
  job.host_count = job.placement.rank_count();
  return job;
}

/// Returns the facts about a job with several ranks on nodes.
JobFacts job_with(const NodeSharing& sharing) {
  JobFacts job{.placement = slot_placement(sharing), .sharing = sharing, .source = "the test"};
  job.are_groups_on_hosts = true;
  job.host_count = sharing.group_count();
  return job;
}

JobFacts even_job(const std::string& grid, std::size_t per_node) {
  return job_with(NodeSharing(placement_on(grid), per_node));
}

/// Returns the facts about a job with two ranks on node 0 and one on each other node.
JobFacts uneven_job(const std::string& grid) {
  const Placement nodes = placement_on(grid);
  std::vector<GridNode> node_of_process{GridNode{0}};
  for (std::uint32_t node = 0; node < nodes.rank_count(); ++node) node_of_process.push_back(GridNode{node});
  return job_with(NodeSharing(nodes, node_of_process));
}

/// Returns the facts about jobs of 2, 3, 4, 8 and 64 ranks, on nodes of their own and on shared nodes.
std::vector<JobFacts> all_jobs() {
  std::vector<JobFacts> jobs;
  for (const char* grid : {"ring:2", "line:3", "hypercube:2", "torus:2x2x2", "mesh:8x8"})
    jobs.push_back(job_on(grid));
  for (const char* grid : {"ring:2", "ring:4", "torus:4x4"})
    for (const std::size_t per_node : {2U, 4U}) jobs.push_back(even_job(grid, per_node));
  for (const char* grid : {"ring:2", "torus:3x3"}) jobs.push_back(uneven_job(grid));
  return jobs;
}

JobFacts requesting(JobFacts job, const std::string& exchange) {
  job.requests.exchange = parse_requested_exchange(exchange);
  return job;
}

JobFacts measuring_nothing(JobFacts job) {
  job.requests.round_count = 0;
  return job;
}

JobFacts with_machine(JobFacts job) {
  Machine machine{job.network()};
  machine.alpha_seconds = 1e-4;
  machine.gap_seconds = 1e-5;
  machine.tau_seconds_per_byte = {1e-8};
  machine.host_count = job.host_count;
  job.machine = std::move(machine);
  return job;
}

/// The setup that a rule decides for, and its reason.
struct Ruled {
  AlltoallSetup setup;
  std::string text;
};

/// Returns what a rule decides for blocks of a size, or nothing if calls measure candidates.
std::optional<Ruled> decided(const AlltoallChooser& chooser, std::size_t block_bytes) {
  const Decision decision = chooser.decide(CallKind::blocking, {block_bytes, block_bytes, block_bytes});
  if (decision.round_count > 0) return std::nullopt;
  EXPECT_EQ(decision.candidates.size(), 1U);
  return Ruled{chooser.setup_of(decision.candidates.back(), block_bytes), decision.reason};
}

/// Returns the text of the rule that decides, or "measured" if none does.
std::string text_for(const JobFacts& job, std::size_t block_bytes) {
  const auto choice = decided(AlltoallChooser(job), block_bytes);
  return choice ? choice->text : "measured";
}

/// Returns the backend for blocks of a size. Requires a rule that decides.
Backend backend_for(const JobFacts& job, std::size_t block_bytes) {
  return decided(AlltoallChooser(job), block_bytes).value().setup.backend;
}

/// Returns the candidates that calls measure.
std::vector<AlltoallCandidate> candidates(const JobFacts& job, std::size_t block_bytes,
                                          CallKind kind = CallKind::blocking) {
  return AlltoallChooser(job).decide(kind, {block_bytes, block_bytes, block_bytes}).candidates;
}

std::vector<std::string> names_of(const std::vector<AlltoallCandidate>& candidates) {
  std::vector<std::string> names;
  for (const AlltoallCandidate& candidate : candidates) names.push_back(to_string(candidate));
  return names;
}

/// Blocks of which a process sends one, and blocks of which it sends many.
constexpr ExchangeSizes one_block{1 << 20, 1 << 20, 1 << 20};
constexpr ExchangeSizes many_blocks{1 << 20, 1 << 28, 1 << 28};

/// Returns the names of the candidates for blocks of unequal sizes.
std::vector<std::string> names_for(const JobFacts& job, const ExchangeSizes& sizes = one_block) {
  return names_of(AlltoallChooser(job).decide(CallKind::unequal, sizes).candidates);
}

using Names = std::vector<std::string>;
const Names mpi_alone{"MPI's own all-to-all"};

bool names_contain(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool some_contain(const std::vector<std::string>& names, const std::string& part) {
  return std::ranges::any_of(names, [&](const auto& name) { return name.find(part) != std::string::npos; });
}

TEST(AlltoallChoice, obeys_the_request_for_mpi_and_for_a_method) {
  for (JobFacts job : all_jobs()) {
    for (const bool knows_network : {true, false}) {
      job.knows_network = knows_network;
      EXPECT_EQ(backend_for(requesting(job, "mpi"), 12), Backend::mpi);
      for (const std::string method : {"direct", "bruck:2", "axes", "axis-rotated", "linear"}) {
        const AlltoallChooser chooser(requesting(job, method));
        for (const std::size_t bytes : {0U, 12U, 120'000U}) {
          const auto choice = decided(chooser, bytes);
          ASSERT_TRUE(choice) << method;
          EXPECT_EQ(choice->setup.method, parse_exchange_method(method));
          EXPECT_EQ(choice->setup.backend, Backend::schedule);
          EXPECT_EQ(choice->text, method + ": CUBEFOLD_ALLTOALL says so\n");
        }
        EXPECT_EQ(chooser.refusal(), "");
      }
    }
  }
  EXPECT_EQ(text_for(requesting(job_on("ring:4"), "mpi"), 12),
            "MPI's own all-to-all: CUBEFOLD_ALLTOALL says so\n");
}

TEST(AlltoallChoice, decides_as_without_a_request_if_the_method_does_not_fit) {
  for (const auto& [grid, method] :
       {std::pair("ring:4", "cc-cube:3"), std::pair("ring:8", "bruck:17"), std::pair("ring:3", "cc-cube")}) {
    const AlltoallChooser chooser(requesting(job_on(grid), method));
    const std::string refusal = std::string("CUBEFOLD_ALLTOALL '") + method + "' does not fit " +
                                std::string(grid).substr(5) + " processes: ";
    EXPECT_TRUE(chooser.refusal().starts_with(refusal)) << chooser.refusal();
    EXPECT_EQ(chooser.refusal().find('\n'), std::string::npos);
    for (const std::size_t bytes : {4U, 4000U}) EXPECT_FALSE(decided(chooser, bytes));
  }
}

// Without machine times no clock synchronises the steps, so the setups for short and for long blocks differ in
// send_window_steps only.
TEST(AlltoallChoice, has_rules_for_sizes_where_one_method_serves_both) {
  for (const char* grid : {"hypercube:2", "torus:2x2x2", "torus:8x8"}) {
    const AlltoallChooser chooser(requesting(job_on(grid), "direct"));
    const AlltoallSetup of_short = decided(chooser, 8).value().setup;
    const AlltoallSetup of_long = decided(chooser, 1 << 16).value().setup;
    EXPECT_GT(of_short.send_window_steps, of_long.send_window_steps) << grid;
    EXPECT_EQ(of_short.sync, StepSync::data);
    EXPECT_EQ(of_long.sync, StepSync::data);
    EXPECT_EQ(of_long.send_window_steps, AlltoallSetup{}.send_window_steps);
  }
}

TEST(AlltoallChoice, is_mpis_own_exchange_on_one_host) {
  for (const JobFacts& job : all_jobs()) {
    for (JobFacts on_one_host : {job, with_machine(job), measuring_nothing(job)}) {
      on_one_host.host_count = 1;
      for (const std::size_t bytes : {0U, 8U, 100'000U}) {
        EXPECT_EQ(backend_for(on_one_host, bytes), Backend::mpi);
        EXPECT_EQ(text_for(on_one_host, bytes),
                  "MPI's own all-to-all: all processes share the memory of one host\n");
      }
      EXPECT_EQ(names_for(on_one_host), mpi_alone);
      EXPECT_TRUE(AlltoallChooser(on_one_host).leaves_all_to_mpi());
    }
  }
}

TEST(AlltoallChoice, is_mpis_own_exchange_on_an_unknown_network) {
  for (JobFacts job : all_jobs()) {
    job.knows_network = false;
    job.source = "nothing is known of the network";
    EXPECT_EQ(backend_for(job, 12), Backend::mpi);
    EXPECT_EQ(
        text_for(job, 12),
        "MPI's own all-to-all: nothing is known of the network; `cubefold discover` writes a map of its "
        "hosts, which CUBEFOLD_HOSTS names, or CUBEFOLD_GRID names its grid\n");
    EXPECT_EQ(names_for(job), mpi_alone);
  }
}

TEST(AlltoallChoice, is_mpis_own_exchange_if_nothing_was_and_nothing_may_be_measured) {
  for (const JobFacts& job : all_jobs()) {
    EXPECT_EQ(backend_for(measuring_nothing(job), 12), Backend::mpi);
    EXPECT_EQ(text_for(measuring_nothing(job), 12),
              "MPI's own all-to-all: nothing is known of the network; cubefold-calibrate measures it, and "
              "CUBEFOLD_MACHINE names its file\n");
  }
}

TEST(AlltoallChoice, is_left_to_measured_calls_for_sizes_that_can_be_measured) {
  constexpr std::size_t largest = (std::size_t{1} << 31) - 1;
  for (const JobFacts& job : all_jobs()) {
    for (const JobFacts& each : {job, with_machine(job)}) {
      for (const std::size_t bytes : {std::size_t{1}, std::size_t{12}, largest})
        EXPECT_EQ(text_for(each, bytes), "measured");
      for (const std::size_t bytes : {std::size_t{0}, largest + 1})
        EXPECT_NE(text_for(each, bytes), "measured");
    }
  }
}

TEST(AlltoallChoice, is_that_of_a_typical_networks_model_for_sizes_that_cannot_be_measured) {
  for (const char* grid : {"line:3", "torus:2x2x2", "mesh:8x8"}) {
    const JobFacts job = job_on(grid);
    const auto choice = decided(AlltoallChooser(job), 0);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->setup.backend, Backend::schedule);
    const ExchangePlan plan = plan_exchange(job.placement, 0, typical_network());
    EXPECT_EQ(choice->setup.method, plan.choice().method);
    EXPECT_EQ(choice->text, to_string(plan.choice().method) +
                                ": a typical network's model says so, without measurements\n");
  }
  for (const JobFacts& job : {even_job("ring:4", 2), uneven_job("ring:4")}) {
    EXPECT_EQ(backend_for(job, 0), Backend::mpi);
    EXPECT_EQ(text_for(job, 0), "MPI's own all-to-all: several ranks share a node\n");
  }
}

/// The choice with a machine file where nothing may be measured.
class UnmeasuredChoice : public testing::TestWithParam<const char*> {
 protected:
  ExchangePlan plan_of(std::size_t bytes) const {
    return plan_exchange(job.placement, bytes, exchange_model(*job.machine, Tie::balanced));
  }
  bool is_near_bound(std::size_t bytes) const {
    const ExchangePlan plan = plan_of(bytes);
    return plan.choice().seconds <= 1.2 * plan.bound.seconds();
  }
  void expect_planned(std::size_t bytes) const {
    const auto choice = decided(AlltoallChooser(job), bytes);
    ASSERT_TRUE(choice);
    EXPECT_EQ(choice->setup, setup_of(plan_of(bytes)));
    EXPECT_EQ(choice->text, describe(plan_of(bytes)));
  }

  JobFacts job = measuring_nothing(with_machine(job_on(GetParam())));
  Machine& machine = *job.machine;
};

TEST_P(UnmeasuredChoice, is_that_of_the_planner_if_it_is_near_the_bound) {
  machine.tau_seconds_per_byte = {1e-5};
  ASSERT_TRUE(is_near_bound(1000));
  expect_planned(1000);
}

/// Fewer than 8 ranks have exchanges that are near the bound with all sizes.
class UnmeasuredChoiceOfManyRanks : public UnmeasuredChoice {};

// The bound has the fewest start-ups and the fewest bytes. Methods with few start-ups send blocks several times.
TEST_P(UnmeasuredChoiceOfManyRanks, is_mpis_own_exchange_if_the_planners_choice_is_not_near_the_bound) {
  machine.gap_seconds = machine.alpha_seconds;
  std::size_t bytes = 4;
  while (bytes < 400'000 && is_near_bound(bytes)) bytes *= 2;
  ASSERT_LT(bytes, 400'000U);
  EXPECT_EQ(backend_for(job, bytes), Backend::mpi);
  const std::string text = text_for(job, bytes);
  EXPECT_TRUE(text.starts_with("MPI's own all-to-all: " + to_string(plan_of(bytes).choice().method) +
                               " is predicted to take "))
      << text;
  EXPECT_TRUE(
      text.ends_with(" times the bound, and the machine file has no times of MPI_Alltoall to compare "
                     "with\n"))
      << text;
}

TEST_P(UnmeasuredChoice, is_the_fastest_by_the_times_of_the_machine_file) {
  constexpr std::size_t bytes = 4096;
  const double predicted = plan_of(bytes).choice().seconds;
  machine.plain_exchanges = {{bytes, 0.9 * predicted, 0.95 * predicted}};
  EXPECT_EQ(backend_for(job, bytes), Backend::mpi);
  EXPECT_TRUE(text_for(job, bytes).starts_with("MPI's own all-to-all: ")) << text_for(job, bytes);
  machine.plain_exchanges = {{bytes, 0.95 * predicted, 0.9 * predicted}};
  EXPECT_EQ(backend_for(job, bytes), Backend::schedule);
  EXPECT_EQ(decided(AlltoallChooser(job), bytes)->setup.method, linear);
  EXPECT_TRUE(text_for(job, bytes).starts_with("linear: ")) << text_for(job, bytes);
  EXPECT_NE(text_for(job, bytes).find(" ms by the machine file; "), std::string::npos);
  machine.plain_exchanges = {{bytes, 1.1 * predicted, 1.1 * predicted}};
  expect_planned(bytes);
}

INSTANTIATE_TEST_SUITE_P(Grids, UnmeasuredChoice,
                         testing::Values("ring:2", "line:3", "hypercube:2", "torus:2x2x2", "mesh:8x8"));
INSTANTIATE_TEST_SUITE_P(Grids, UnmeasuredChoiceOfManyRanks, testing::Values("torus:2x2x2", "mesh:8x8"));

TEST(AlltoallChoice, describes_the_plan_of_a_requested_method_by_the_machine_file) {
  const JobFacts job = requesting(with_machine(job_on("torus:2x2x2")), "direct");
  const ExchangePlan plan =
      plan_exchange(job.placement, 12, exchange_model(*job.machine, Tie::balanced), {{direct}});
  EXPECT_EQ(text_for(job, 12), describe(plan));
  EXPECT_EQ(decided(AlltoallChooser(job), 12)->setup, setup_of(plan));
}

TEST(AlltoallChoiceOnSharedNodes, obeys_the_request_for_senders) {
  for (const JobFacts& job : {even_job("ring:2", 2), even_job("torus:4x4", 4), uneven_job("ring:4")}) {
    for (const Backend backend : {Backend::nodes, Backend::slots}) {
      const std::string senders = backend == Backend::nodes ? "nodes" : "slots";
      const AlltoallChooser chooser(requesting(job, senders + ":direct"));
      if (backend == Backend::slots && !job.sharing->is_even()) {
        EXPECT_EQ(chooser.refusal(),
                  "CUBEFOLD_ALLTOALL 'slots:direct' does not fit 5 processes: nodes have "
                  "different numbers of them, and so of slots");
        continue;
      }
      const auto choice = decided(chooser, 16);
      ASSERT_TRUE(choice);
      EXPECT_EQ(choice->setup.backend, backend);
      ASSERT_EQ(choice->setup.between_nodes.size(), 1U);
      EXPECT_EQ(choice->setup.between_nodes[0].method, direct);
      EXPECT_EQ(choice->text, "direct between " + senders + " (" + to_string(*job.sharing) +
                                  "): CUBEFOLD_ALLTOALL says so\n");
    }
  }
}

TEST(AlltoallChoiceOnSharedNodes, refuses_senders_that_do_not_fit) {
  const auto refusal_of = [](const JobFacts& job, const std::string& exchange) {
    const AlltoallChooser chooser(requesting(job, exchange));
    EXPECT_EQ(text_for(requesting(job, exchange), 16), text_for(job, 16));
    return chooser.refusal().substr(chooser.refusal().find("processes: ") + 11);
  };
  for (const std::string senders : {"nodes", "slots"}) {
    EXPECT_EQ(refusal_of(job_on("ring:4"), senders + ":direct"), "no node has several of them");
    JobFacts apart = even_job("ring:4", 2);
    apart.are_groups_on_hosts = false;
    EXPECT_EQ(refusal_of(apart, senders + ":direct"), "some nodes have several hosts, which share no memory");
  }
  EXPECT_EQ(refusal_of(uneven_job("ring:4"), "nodes:axes"),
            "nodes have different numbers of them, and only direct and linear fit these");
  EXPECT_EQ(refusal_of(even_job("line:2", 512), "nodes:direct"), "a node has no memory for so many");
  EXPECT_EQ(AlltoallChooser(requesting(uneven_job("ring:4"), "nodes:linear")).refusal(), "");
}

TEST(AlltoallChoiceOnSharedNodes, is_the_planners_best_exchange_between_nodes_where_nothing_may_be_measured) {
  const JobFacts job = measuring_nothing(with_machine(even_job("torus:4x4", 4)));
  const AlltoallChooser chooser(job);
  const auto choice = decided(chooser, 1024);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->setup.backend, Backend::nodes);
  EXPECT_EQ(choice->setup.between_nodes.front().method,
            plan_exchange(job.sharing->groups(), 16 * 1024, exchange_model(*job.machine, Tie::balanced))
                .choice()
                .method);
  EXPECT_TRUE(
      choice->text.ends_with(" between nodes (4 ranks on each node of torus:4x4): the planner's choice\n"))
      << choice->text;
  const Decision unequal = chooser.decide(CallKind::unequal, one_block);
  EXPECT_EQ(names_of(unequal.candidates), (Names{"MPI's own all-to-all", "direct between nodes"}));
  EXPECT_EQ(unequal.round_count, 0U);
}

TEST(AlltoallChoiceOnSharedNodes, is_mpis_own_exchange_where_no_memory_can_be_shared_and_nothing_measured) {
  JobFacts apart = measuring_nothing(with_machine(even_job("ring:4", 2)));
  apart.are_groups_on_hosts = false;
  const JobFacts crowded = measuring_nothing(with_machine(even_job("line:2", 512)));
  for (const JobFacts& job : {apart, crowded}) {
    EXPECT_EQ(backend_for(job, 1024), Backend::mpi);
    EXPECT_EQ(names_for(job), mpi_alone);
  }
}

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
      EXPECT_EQ(setup.sync, candidate.sync.value_or(setup.sync));
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
    expect_other(job, near / 2, "");  // the clock needs a machine file
    expect_other(job, 2 * near, "data");
    job = with_machine(job);
    job.machine->alpha_seconds = 1e-7;
    job.machine->gap_seconds = 1e-7;
    job.machine->tau_seconds_per_byte = {1e-7};
    expect_other(job, near / 2, "clock");
    expect_other(job, 2 * near, "data");
    for (const std::size_t far : {near / 10, 10 * near}) expect_other(job, far, "");
  }
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
  for (const char* name :
       {"direct by size", "direct with 16 steps ahead", "direct at once", "bruck:4 by clock"})
    EXPECT_EQ(to_string(parse_candidate(name)), name);
  for (const char* name : {"", "directly", "direct ", "direct by", "direct with 17 steps ahead", "mpi"})
    EXPECT_NE(message_of([&] { parse_candidate(name); }), "") << name;
}

TEST(UnequalChoice, is_left_to_measured_calls) {
  const JobFacts job = job_on("torus:2x2x2");
  Names names{"MPI's own all-to-all", "linear", "direct", "direct with 16 steps ahead", "direct at once"};
  EXPECT_EQ(names_for(job), names);
  EXPECT_EQ(AlltoallChooser(job).decide(CallKind::unequal, one_block).round_count, 3U);
  EXPECT_EQ(
      AlltoallChooser(job).rule_for_unequal_blocks(),
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
  EXPECT_EQ(AlltoallChooser(job).rule_for_unequal_blocks(), "direct by size within its limits of size");
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

TEST(AlltoallChoice, leaves_all_to_mpi_only_where_no_size_is_exchanged) {
  for (const JobFacts& job : all_jobs()) {
    EXPECT_TRUE(AlltoallChooser(requesting(job, "mpi")).leaves_all_to_mpi());
    EXPECT_TRUE(AlltoallChooser(measuring_nothing(job)).leaves_all_to_mpi());
    EXPECT_FALSE(AlltoallChooser(job).leaves_all_to_mpi());
    EXPECT_FALSE(AlltoallChooser(measuring_nothing(with_machine(job))).leaves_all_to_mpi());
    EXPECT_FALSE(AlltoallChooser(requesting(measuring_nothing(job), "direct")).leaves_all_to_mpi());
  }
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
            "CUBEFOLD_QUEUES: queues 'none' are neither lossless nor lossy nor unknown");
}

JobFacts with_queues(JobFacts job, Queues queues) {
  job.requests.queues = queues;
  return job;
}

// What is posted at once in the order of the schedule needs no clock, no window and no pieces.
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

TEST(AlltoallChoice, plans_for_the_ports_that_were_asked_for_without_a_machine_file) {
  for (const Ports ports : {Ports::one, Ports::all}) {
    JobFacts job = requesting(job_on("torus:4x4"), "direct");
    job.ports = ports;
    EXPECT_EQ(decided(AlltoallChooser(job), 64).value().setup.network.ports, ports);
    EXPECT_EQ(decided(AlltoallChooser(with_machine(job)), 64).value().setup.network.ports, Ports::one);
  }
}

}  // namespace
}  // namespace cubefold
