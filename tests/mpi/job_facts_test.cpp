// The facts that decide how blocks are exchanged are found on a communicator and equal on all processes, and exchanges
// by their choices are right.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "mpi/job_files.hpp"
#include "support/file_of_world.hpp"
#include "support/message_of.hpp"
#include "support/plan_cache_world.hpp"
#include "support/several_hosts.hpp"
#include "support/shared_nodes.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

JobFacts facts_of(const VirtualComm& comm, const std::optional<Machine>& machine = std::nullopt) {
  return job_facts(comm, *CommContext::on(comm.virtual_comm()), machine);
}

class JobFactsTest : public testing::Test, OneHost, protected PlanCacheWorld {};

TEST_F(JobFactsTest, are_those_of_the_communicator_on_one_host) {
  const JobFacts facts = facts_of(comm);
  EXPECT_EQ(node_of_rank(facts.placement), node_of_rank(comm.placement()));
  EXPECT_EQ(to_string(facts.network()), to_string(comm.network()));
  EXPECT_FALSE(facts.sharing);
  EXPECT_TRUE(facts.knows_network);
  EXPECT_EQ(facts.source, comm.source());
  EXPECT_EQ(facts.host_count, 1U);
  EXPECT_FALSE(facts.machine);
  EXPECT_EQ(facts.requests.exchange, RequestedExchange{});
  EXPECT_EQ(facts.round_count(), 3U);
  EXPECT_EQ(facts.ports, Ports::one);
}

TEST_F(JobFactsTest, have_the_requests_of_hints) {
  const Variable trials("CUBEFOLD_TRIALS", "5");
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "trials", "7");
  MPI_Info_set(info, "ports", "all");
  MPI_Info_set(info, "queues", "lossy");
  const VirtualComm hinted(MPI_COMM_WORLD, info);
  MPI_Info_free(&info);
  EXPECT_EQ(facts_of(hinted).round_count(), 7U);
  EXPECT_EQ(facts_of(hinted).ports, Ports::all);
  EXPECT_EQ(facts_of(hinted).queues(), Queues::lossy);
  EXPECT_EQ(facts_of(comm).round_count(), 5U);
  EXPECT_EQ(facts_of(comm).queues(), Queues::unknown);
  const Variable queues("CUBEFOLD_QUEUES", "lossless");
  EXPECT_EQ(facts_of(comm).queues(), Queues::lossless);
}

TEST_F(JobFactsTest, count_hosts_or_have_the_number_of_the_machine) {
  const SeveralHosts hosts(world_rank());
  EXPECT_EQ(facts_of(comm).host_count, static_cast<std::size_t>(size));
  Machine machine{comm.grid()};
  machine.host_count = 7;
  const JobFacts facts = facts_of(comm, machine);
  EXPECT_EQ(facts.host_count, 7U);
  EXPECT_EQ(facts.machine, machine);
}

TEST_F(JobFactsTest, say_why_nothing_is_known_of_the_network) {
  const VirtualComm unknown(MPI_COMM_WORLD, std::nullopt, std::nullopt);
  const JobFacts facts = facts_of(unknown);
  EXPECT_FALSE(facts.knows_network);
  EXPECT_EQ(facts.source, unknown.source());
}

TEST_F(JobFactsTest, have_the_nodes_that_ranks_share_and_say_whether_they_share_hosts) {
  for (const Job& job : jobs_of_world()) {
    const VirtualComm shared = job.comm();
    if (shared.sharing() == nullptr) continue;
    const auto facts_on_host = [&](int number) {
      const SeveralHosts hosts(number);
      return facts_of(shared);
    };
    const JobFacts facts = facts_on_host(static_cast<int>(job.own_node()));
    ASSERT_TRUE(facts.sharing);
    EXPECT_EQ(node_of_rank(*facts.sharing), node_of_rank(*shared.sharing()));
    EXPECT_EQ(to_string(facts.network()), to_string(shared.network()));
    EXPECT_TRUE(facts.are_groups_on_hosts);
    EXPECT_EQ(facts.host_count, shared.network().node_count());
    EXPECT_TRUE(facts_on_host(0).are_groups_on_hosts);
    EXPECT_FALSE(facts_on_host(world_rank()).are_groups_on_hosts);
    const int host_of_last = world_rank() == world_size() - 1 ? 1 : 0;
    const NodeSharing& nodes = *facts.sharing;
    const auto last = static_cast<std::size_t>(job.nodes.back());
    const auto on_node_of_last = std::count(job.nodes.begin(), job.nodes.end(), last);
    EXPECT_EQ(facts_on_host(host_of_last).are_groups_on_hosts, on_node_of_last == 1) << to_string(nodes);
  }
}

