#include <gtest/gtest.h>

#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_request.hpp"
#include "support/counted_calls.hpp"
#include "support/numbered_blocks.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// The numbers of messages that this process sends before the last process has started its exchange, and in total.
struct Sends {
  int before;
  int after;
};

/// Counts messages around the start of the last process, which starts after all others have tested their exchanges
/// often.
Sends sends_around_the_last_start(StepSync sync) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const auto exchange = AlltoallPlan::make(comm, {.method = {ExchangeAlgorithm::direct, {}}, .sync = sync});
  const auto send = sent_by(world_rank(), world_size(), 2);
  std::vector<int> receive(send.size());
  auto request = exchange->prepare({send.data(), 2, MPI_INT, receive.data(), 2, MPI_INT});
  const bool is_last = world_rank() == world_size() - 1;
  const std::atomic<int>& sent = counted_calls().messages;
  counted_calls().messages = 0;
  if (!is_last) request->start();
  for (int i = 0; !is_last && i < 300; ++i) EXPECT_FALSE(request->test());
  const int before = sent;
  MPI_Barrier(MPI_COMM_WORLD);
  if (is_last) request->start();
  request->wait();
  EXPECT_EQ(receive, received_by(world_rank(), world_size(), 2));
  return {before, sent};
}

TEST(CommonStart, is_awaited_by_the_clock) {
  if (world_size() == 1) GTEST_SKIP() << "one process is over at once";
  const auto [before, after] = sends_around_the_last_start(StepSync::clock);
  EXPECT_EQ(before, 0);
  EXPECT_EQ(after, world_size() - 1);
}

TEST(CommonStart, is_not_needed_where_steps_wait_for_data) {
  if (world_size() == 1) GTEST_SKIP() << "one process is over at once";
  const auto [before, after] = sends_around_the_last_start(StepSync::data);
  const bool is_last = world_rank() == world_size() - 1;
  EXPECT_EQ(before > 0, !is_last);
  EXPECT_EQ(after, world_size() - 1);
}

}  // namespace
}  // namespace cubefold::mpi
