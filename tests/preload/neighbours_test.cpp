// MPI's functions for neighbours are replaced where messages are combined, and passed on elsewhere.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "preload/comm_state.hpp"
#include "preload/programs_calls.hpp"
#include "support/variable.hpp"

namespace cubefold::preload {
namespace {

using mpi::world_rank;
using mpi::world_size;

/// The way in which neighbours exchange blocks is that which the test names.
class NeighboursOnARing : public OnARing {
 protected:
  void exchange_with_neighbours_by(const std::string& method) {
    method_.reset();
    method_.emplace("CUBEFOLD_NEIGHBORS", method, everywhere);
    gather_world_anew();
  }

  std::optional<mpi::Variable> method_;
};

/// A ring on which every process has the neighbours at distances 1 and 2 on both sides, and itself.
class Ring {
 public:
  Ring() {
    gather_world_anew();
    for (const int distance : {-2, -1, 0, 1, 2}) {
      to_.push_back(at(distance));
      from_.push_back(at(-distance));
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 5, from_.data(), MPI_UNWEIGHTED, 5, to_.data(),
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, comm_.out());
  }

  MPI_Comm get() const { return comm_.get(); }

  /// Expects that blocks of sizes that change with `round` arrive.
  void expect_exchanged(int round) const {
    std::vector<int> sent_counts;
    std::vector<int> received_counts;
    const std::vector<int> places{0, 4, 8, 12, 16};
    std::vector<int> sent(20);
    std::vector<int> expected(20, -1);
    for (std::size_t i = 0; i < 5; ++i) {
      const int distance = static_cast<int>(i) - 2;
      sent_counts.push_back(count(world_rank(), distance, round));
      received_counts.push_back(count(from_[i], distance, round));
      for (int k = 0; k < 4; ++k)
        sent[4 * i + static_cast<std::size_t>(k)] = value(world_rank(), distance, k);
      for (int k = 0; k < received_counts[i]; ++k)
        expected[4 * i + static_cast<std::size_t>(k)] = value(from_[i], distance, k);
    }
    std::vector<int> received(20, -1);
    ASSERT_EQ(MPI_Neighbor_alltoallv(sent.data(), sent_counts.data(), places.data(), MPI_INT, received.data(),
                                     received_counts.data(), places.data(), MPI_INT, get()),
              MPI_SUCCESS);
    EXPECT_EQ(received, expected);
    std::vector<int> equal(20, -1);
    ASSERT_EQ(MPI_Neighbor_alltoall(sent.data(), 4, MPI_INT, equal.data(), 4, MPI_INT, get()), MPI_SUCCESS);
    for (std::size_t i = 0; i < 20; ++i)
      EXPECT_EQ(equal[i], value(from_[i / 4], static_cast<int>(i / 4) - 2, static_cast<int>(i % 4)));
    std::vector<MPI_Datatype> types(5, MPI_INT);
    std::vector<MPI_Aint> far;
    for (const int place : places) far.push_back(static_cast<MPI_Aint>(sizeof(int)) * place);
    std::vector<int> typed(20, -1);
    ASSERT_EQ(MPI_Neighbor_alltoallw(sent.data(), sent_counts.data(), far.data(), types.data(), typed.data(),
                                     received_counts.data(), far.data(), types.data(), get()),
              MPI_SUCCESS);
    EXPECT_EQ(typed, expected);
    const int own = world_rank();
    std::vector<int> gathered(5);
    ASSERT_EQ(MPI_Neighbor_allgather(&own, 1, MPI_INT, gathered.data(), 1, MPI_INT, get()), MPI_SUCCESS);
    EXPECT_EQ(gathered, from_);
    const std::vector<int> ones(5, 1);
    std::vector<int> spread(20, -1);
    ASSERT_EQ(
        MPI_Neighbor_allgatherv(&own, 1, MPI_INT, spread.data(), ones.data(), places.data(), MPI_INT, get()),
        MPI_SUCCESS);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(spread[4 * i], from_[i]);
  }

 private:
  static int at(int distance) {
    const int p = world_size();
    return ((world_rank() + distance) % p + p) % p;
  }
  static int count(int from, int distance, int round) { return (from + distance + 2 + round) % 5; }
  static int value(int from, int distance, int k) { return 1000 * from + 10 * (distance + 2) + k; }

  std::vector<int> to_;
  std::vector<int> from_;
  Comm comm_;
};

TEST_F(NeighboursOnARing, get_blocks_of_all_sizes) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  for (const char* method : {"direct", "combined", ""}) {
    exchange_with_neighbours_by(method);
    const Ring ring;
    for (int round = 0; round < 9; ++round) ring.expect_exchanged(round);
  }
}

TEST_F(NeighboursOnARing, have_their_calls_replaced_as_the_variable_says) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  for (const bool is_ours : {true, false}) {
    exchange_with_neighbours_by(is_ours ? "direct" : "mpi");
    const Ring ring;
    const Counted equal{report().Neighbor_alltoall};
    const Counted unequal{report().Neighbor_alltoallv};
    for (int round = 0; round < 3; ++round) ring.expect_exchanged(round);
    EXPECT_TRUE(is_ours ? equal.are_ours(3) : equal.are_passed_on(3));
    EXPECT_TRUE(is_ours ? unequal.are_ours(3) : unequal.are_passed_on(3));
  }
}

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
