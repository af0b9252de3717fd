// MPI's functions for neighbours are replaced where messages are combined, and passed on elsewhere.

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <vector>

#include "preload/comm_state.hpp"
#include "preload/programs_neighbours.hpp"

namespace cubefold::preload {
namespace {

using mpi::world_size;

void expect_exchanged(const Ring& ring, int round) {
  RingBlocks blocks(ring, round);
  blocks.exchange();
  blocks.expect_arrived();
}

TEST_F(NeighboursOnARing, get_blocks_of_all_sizes) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  for (const char* method : {"direct", "combined", ""}) {
    exchange_with_neighbours_by(method);
    const Ring ring;
    for (int round = 0; round < 9; ++round) expect_exchanged(ring, round);
  }
}

TEST_F(NeighboursOnARing, have_their_calls_replaced_as_the_variable_says) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  for (const bool is_ours : {true, false}) {
    exchange_with_neighbours_by(is_ours ? "direct" : "mpi");
    const Ring ring;
    const Counted equal{report().Neighbor_alltoall};
    const Counted unequal{report().Neighbor_alltoallv};
    for (int round = 0; round < 3; ++round) expect_exchanged(ring, round);
    EXPECT_TRUE(is_ours ? equal.are_ours(3) : equal.are_passed_on(3));
    EXPECT_TRUE(is_ours ? unequal.are_ours(3) : unequal.are_passed_on(3));
  }
}

#if MPI_VERSION >= 4
TEST_F(NeighboursOnARing, get_blocks_by_functions_with_large_counts) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  for (const bool is_ours : {true, false}) {
    exchange_with_neighbours_by(is_ours ? "direct" : "mpi");
    const Ring ring;
    const std::array counted{Counted{report().Neighbor_alltoall_c}, Counted{report().Neighbor_alltoallv_c},
                             Counted{report().Neighbor_alltoallw_c}, Counted{report().Neighbor_allgather_c},
                             Counted{report().Neighbor_allgatherv_c}};
    for (int round = 0; round < 3; ++round) {
      RingBlocks blocks(ring, round);
      blocks.exchange_large();
      blocks.expect_arrived();
    }
    for (const Counted& each : counted) EXPECT_TRUE(is_ours ? each.are_ours(3) : each.are_passed_on(3));
  }
}
#endif

TEST_F(NeighboursOnARing, of_a_cartesian_communicator_are_passed_on_without_exchanges) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  Comm cart;
  const int extent = world_size();
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &extent, &periodic, 0, cart.out());
  const Counted calls{report().Neighbor_allgather};
  const int own = cart.rank();
  std::vector<int> neighbours(2, -1);
  ASSERT_EQ(MPI_Neighbor_allgather(&own, 1, MPI_INT, neighbours.data(), 1, MPI_INT, cart.get()), MPI_SUCCESS);
  EXPECT_EQ(neighbours.back(), (own + 1) % extent);
  EXPECT_TRUE(calls.are_passed_on(1));
  EXPECT_EQ(state_of(cart.get())->exchanges, nullptr);
}

}  // namespace
}  // namespace cubefold::preload