TEST_F(JobFactsTest, have_the_requests_of_process_0_on_all_processes) {
  const Variable request("CUBEFOLD_ALLTOALL", "nodes:bruck:4");
  const Variable trials("CUBEFOLD_TRIALS", "5");
  const JobFacts facts = facts_of(comm);
  const ExchangeMethod bruck{ExchangeAlgorithm::bruck, {4}};
  EXPECT_EQ(facts.requests.exchange, (RequestedExchange{"nodes:bruck:4", Backend::nodes, bruck}));
  EXPECT_EQ(facts.round_count(), 5U);
}

TEST_F(JobFactsTest, refuse_requests_that_are_none_on_all_processes) {
  for (const auto& [name, text] : {std::pair("CUBEFOLD_ALLTOALL", "x"), std::pair("CUBEFOLD_TRIALS", "-1")}) {
    const Variable request(name, text);
    EXPECT_TRUE(message_of([&] { PlanCache{comm}; }).starts_with(name));
  }
}

class ExchangesByChoice : public JobFactsTest {
 protected:
  ExchangesByChoice() {
    machine.alpha_seconds = 1e-4;
    machine.gap_seconds = 1e-5;
    machine.tau_seconds_per_byte = {1e-8};
    for (int axis = 0; axis < machine.grid.axis_count(); ++axis)
      machine.wraps.push_back(machine.grid.has_wrap_link(axis));
    machine.mpi_library = library_name();
  }

  /// Exchanges blocks of several sizes and expects this backend and, unless it is MPI's own exchange, this method.
  void expect_exchanged(PlanCache& plans, Backend backend, const std::string& method) const {
    for (const int count : {1, 3, 30'000}) {
      EXPECT_EQ(exchanged(plans, count), expected(count)) << method;
      const auto bytes = sizeof(int) * static_cast<std::size_t>(count);
      const AlltoallSetup& setup = plans.for_blocks(bytes)->plan_in_use().setup();
      EXPECT_EQ(setup.backend, backend);
      EXPECT_TRUE(backend != Backend::schedule || to_string(setup.method) == method) << method;
    }
  }

  Machine machine{comm.grid()};
};

TEST_F(ExchangesByChoice, use_the_requested_method) {
  for (const std::string method : {"direct", "bruck:2", "axes", "axis-rotated", "linear", "mpi"}) {
    const Variable request("CUBEFOLD_ALLTOALL", method);
    PlanCache plans(comm);
    expect_exchanged(plans, method == "mpi" ? Backend::mpi : Backend::schedule, method);
  }
}

TEST_F(ExchangesByChoice, say_once_in_each_explanation_that_a_requested_method_does_not_fit) {
  if (size > 16) GTEST_SKIP() << "bruck:17 fits so many processes";
  const Variable request("CUBEFOLD_ALLTOALL", "bruck:17");
  PlanCache plans(comm);
  expect_exchanged(plans, Backend::mpi, "");
  const auto text = plans.explain(12);
  EXPECT_TRUE(text.starts_with("CUBEFOLD_ALLTOALL 'bruck:17' does not fit ")) << text;
  EXPECT_EQ(text.find("does not fit"), text.rfind("does not fit"));
  EXPECT_NE(text.find("\nblocks of 12 bytes: "), std::string::npos) << text;
}

TEST_F(ExchangesByChoice, use_the_plan_of_a_machine_file) {
  if (size == 1) GTEST_SKIP() << "one process exchanges nothing";
  machine.host_count = 2;
  machine.tau_seconds_per_byte = {1e-5};
  const Variable trials("CUBEFOLD_TRIALS", "0");
  PlanCache plans(comm, machine);
  EXPECT_EQ(exchanged(plans, 250), expected(250));
  const ExchangePlan plan = plan_exchange(comm.placement(), 1000, exchange_model(machine, Tie::balanced));
  EXPECT_EQ(plans.for_blocks(1000)->plan_in_use().setup(), setup_of(plan));
}

TEST_F(ExchangesByChoice, are_measured_on_several_hosts) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  const SeveralHosts hosts(world_rank());
  PlanCache plans(comm);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  EXPECT_TRUE(plans.for_blocks(12)->is_measuring(CallKind::blocking));
}

TEST_F(ExchangesByChoice, are_refused_with_a_machine_file_of_other_hosts) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  const FileOfWorld file("machine");
  machine.host_count = 2;
  if (world_rank() == 0) std::ofstream(file.path) << to_json(machine);
  const Variable variable("CUBEFOLD_MACHINE", file.path);
  EXPECT_EQ(message_of([&] { PlanCache{comm}; }),
            "machine file " + file.path + ": made on 2 hosts, not on 1");
}

}  // namespace
}  // namespace cubefold::mpi
