// Cartesian communicators whose ranks suit a halo exchange on the network.

#include "cubefold/mpi/cart_create.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "cubefold/plan/mapping.hpp"
#include "support/message_of.hpp"
#include "support/several_hosts.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// Returns the ranks of the processes of the world in a communicator.
std::vector<int> ranks_in(MPI_Comm comm) {
  int own = -1;
  MPI_Comm_rank(comm, &own);
  std::vector<int> ranks(static_cast<std::size_t>(world_size()));
  MPI_Allgather(&own, 1, MPI_INT, ranks.data(), 1, MPI_INT, MPI_COMM_WORLD);
  return ranks;
}

bool has_every_rank(std::vector<int> ranks) {
  std::vector<int> all(ranks.size());
  std::iota(all.begin(), all.end(), 0);
  std::ranges::sort(ranks);
  return ranks == all;
}

std::vector<int> world_ranks() {
  return ranks_in(MPI_COMM_WORLD);
}

/// Returns the messages on the busiest link of a halo exchange if processes n with equal n / per_node share a node.
double busiest(const Grid& network, const std::string& halo, const std::vector<int>& rank_of_process,
               std::size_t per_node = 1) {
  std::vector<GridNode> node_of_rank(rank_of_process.size());
  for (std::size_t process = 0; process < rank_of_process.size(); ++process) {
    const auto rank = static_cast<std::size_t>(rank_of_process[process]);
    node_of_rank[rank] = static_cast<GridNode>(process / per_node);
  }
  return evaluate(network, node_of_rank, parse_phases(halo, rank_of_process.size())).objective;
}

TEST(CartCreate, folds_the_grid_onto_the_network) {
  if (world_size() != 8) GTEST_SKIP() << "written for 8 processes";
  const VirtualComm comm(MPI_COMM_WORLD, "ring:8", "identity");
  const std::vector<int> extents{2, 4};
  const std::vector<int> periodic{0, 0};
  const OwnedComm cart = cart_create(comm, extents, periodic);
  const auto ranks = ranks_in(cart.get());
  EXPECT_TRUE(has_every_rank(ranks));
  EXPECT_LT(busiest(comm.network(), "halo:2x4", ranks), busiest(comm.network(), "halo:2x4", world_ranks()));
}

TEST(CartCreate, keeps_virtual_ranks_that_are_as_good) {
  const std::string ring = "ring:" + std::to_string(world_size());
  const VirtualComm comm(MPI_COMM_WORLD, ring, "identity");
  const std::vector<int> extents{world_size()};
  const std::vector<int> periodic{1};
  EXPECT_EQ(ranks_in(cart_create(comm, extents, periodic).get()), world_ranks());
}

TEST(CartCreate, takes_different_numbers_of_processes_on_nodes_as_they_are) {
  if (world_size() != 4) GTEST_SKIP() << "written for 4 processes";
  const SeveralHosts hosts(world_rank() == 0 ? 0 : 1);
  const VirtualComm comm(MPI_COMM_WORLD, "ring:2", "identity");
  const std::vector<int> extents{2, 2};
  const std::vector<int> periodic{1, 0};
  EXPECT_EQ(ranks_in(cart_create(comm, extents, periodic).get()), world_ranks());
}

TEST(CartCreate, has_every_rank_where_two_share_a_node) {
  if (world_size() != 8) GTEST_SKIP() << "written for 8 processes";
  const SeveralHosts hosts(world_rank() % 4);
  const VirtualComm comm(MPI_COMM_WORLD, "ring:4", "identity");
  const std::vector<int> extents{2, 4};
  const std::vector<int> periodic{1, 1};
  EXPECT_TRUE(has_every_rank(ranks_in(cart_create(comm, extents, periodic).get())));
}

TEST(CartCreate, puts_bricks_on_nodes_with_several_processes) {
  if (world_size() != 8) GTEST_SKIP() << "written for 8 processes";
  const SeveralHosts hosts(world_rank() / 4);
  const VirtualComm comm(MPI_COMM_WORLD, "line:2", "identity");
  const std::vector<int> extents{2, 4};
  const std::vector<int> periodic{0, 0};
  const auto ranks = ranks_in(cart_create(comm, extents, periodic).get());
  EXPECT_TRUE(has_every_rank(ranks));
  EXPECT_EQ(busiest(comm.network(), "halo:2x4", world_ranks(), 4), 4) << "a node has a row";
  EXPECT_EQ(busiest(comm.network(), "halo:2x4", ranks, 4), 2) << "a node has two columns";
}

TEST(CartCreate, refuses_other_numbers_of_places_and_different_grids) {
  const VirtualComm comm(MPI_COMM_WORLD, "ring:" + std::to_string(world_size()), "identity");
  const auto refusal = [&](const std::vector<int>& extents) {
    const std::vector<int> periodic(extents.size());
    return message_of([&] { cart_create(comm, extents, periodic); });
  };
  const std::string processes = " has no place for exactly " + std::to_string(world_size()) + " processes";
  EXPECT_EQ(refusal({world_size(), 2}), "a grid of " + std::to_string(world_size()) + "x2" + processes);
  EXPECT_EQ(refusal({-1}), "a grid of -1" + processes);
  EXPECT_EQ(refusal({}), "a grid of " + processes);
  if (world_size() < 2) return;
  const int one = world_rank() == 1 ? 1 : world_size();
  EXPECT_NE(refusal({one, world_size() / one}).find("the grid 'halo:1x"), std::string::npos);
}

}  // namespace
}  // namespace cubefold::mpi
