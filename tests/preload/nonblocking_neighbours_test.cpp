// Threads make the non-blocking and the persistent calls for neighbours, where cubefold makes the blocking ones.

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "preload/programs_neighbours.hpp"

namespace cubefold::preload {
namespace {

using mpi::world_rank;
using mpi::world_size;

std::array<CallCount*, 5> non_blocking() {
  return {&report().Ineighbor_alltoall, &report().Ineighbor_alltoallv, &report().Ineighbor_alltoallw,
          &report().Ineighbor_allgather, &report().Ineighbor_allgatherv};
}

std::array<CallCount*, 5> persistent() {
  return {&report().Neighbor_alltoall_init, &report().Neighbor_alltoallv_init,
          &report().Neighbor_alltoallw_init, &report().Neighbor_allgather_init,
          &report().Neighbor_allgatherv_init};
}

/// The counts of several functions.
class CountedFunctions {
 public:
  explicit CountedFunctions(const std::array<CallCount*, 5>& functions) {
    for (CallCount* each : functions) counts_.push_back({*each});
  }

  void expect_ours(std::uint64_t calls) const {
    for (const Counted& each : counts_) EXPECT_TRUE(each.are_ours(calls)) << each.count.function;
  }
  void expect_passed_on(std::uint64_t calls) const {
    for (const Counted& each : counts_) EXPECT_TRUE(each.are_passed_on(calls)) << each.count.function;
  }

 private:
  std::vector<Counted> counts_;
};

class NeighbourThreads : public NeighboursOnARing {
 protected:
  void SetUp() override {
    if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
    exchange_with_neighbours_by("direct");
  }

