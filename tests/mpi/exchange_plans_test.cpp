#include "cubefold/mpi/exchange_plans.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/message_of.hpp"
#include "support/numbered_blocks.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// What the environment of all processes says, until the end of the test.
class Saying {
 public:
  Saying(const char* variable, const std::string& value) : variable_(variable) {
    setenv(variable, value.c_str(), 1);
  }
  Saying(const Saying&) = delete;
  Saying& operator=(const Saying&) = delete;
  ~Saying() { unsetenv(variable_); }

 private:
  const char* variable_;
};

VirtualComm ring() {
  return {MPI_COMM_WORLD, ring_of_world(), "identity"};
}

void expect_exchanged(ExchangePlans& plans, int count) {
  const auto send = sent_by(world_rank(), world_size(), count);
  const auto expected = received_by(world_rank(), world_size(), count);
  CompleteExchange& exchange = plans.for_blocks(static_cast<std::size_t>(count) * sizeof(int));
  std::vector<int> receive(send.size());
  exchange.run(send.data(), count, MPI_INT, receive.data(), count, MPI_INT);
  EXPECT_EQ(receive, expected);

  receive = send;
  exchange.run(MPI_IN_PLACE, 0, MPI_INT, receive.data(), count, MPI_INT);
  EXPECT_EQ(receive, expected) << "in place";

  std::vector<int> background(send.size());
  exchange.start({send.data(), count, MPI_INT, background.data(), count, MPI_INT}).wait();
  EXPECT_EQ(background, expected) << "in the background";
}

TEST(ExchangePlans, leave_blocks_to_mpi_where_all_processes_share_memory) {
  const VirtualComm comm = ring();
  ExchangePlans plans(comm);
  expect_exchanged(plans, 3);
  expect_exchanged(plans, 0);
  EXPECT_NE(plans.explain(12).find(
                "blocks of 12 bytes: MPI's own all-to-all: all processes share the memory of one host"),
            std::string::npos)
      << plans.explain(12);
}

class ExchangePlansOf : public testing::TestWithParam<const char*> {};

TEST_P(ExchangePlansOf, a_method_that_is_asked_for_are_of_it) {
  const Saying wish("CUBEFOLD_ALLTOALL", GetParam());
  const VirtualComm comm = ring();
  ExchangePlans plans(comm);
  for (const int count : {1, 5, 1000}) expect_exchanged(plans, count);
  EXPECT_NE(plans.explain(4).find(GetParam() == std::string("mpi") ? "MPI's own" : GetParam()),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Wishes, ExchangePlansOf,
                         testing::Values("direct", "axes", "axis-rotated", "linear", "mpi"));

TEST(ExchangePlans, refuse_on_all_processes_what_the_environment_may_not_say) {
  const VirtualComm comm = ring();
  {
    const Saying wish("CUBEFOLD_ALLTOALL", "fast");
    EXPECT_EQ(message_of([&] { ExchangePlans plans(comm); }).find("unknown exchange method 'fast'; known: "),
              0U);
  }
  for (const char* trials : {"x", "-1", "3x"}) {
    const Saying number("CUBEFOLD_TRIALS", trials);
    EXPECT_EQ(message_of([&] { ExchangePlans plans(comm); }),
              "CUBEFOLD_TRIALS '" + std::string(trials) + "' is no number of trials");
  }
}

TEST(ExchangePlans, refuse_a_machine_file_that_was_made_elsewhere) {
  const auto file = std::filesystem::temp_directory_path() / "cubefold-exchange-plans-test.json";
  if (world_rank() == 0) {
    Machine machine{parse_grid("torus:4x4x4")};
    machine.wraps = {true, true, true};
    machine.date = "2026-01-01";
    machine.mpi_library = "Open MPI v4.1.4";
    std::ofstream(file) << to_json(machine);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Saying name("CUBEFOLD_MACHINE", file.string());
  const VirtualComm comm = ring();
  EXPECT_NE(message_of([&] { ExchangePlans plans(comm); }).find("made for torus:4x4x4, not "),
            std::string::npos);
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) std::filesystem::remove(file);
}

TEST(ExchangePlans, find_different_block_sizes_before_they_plan_in_checked_mode) {
  if (world_size() == 1) GTEST_SKIP() << "one process has one size";
  const Saying check("CUBEFOLD_CHECK", "1");
  const VirtualComm comm = ring();
  ExchangePlans plans(comm);
  const int odd = world_size() - 1;
  EXPECT_EQ(message_of([&] { plans.for_blocks(world_rank() == odd ? 8 : 16); }),
            "process " + std::to_string(odd) + " of " + std::to_string(world_size()) +
                ": block size '8' differs from '16' of process 0");
}

}  // namespace
}  // namespace cubefold::mpi
