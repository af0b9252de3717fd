// The environment, the hosts, the machine file and trials decide how blocks of a size are exchanged.

#include <gtest/gtest.h>

#include <fstream>

#include "mpi/machine_file.hpp"
#include "support/file_of_world.hpp"
#include "support/message_of.hpp"
#include "support/plan_cache_world.hpp"
#include "support/several_hosts.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

class AlltoallChoiceTest : public testing::Test, OneHost, protected PlanCacheWorld {};

TEST_F(AlltoallChoiceTest, obey_the_request_for_a_method) {
  for (const std::string method : {"direct", "bruck:2", "axes", "axis-rotated", "linear"}) {
    const Variable request("CUBEFOLD_ALLTOALL", method);
    PlanCache plans(comm);
    for (const int count : {1, 3, 30'000}) EXPECT_EQ(exchanged(plans, count), expected(count)) << method;
    const auto text = "blocks of 12 bytes: " + method + ": CUBEFOLD_ALLTOALL says so\n";
    EXPECT_EQ(plans.explain(12).substr(0, text.size()), text);
    EXPECT_EQ(plans.for_blocks(12)->plan_in_use().setup().backend, Backend::schedule);
  }
}

TEST_F(AlltoallChoiceTest, leave_out_a_method_that_does_not_fit_and_say_so_once_in_each_explanation) {
  for (const auto& [method, largest] : {std::pair("cc-cube:3", 2), std::pair("bruck:17", 16)}) {
    if (size > largest && world_is_a_cube()) continue;
    const Variable request("CUBEFOLD_ALLTOALL", method);
    PlanCache plans(comm);
    for (const int count : {1, 1000}) EXPECT_EQ(exchanged(plans, count), expected(count)) << method;
    const auto text = plans.explain(12);
    const std::string refusal = std::string("CUBEFOLD_ALLTOALL '") + method + "' does not fit " +
                                std::to_string(size) + " processes: ";
    EXPECT_EQ(text.substr(0, refusal.size()), refusal);
    EXPECT_NE(text.find(std::string("\nblocks of 12 bytes: ") + shared_memory), std::string::npos) << text;
  }
}

// Without machine times no clock synchronises the steps, so the setups for short and for long blocks differ in
// steps_behind only.
TEST_F(AlltoallChoiceTest, run_sizes_by_their_own_rules_where_one_method_serves_both) {
  if (size < 4) GTEST_SKIP() << "so few processes need no rules";
  const Variable request("CUBEFOLD_ALLTOALL", "direct");
  PlanCache plans(comm);
  const AlltoallSetup of_short = plans.for_blocks(8)->plan_in_use().setup();
  const AlltoallSetup of_long = plans.for_blocks(1 << 16)->plan_in_use().setup();
  EXPECT_GT(of_short.steps_behind, of_long.steps_behind);
  EXPECT_EQ(of_short.sync, of_long.sync);
}

TEST_F(AlltoallChoiceTest, obey_the_request_for_mpi) {
  const Variable request("CUBEFOLD_ALLTOALL", "mpi");
  PlanCache plans(comm);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  const std::string text = "blocks of 12 bytes: MPI's own all-to-all: CUBEFOLD_ALLTOALL says so\n";
  EXPECT_EQ(plans.explain(12).substr(0, text.size()), text);
}

TEST_F(AlltoallChoiceTest, refuse_the_request_for_what_is_no_method_on_all_processes) {
  for (const char* text : {"x", "bruck", "direct:2", "MPI"}) {
    const Variable request("CUBEFOLD_ALLTOALL", text);
    const auto refusal = message_of([&] { parse_exchange_method(text); });
    EXPECT_EQ(message_of([&] { PlanCache{comm}; }),
              "CUBEFOLD_ALLTOALL: " + refusal + "; or 'mpi'; or 'nodes:' or 'slots:' and a method");
    EXPECT_NE(refusal.find(text), std::string::npos);
    EXPECT_EQ(refusal.find('\n'), std::string::npos);
  }
}

TEST_F(AlltoallChoiceTest, refuse_what_is_no_number_of_trials_on_all_processes) {
  for (const std::string text : {"x", "-1", "3x", " 3", "1001", "2147483647", "99999999999"}) {
    const Variable trials("CUBEFOLD_TRIALS", text);
    EXPECT_EQ(message_of([&] { PlanCache{comm}; }),
              "CUBEFOLD_TRIALS '" + text + "' is no number of trials from 0 to 1000");
  }
  const Variable trials("CUBEFOLD_TRIALS", "0");
  EXPECT_NO_THROW(PlanCache{comm});
}

TEST_F(AlltoallChoiceTest, measure_on_several_hosts_that_nothing_is_known_of) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  const SeveralHosts hosts(world_rank());
  PlanCache plans(comm);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  EXPECT_NE(plans.explain(12).find("bytes: measuring; the next call uses linear"), std::string::npos)
      << plans.explain(12);
}

TEST_F(AlltoallChoiceTest, say_that_a_model_decides_where_nothing_can_be_measured) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  const SeveralHosts hosts(world_rank());
  PlanCache plans(comm);
  const auto text = plans.text_for(*plans.for_blocks(0));
  EXPECT_NE(text.find(": a typical network's model says so, without measurements\n"), std::string::npos)
      << text;
}