 private:
  mpi::Variable wanted_{"CUBEFOLD_PROGRESS_THREAD", "1", everywhere};
};

TEST_F(NeighbourThreads, bring_blocks_of_all_functions_that_are_under_way_together) {
  for (const char* method : {"direct", "combined"}) {
    exchange_with_neighbours_by(method);
    const Ring ring;
    const bool is_ours = progress_thread_of(ring.get())->serves_neighbours();
    EXPECT_TRUE(is_ours || method == std::string("combined")) << "no stencil is needed for direct messages";
    const CountedFunctions calls(non_blocking());
    for (int round = 0; round < 9; ++round) {
      RingBlocks first(ring, round);
      RingBlocks second(ring, round + 1);
      first.start();
      second.start();
      EXPECT_EQ(second.wait(), MPI_SUCCESS);
      EXPECT_EQ(first.wait(), MPI_SUCCESS);
      first.expect_arrived();
      second.expect_arrived();
      RingBlocks blocking(ring, round);
      blocking.exchange();
      blocking.expect_arrived();
    }
    is_ours ? calls.expect_ours(18) : calls.expect_passed_on(18);
  }
}

TEST_F(NeighbourThreads, combine_messages_where_a_stencil_is_recognised) {
  if (world_size() < 8 || world_size() % 4 != 0) GTEST_SKIP() << "needs a grid on which messages are saved";
  exchange_with_neighbours_by("combined");
  const int rows = world_size() / 4;
  const int row = world_rank() / 4;
  const int column = world_rank() % 4;
  std::vector<int> neighbours;
  for (const int down : {-1, 0, 1})
    for (const int right : {-1, 0, 1})
      neighbours.push_back((row + down + rows) % rows * 4 + (column + right + 4) % 4);
  Comm graph;
  const auto degree = static_cast<int>(neighbours.size());
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, neighbours.data(), MPI_UNWEIGHTED, degree,
                                 neighbours.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0, graph.out());
  ASSERT_NE(progress_thread_of(graph.get()), nullptr);
  EXPECT_TRUE(progress_thread_of(graph.get())->serves_neighbours());
  const Counted calls{report().Ineighbor_allgather};
  const int own = world_rank();
  std::vector<int> gathered(neighbours.size(), -1);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ineighbor_allgather(&own, 1, MPI_INT, gathered.data(), 1, MPI_INT, graph.get(), &request);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(gathered, neighbours);
  EXPECT_TRUE(calls.are_ours(1));
}

TEST_F(NeighbourThreads, read_arrays_and_types_before_the_call_returns) {
  const Ring ring;
  for (int round = 0; round < 5; ++round) {
    RingBlocks blocks(ring, round);
    blocks.start();
    blocks.overwrite_arrays();
    EXPECT_EQ(blocks.wait(), MPI_SUCCESS);
    blocks.expect_arrived();
  }
}

TEST_F(NeighbourThreads, make_persistent_exchanges_at_each_start) {
  const Ring ring;
  const CountedFunctions calls(persistent());
  RingBlocks first(ring, 1);
  RingBlocks second(ring, 3);
  first.make_persistent();
  second.make_persistent();
  for (int start = 0; start < 3; ++start) {
    for (RingBlocks* each : {&first, &second}) {
      each->forget();
      ASSERT_EQ(MPI_Startall(5, each->requests().data()), MPI_SUCCESS);
    }
    EXPECT_EQ(second.wait(), MPI_SUCCESS);
    EXPECT_EQ(first.wait(), MPI_SUCCESS);
    first.expect_arrived();
    second.expect_arrived();
  }
  calls.expect_ours(6);
}

#if MPI_VERSION >= 4
std::array<CallCount*, 5> large_non_blocking() {
  return {&report().Ineighbor_alltoall_c, &report().Ineighbor_alltoallv_c, &report().Ineighbor_alltoallw_c,
          &report().Ineighbor_allgather_c, &report().Ineighbor_allgatherv_c};
}

std::array<CallCount*, 5> large_persistent() {
  return {&report().Neighbor_alltoall_init_c, &report().Neighbor_alltoallv_init_c,
          &report().Neighbor_alltoallw_init_c, &report().Neighbor_allgather_init_c,
          &report().Neighbor_allgatherv_init_c};
}

void exchange_with_large_counts(const Ring& ring) {
  RingBlocks blocks(ring, 2);
  blocks.start_large();
  EXPECT_EQ(blocks.wait(), MPI_SUCCESS);
  blocks.expect_arrived();
  RingBlocks again(ring, 3);
  again.make_large_persistent();
  for (int start = 0; start < 2; ++start) {
    again.forget();
    ASSERT_EQ(MPI_Startall(5, again.requests().data()), MPI_SUCCESS);
    EXPECT_EQ(again.wait(), MPI_SUCCESS);
    again.expect_arrived();
  }
}

TEST_F(NeighbourThreads, serve_functions_with_large_counts) {
  const Ring ring;
  const CountedFunctions started(large_non_blocking());
  const CountedFunctions made(large_persistent());
  exchange_with_large_counts(ring);
  started.expect_ours(1);
  made.expect_ours(2);
}

TEST_F(NeighboursOnARing, functions_with_large_counts_are_passed_on_without_threads) {
  exchange_with_neighbours_by("direct");
  const Ring ring;
  const CountedFunctions started(large_non_blocking());
  const CountedFunctions made(large_persistent());
  exchange_with_large_counts(ring);
  started.expect_passed_on(1);
  made.expect_passed_on(1);
}
#endif

// Each process tells the next one that its own call has returned.
TEST_F(NeighbourThreads, are_not_waited_for_by_any_call) {
  const Ring ring;
  RingBlocks blocks(ring, 0);
  int word = 0;
  if (world_rank() != 0) MPI_Recv(&word, 1, MPI_INT, world_rank() - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  blocks.start();
  if (world_rank() + 1 < world_size()) MPI_Send(&word, 1, MPI_INT, world_rank() + 1, 0, MPI_COMM_WORLD);
  EXPECT_EQ(blocks.wait(), MPI_SUCCESS);
  blocks.expect_arrived();
}

TEST_F(NeighbourThreads, pass_invalid_arguments_on_to_mpi) {
  const Ring ring;
  MPI_Comm_set_errhandler(ring.get(), MPI_ERRORS_RETURN);
  const Counted calls{report().Ineighbor_alltoall};
  std::vector<int> blocks(ring.degree());
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_NE(
      MPI_Ineighbor_alltoall(blocks.data(), -1, MPI_INT, blocks.data(), -1, MPI_INT, ring.get(), &request),
      MPI_SUCCESS);
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST_F(NeighbourThreads, leave_calls_to_mpi_where_the_blocking_ones_are_left) {
  exchange_with_neighbours_by("mpi");
  const Ring ring;
  const CountedFunctions calls(non_blocking());
  RingBlocks blocks(ring, 0);
  blocks.start();
  EXPECT_EQ(blocks.wait(), MPI_SUCCESS);
  blocks.expect_arrived();
  calls.expect_passed_on(1);
}

TEST_F(NeighbourThreads, end_exchanges_of_a_communicator_that_is_freed_meanwhile) {
  std::optional<Ring> ring(std::in_place);
  const int own = world_rank();
  const std::vector<int> sources = ring->sources();
  std::vector<int> gathered(ring->degree(), -1);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ineighbor_allgather(&own, 1, MPI_INT, gathered.data(), 1, MPI_INT, ring->get(), &request);
  ring.reset();
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(gathered, sources);
}

TEST_F(NeighboursOnARing, non_blocking_and_persistent_calls_are_passed_on_without_threads) {
  exchange_with_neighbours_by("direct");
  const Ring ring;
  const CountedFunctions started(non_blocking());
  const CountedFunctions made(persistent());
  RingBlocks blocks(ring, 2);
  blocks.start();
  EXPECT_EQ(blocks.wait(), MPI_SUCCESS);
  blocks.expect_arrived();
  RingBlocks again(ring, 2);
  again.make_persistent();
  ASSERT_EQ(MPI_Startall(5, again.requests().data()), MPI_SUCCESS);
  EXPECT_EQ(again.wait(), MPI_SUCCESS);
  again.expect_arrived();
  started.expect_passed_on(1);
  made.expect_passed_on(1);
}

}  // namespace
}  // namespace cubefold::preload
