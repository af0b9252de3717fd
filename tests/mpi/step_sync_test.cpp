#include <gtest/gtest.h>

#include <algorithm>

#include "mpi/alltoall_plan.hpp"
#include "support/numbered_blocks.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

AlltoallSetup synchronised(const ExchangeMethod& method, StepSync sync) {
  return {.method = method, .sync = sync, .times = {{{1, 1, 1, Waits::first}}, 4e-6, 2e-6, 1e-10}};
}

/// Expects that two successive runs with blocks of `count` ints are correct, because messages of one run must not match
/// receives of the next.
void expect_exchanged(AlltoallPlan& exchange, const VirtualComm& comm, int count, const std::string& what) {
  const int rank = static_cast<int>(label(comm.rank()));
  const auto send = sent_by(rank, world_size(), count);
  std::vector<int> receive(send.size());
  exchange.run({send.data(), count, MPI_INT, receive.data(), count, MPI_INT});
  EXPECT_EQ(receive, received_by(rank, world_size(), count)) << what;
  exchange.run({MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive.data(), count, MPI_INT});
  EXPECT_EQ(receive, send) << what;
}

class EveryStepSync : public testing::TestWithParam<StepSync> {};

TEST_P(EveryStepSync, brings_every_block_by_every_method_on_every_grid) {
  for (const auto& grid : grids_of_world()) {
    const VirtualComm comm(MPI_COMM_WORLD, grid, "identity");
    for (const auto& method : compared_methods(comm.grid())) {
      for (const Ports ports : {Ports::one, Ports::all}) {
        AlltoallSetup setup = synchronised(method, GetParam());
        setup.network = {ports, Tie::balanced};
        const auto exchange = AlltoallPlan::make(comm, setup);
        for (const int count : {0, 1, 50})
          expect_exchanged(*exchange, comm, count, grid + ' ' + to_string(method));
      }
    }
  }
}

TEST_P(EveryStepSync, brings_every_block_in_pieces_that_do_not_divide_it) {
  const VirtualComm comm(MPI_COMM_WORLD, grids_of_world().back(), "identity");
  for (const auto& method : compared_methods(comm.grid())) {
    AlltoallSetup setup = synchronised(method, GetParam());
    setup.piece_bytes = 28;
    setup.bytes_in_flight = 100;
    setup.send_window_steps = 1;
    expect_exchanged(*AlltoallPlan::make(comm, setup), comm, 50, to_string(method));
  }
}

INSTANTIATE_TEST_SUITE_P(StepSyncs, EveryStepSync, testing::Values(StepSync::data, StepSync::clock));

}  // namespace
}  // namespace cubefold::mpi