TEST_F(AlltoallChoiceTest, say_what_to_measure_where_trials_are_not_wanted) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  const SeveralHosts hosts(world_rank());
  const Variable trials("CUBEFOLD_TRIALS", "0");
  PlanCache plans(comm);
  EXPECT_EQ(plans.text_for(*plans.for_blocks(12)),
            "blocks of 12 bytes: MPI's own all-to-all: nothing is known of the network; cubefold-calibrate "
            "measures it, "
            "and CUBEFOLD_MACHINE names its file\n");
}

class AlltoallChoiceOfMachine : public AlltoallChoiceTest {
 protected:
  AlltoallChoiceOfMachine() {
    machine.grid = comm.grid();
    machine.alpha_seconds = 1e-4;
    machine.gap_seconds = 1e-5;
    machine.tau_seconds_per_byte = {1e-8};
    for (int axis = 0; axis < machine.grid.axis_count(); ++axis)
      machine.wraps.push_back(machine.grid.has_wrap_link(axis));
    machine.mpi_library = library_name();
  }

  void write() const {
    if (world_rank() == 0) std::ofstream(path) << to_json(machine);
  }

  Machine machine{parse_grid("line:1")};
  const FileOfWorld file{"machine"};
  const std::string& path = file.path;
};

TEST_F(AlltoallChoiceOfMachine, are_refused_if_it_was_measured_elsewhere) {
  if (size == 1) GTEST_SKIP() << "one process is on one host";
  machine.host_count = 2;
  write();
  const Variable variable("CUBEFOLD_MACHINE", path);
  EXPECT_EQ(message_of([&] { PlanCache{comm}; }), "machine file " + path + ": made on 2 hosts, not on 1");
}

TEST_F(AlltoallChoiceOfMachine, leave_all_to_mpi_on_one_host) {
  write();
  const Variable variable("CUBEFOLD_MACHINE", path);
  PlanCache plans(comm);
  const std::string text = std::string("blocks of 8 bytes: ") + shared_memory;
  EXPECT_EQ(plans.explain(8).substr(0, text.size()), text);
}

TEST_F(AlltoallChoiceOfMachine, measure_how_blocks_of_a_size_are_exchanged) {
  machine.host_count = 2;
  PlanCache plans(comm, machine);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  EXPECT_NE(plans.explain(12).find(": measuring; the next call uses linear"), std::string::npos);
  EXPECT_EQ(plans.explain(12).find("CUBEFOLD_ALLTOALL"), std::string::npos);
}

TEST_F(AlltoallChoiceOfMachine, measure_nothing_of_2_gib_and_more) {
  machine.host_count = 2;
  PlanCache plans(comm, machine);
  EXPECT_EQ(plans.text_for(*plans.for_blocks(std::size_t{1} << 31)).find("measuring"), std::string::npos);
}

