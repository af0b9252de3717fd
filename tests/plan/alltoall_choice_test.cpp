// The network, the hosts, the machine file and the requests of a job decide how its blocks are exchanged.

#include "plan/alltoall_choice.hpp"

#include <gtest/gtest.h>

#include "support/alltoall_jobs.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

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

TEST(AlltoallChoice, is_measured_with_the_times_of_a_machine_file_only_if_the_user_asks_for_it) {
  JobFacts job = with_machine(job_on("torus:2x2x2"));
  EXPECT_EQ(text_for(job, 1024), "measured");
  job.machine->plain_exchanges = {{16, 1, 1}, {2048, 1, 1}};
  EXPECT_NE(text_for(job, 1024), "measured");
  job.requests.round_count = 3;
  EXPECT_EQ(text_for(job, 1024), "measured");
  JobFacts shared = with_machine(even_job("torus:4x4", 4));
  shared.machine->plain_exchanges = {{16, 1, 1}};
  EXPECT_EQ(text_for(shared, 1024), "measured");
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
  machine.plain_exchanges = {{1, 1e-9, 1e-9}, {bytes, 1.1 * predicted, 1.1 * predicted}};
  expect_planned(bytes);
}

INSTANTIATE_TEST_SUITE_P(Grids, UnmeasuredChoice,
                         testing::Values("ring:2", "line:3", "hypercube:2", "torus:2x2x2", "mesh:8x8"));
INSTANTIATE_TEST_SUITE_P(Grids, UnmeasuredChoiceOfManyRanks, testing::Values("torus:2x2x2", "mesh:8x8"));

// The machine file's gap is that of one stream. Processes that send to all others at once may take longer.
TEST(AlltoallChoice, takes_the_time_for_messages_from_the_shortest_blocks_of_linear) {
  JobFacts job = measuring_nothing(with_machine(job_on("hyperx:4x4")));
  job.machine->ports = Ports::all;
  job.machine->tau_seconds_per_byte = {1e-6};
  constexpr std::size_t short_bytes = 16;
  constexpr std::size_t long_bytes = 1 << 20;
  job.machine->plain_exchanges = {{8, 1e-4, 1e-4}, {short_bytes, 5e-3, 5e-3}, {long_bytes, 100, 100}};
  EXPECT_EQ(decided(AlltoallChooser(job), short_bytes)->setup.method, direct);
  job.machine->plain_exchanges = {{8, 3e-3, 3e-3}, {short_bytes, 0.5e-3, 3e-3}, {long_bytes, 100, 100}};
  EXPECT_EQ(backend_for(job, short_bytes), Backend::mpi);
  EXPECT_EQ(decided(AlltoallChooser(job), long_bytes)->setup.method, direct);
  job.machine->plain_exchanges = {{8, 3e-3, 3e-3}, {short_bytes, 3e-3, 3e-3}, {long_bytes, 100, 100}};
  EXPECT_EQ(backend_for(job, short_bytes), Backend::schedule);
  EXPECT_NE(decided(AlltoallChooser(job), short_bytes)->setup.method, direct);
}

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

TEST(AlltoallChoice, leaves_all_to_mpi_only_where_no_size_is_exchanged) {
  for (const JobFacts& job : all_jobs()) {
    EXPECT_TRUE(AlltoallChooser(requesting(job, "mpi")).leaves_all_to_mpi());
    EXPECT_TRUE(AlltoallChooser(measuring_nothing(job)).leaves_all_to_mpi());
    EXPECT_FALSE(AlltoallChooser(job).leaves_all_to_mpi());
    EXPECT_FALSE(AlltoallChooser(measuring_nothing(with_machine(job))).leaves_all_to_mpi());
    EXPECT_FALSE(AlltoallChooser(requesting(measuring_nothing(job), "direct")).leaves_all_to_mpi());
  }
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
