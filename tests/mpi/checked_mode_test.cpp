#include <gtest/gtest.h>

#include <cstdlib>

#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_request.hpp"
#include "support/message_of.hpp"
#include "support/numbered_blocks.hpp"
#include "support/unequal_exchange.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// Sets CUBEFOLD_CHECK on one process only, which turns the checks on for all processes.
class CheckedMode : public testing::Test {
 protected:
  void SetUp() override {
    if (world_rank() == 0) setenv("CUBEFOLD_CHECK", "1", 1);
    comm.emplace(MPI_COMM_WORLD, ring_of_world(), "identity");
    context = CommContext::on(comm->virtual_comm());
    setup.method.algorithm = ExchangeAlgorithm::direct;
    setup.sync = StepSync::clock;
  }
  /// Unsets the variable between two barriers, because the processes of SimGrid share one environment.
  void TearDown() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) unsetenv("CUBEFOLD_CHECK");
    MPI_Barrier(MPI_COMM_WORLD);
  }

  std::string name_of(int rank) const {
    return "process " + std::to_string(rank) + " of " + std::to_string(world_size());
  }

  std::optional<VirtualComm> comm;
  std::shared_ptr<CommContext> context;
  AlltoallSetup setup;
};

TEST_F(CheckedMode, lets_equal_sizes_pass) {
  const auto exchange = AlltoallPlan::make(*comm, context, setup);
  const auto send = sent_by(world_rank(), world_size(), 3);
  std::vector<int> receive(send.size());
  exchange->run({send.data(), 3, MPI_INT, receive.data(), 3, MPI_INT});
  EXPECT_EQ(receive, received_by(world_rank(), world_size(), 3));
}

TEST_F(CheckedMode, names_the_first_process_with_another_size_on_all_and_leaves_the_buffers_alone) {
  if (world_size() == 1) GTEST_SKIP() << "one process has one size";
  const auto exchange = AlltoallPlan::make(*comm, context, setup);
  const int odd = world_size() - 1;
  std::vector<int> receive(static_cast<std::size_t>(world_size()) * 4, 7);
  const auto untouched = receive;
  const auto complaint = name_of(odd) + ": block size '8' differs from '16' of process 0";
  const int count = world_rank() == odd ? 2 : 4;
  const Sides buffers{receive.data(), count, MPI_INT, receive.data(), count, MPI_INT};
  EXPECT_EQ(message_of([&] {
              exchange->run({receive.data(), count, MPI_INT, receive.data(), count, MPI_INT});
            }),
            complaint);
  auto request = exchange->start(buffers);
  EXPECT_EQ(message_of([&] { request->wait(); }), complaint);
  EXPECT_FALSE(request->is_running());
  EXPECT_EQ(receive, untouched);

  const auto send = sent_by(world_rank(), world_size(), 4);
  exchange->run({send.data(), 4, MPI_INT, receive.data(), 4, MPI_INT});
  EXPECT_EQ(receive, received_by(world_rank(), world_size(), 4)) << "the next exchange suffers";
}

TEST_F(CheckedMode, sees_that_one_process_has_nothing) {
  if (world_size() == 1) GTEST_SKIP() << "one process has one size";
  const auto exchange = AlltoallPlan::make(*comm, context, setup);
  std::vector<int> receive(static_cast<std::size_t>(world_size()));
  EXPECT_EQ(message_of([&] {
              exchange->run({MPI_IN_PLACE, 0, MPI_INT, receive.data(), world_rank() == 0 ? 0 : 1, MPI_INT});
            }),
            name_of(1) + ": block size '4' differs from '0' of process 0");
}

TEST_F(CheckedMode, names_a_process_that_expects_of_another_what_that_one_does_not_send) {
  if (world_size() == 1) GTEST_SKIP() << "one process has one size";
  const auto exchange = unequal_exchange(*comm, context, {setup});
  const auto size = static_cast<std::size_t>(world_size());
  const std::vector<int> send_counts(size, 1);
  std::vector<int> receive_counts(size, 1);
  if (world_rank() == 1) receive_counts[0] = 2;
  std::vector<int> places(size, 0);
  std::vector<int> buffer(4 * size);
  EXPECT_EQ(message_of([&] {
              exchange->run({buffer.data(), send_counts, places, MPI_INT, buffer.data(), receive_counts,
                             places, MPI_INT});
            }),
            name_of(1) + ": block size '8' differs from '4' that process 0 sends");
}

TEST_F(CheckedMode, compares_sizes_of_several_datatypes_in_every_call) {
  if (world_size() == 1) GTEST_SKIP() << "one process has one size";
  const auto exchange = unequal_exchange(*comm, context, {setup}, nullptr, CallKind::typed);
  const auto size = static_cast<std::size_t>(world_size());
  const std::vector<int> counts(size, 1);
  std::vector<int> places;
  for (std::size_t i = 0; i < size; ++i) places.push_back(static_cast<int>(i * sizeof(double)));
  const std::vector<MPI_Datatype> ints(size, MPI_INT);
  std::vector<MPI_Datatype> expected = ints;
  std::vector<int> send(2 * size);
  std::vector<int> receive(2 * size);
  const auto run = [&] {
    exchange->run({send.data(), counts, places, ints, receive.data(), counts, places, expected});
  };
  for (int call = 0; call < 2; ++call) run();
  if (world_rank() == 1) expected[0] = MPI_DOUBLE;
  EXPECT_EQ(message_of(run), name_of(1) + ": block size '8' differs from '4' that process 0 sends");
}

TEST_F(CheckedMode, tells_all_that_one_process_has_bad_arguments_for_unequal_blocks) {
  if (world_size() == 1) GTEST_SKIP() << "written for several processes";
  const auto exchange = unequal_exchange(*comm, context, {setup});
  const auto size = static_cast<std::size_t>(world_size());
  const std::vector<int> counts(size, world_rank() == 1 ? -1 : 1);
  const std::vector<int> places(size, 0);
  std::vector<int> buffer(size);
  EXPECT_EQ(message_of([&] {
              exchange->run({buffer.data(), counts, places, MPI_INT, buffer.data(), counts, places, MPI_INT});
            }),
            name_of(1) + ": count -1 is negative");
}

TEST(UncheckedMode, is_what_0_means) {
  setenv("CUBEFOLD_CHECK", "0", 1);
  EXPECT_FALSE(CommContext::on(MPI_COMM_WORLD)->is_checked());
  unsetenv("CUBEFOLD_CHECK");
  EXPECT_FALSE(CommContext::on(MPI_COMM_WORLD)->is_checked());
}

TEST(UncheckedMode, is_not_what_another_word_means) {
  setenv("CUBEFOLD_CHECK", "yes", 1);
  EXPECT_EQ(message_of([] { CommContext::on(MPI_COMM_WORLD); }), "CUBEFOLD_CHECK 'yes' is neither 0 nor 1");
  unsetenv("CUBEFOLD_CHECK");
}

}  // namespace
}  // namespace cubefold::mpi