/// Tests the choice with a machine file where nothing may be measured.
class UnmeasuredChoice : public AlltoallChoiceOfMachine {
 protected:
  void SetUp() override {
    if (size == 1) GTEST_SKIP() << "one process exchanges nothing";
    machine.host_count = 2;
  }

  ExchangePlan plan_of(std::size_t bytes) const {
    return plan_exchange(comm.placement(), bytes, exchange_model(machine, Tie::balanced));
  }

  bool is_near_bound(std::size_t bytes) const {
    const ExchangePlan plan = plan_of(bytes);
    return plan.choice().seconds <= 1.2 * plan.bound.seconds();
  }

  /// Returns the text of the choice, after an exchange.
  std::string choice_for(int count) const {
    PlanCache plans(comm, machine);
    EXPECT_EQ(exchanged(plans, count), expected(count));
    const auto bytes = sizeof(int) * static_cast<std::size_t>(count);
    const std::string size_text = "blocks of " + std::to_string(bytes) + " bytes: ";
    const std::string text = plans.text_for(*plans.for_blocks(bytes));
    EXPECT_TRUE(text.starts_with(size_text)) << text;
    return text.substr(std::min(text.size(), size_text.size()));
  }

  const Variable trials{"CUBEFOLD_TRIALS", "0"};
};

TEST_F(UnmeasuredChoice, is_that_of_the_planner_if_it_is_near_the_bound) {
  constexpr int count = 250;
  machine.tau_seconds_per_byte = {1e-5};
  ASSERT_TRUE(is_near_bound(4 * count));
  EXPECT_EQ(choice_for(count), describe(plan_of(4 * count)));
}

// The bound has the fewest start-ups and the fewest bytes. Methods with few start-ups send blocks several times.
TEST_F(UnmeasuredChoice, is_mpis_own_exchange_if_the_planners_choice_is_not_near_the_bound) {
  if (size < 8) GTEST_SKIP() << "so few processes are near the bound with all sizes";
  machine.gap_seconds = machine.alpha_seconds;
  int count = 1;
  while (count < 100'000 && is_near_bound(4 * static_cast<std::size_t>(count))) count *= 2;
  ASSERT_LT(count, 100'000);
  const std::string text = choice_for(count);
  EXPECT_TRUE(text.starts_with("MPI's own all-to-all: ")) << text;
  EXPECT_NE(text.find(" times the bound, and the machine file has no times of MPI_Alltoall"),
            std::string::npos)
      << text;
}

TEST_F(UnmeasuredChoice, is_the_fastest_by_the_times_of_the_machine_file) {
  constexpr int count = 1024;
  constexpr std::size_t bytes = 4 * count;
  const double predicted = plan_of(bytes).choice().seconds;
  machine.plain_exchanges = {{bytes, 0.9 * predicted, 0.95 * predicted}};
  EXPECT_TRUE(choice_for(count).starts_with("MPI's own all-to-all: ")) << choice_for(count);
  machine.plain_exchanges = {{bytes, 0.95 * predicted, 0.9 * predicted}};
  EXPECT_TRUE(choice_for(count).starts_with("linear: ")) << choice_for(count);
  machine.plain_exchanges = {{bytes, 1.1 * predicted, 1.1 * predicted}};
  EXPECT_EQ(choice_for(count), describe(plan_of(bytes)));
}

TEST_F(AlltoallChoiceOfMachine, describe_the_plan_of_a_method_that_is_requested) {
  write();
  const Variable variable("CUBEFOLD_MACHINE", path);
  const Variable request("CUBEFOLD_ALLTOALL", "direct");
  PlanCache plans(comm);
  EXPECT_EQ(exchanged(plans, 3), expected(3));
  const ExchangePlan plan = plan_exchange(comm.placement(), 12, exchange_model(machine, Tie::balanced),
                                          {{{ExchangeAlgorithm::direct, {}}}});
  const auto text = "blocks of 12 bytes: " + describe(plan);
  EXPECT_EQ(plans.explain(12).substr(0, text.size()), text);
}

}  // namespace
}  // namespace cubefold::mpi
