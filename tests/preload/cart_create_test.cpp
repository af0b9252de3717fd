// The preloaded library's MPI_Cart_create in place of MPI's.

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "preload/programs_calls.hpp"

namespace cubefold::preload {
namespace {

using mpi::world_rank;
using mpi::world_size;

/// Returns the ranks of the processes of the world in a communicator.
std::vector<int> ranks_in(MPI_Comm comm) {
  int own = -1;
  if (comm != MPI_COMM_NULL) MPI_Comm_rank(comm, &own);
  std::vector<int> ranks(static_cast<std::size_t>(world_size()));
  MPI_Allgather(&own, 1, MPI_INT, ranks.data(), 1, MPI_INT, MPI_COMM_WORLD);
  return ranks;
}

std::vector<int> sorted(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::vector<int> numbers_up_to(int count) {
  std::vector<int> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), 0);
  return result;
}

TEST_F(OnARing, a_cartesian_grid_is_folded_onto_the_network) {
  const int p = world_size();
  if (p != 8) GTEST_SKIP() << "the ranks of 2 x 4 on a ring of 8 are not best in their order";
  const std::vector<int> extents{2, 4};
  const std::vector<int> periodic{0, 0};
  Comm cart;
  const Counted calls{report().cart_create};
  ASSERT_EQ(MPI_Cart_create(MPI_COMM_WORLD, 2, extents.data(), periodic.data(), 1, cart.out()), MPI_SUCCESS);
  EXPECT_TRUE(calls.are_ours(1));
  EXPECT_NE(ranks_in(cart.get()), numbers_up_to(p));
  EXPECT_EQ(sorted(ranks_in(cart.get())), numbers_up_to(p));
  std::vector<int> made_extents(2);
  std::vector<int> made_periodic(2);
  std::vector<int> coordinates(2);
  MPI_Cart_get(cart.get(), 2, made_extents.data(), made_periodic.data(), coordinates.data());
  EXPECT_EQ(made_extents, extents);
  EXPECT_EQ(made_periodic, periodic);
  EXPECT_EQ(coordinates[0] * 4 + coordinates[1], cart.rank());
}

TEST(CartesianGrid, has_all_ranks_where_two_share_a_node) {
  const int p = world_size();
  if (p < 4 || p % 2 != 0) GTEST_SKIP() << "needs two nodes with two processes each";
  const mpi::SeveralHosts hosts(world_rank() / 2);
  const mpi::Variable grid("CUBEFOLD_GRID", "ring:" + std::to_string(p / 2),
                           mpi::Variable::Where::everywhere);
  const std::vector<int> extents{2, p / 2};
  const std::vector<int> periodic{1, 0};
  Comm cart;
  ASSERT_EQ(MPI_Cart_create(MPI_COMM_WORLD, 2, extents.data(), periodic.data(), 1, cart.out()), MPI_SUCCESS);
  EXPECT_EQ(sorted(ranks_in(cart.get())), numbers_up_to(p));
}

TEST_F(OnARing, a_cartesian_grid_without_reordering_or_places_for_all_is_that_of_mpi) {
  const int extent = std::max(1, world_size() - 1);
  const int periodic = 1;
  const Counted calls{report().cart_create};
  Comm smaller;
  ASSERT_EQ(MPI_Cart_create(MPI_COMM_WORLD, 1, &extent, &periodic, 1, smaller.out()), MPI_SUCCESS);
  EXPECT_EQ(smaller.get() == MPI_COMM_NULL, world_rank() >= extent);
  const int all = world_size();
  Comm in_order;
  ASSERT_EQ(MPI_Cart_create(MPI_COMM_WORLD, 1, &all, &periodic, 0, in_order.out()), MPI_SUCCESS);
  EXPECT_EQ(ranks_in(in_order.get()), numbers_up_to(all));
  EXPECT_TRUE(calls.are_passed_on(2));
}

}  // namespace
}  // namespace cubefold::preload
