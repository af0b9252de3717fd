// The preloaded library's functions that make Cartesian grids and graphs, in place of MPI's.

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <utility>
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

/// The user asks for new ranks.
class ReorderedOnARing : public OnARing {
  mpi::Variable reorder_{"CUBEFOLD_REORDER", "on", everywhere};
};

TEST_F(OnARing, ranks_stay_as_they_are_unless_the_user_asks_for_new_ones) {
  const int p = world_size();
  const std::vector<int> extents{p % 2 == 0 ? 2 : 1, p % 2 == 0 ? p / 2 : p};
  const std::vector<int> periodic{0, 0};
  Comm cart;
  const Counted calls{report().Cart_create};
  ASSERT_EQ(MPI_Cart_create(MPI_COMM_WORLD, 2, extents.data(), periodic.data(), 1, cart.out()), MPI_SUCCESS);
  EXPECT_TRUE(calls.are_passed_on(1));
  EXPECT_EQ(ranks_in(cart.get()), numbers_up_to(p));
}

TEST_F(ReorderedOnARing, a_cartesian_grid_is_folded_onto_the_network) {
  const int p = world_size();
  if (p != 8) GTEST_SKIP() << "the ranks of 2 x 4 on a ring of 8 are not best in their order";
  const std::vector<int> extents{2, 4};
  const std::vector<int> periodic{0, 0};
  Comm cart;
  const Counted calls{report().Cart_create};
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

TEST_F(ReorderedOnARing, a_cartesian_map_is_that_of_the_cartesian_grid) {
  const int p = world_size();
  if (p != 8) GTEST_SKIP() << "the ranks of 2 x 4 on a ring of 8 are not best in their order";
  const std::vector<int> extents{2, 4};
  const std::vector<int> periodic{0, 0};
  const Counted calls{report().Cart_map};
  int rank = -1;
  ASSERT_EQ(MPI_Cart_map(MPI_COMM_WORLD, 2, extents.data(), periodic.data(), &rank), MPI_SUCCESS);
  EXPECT_TRUE(calls.are_ours(1));
  Comm cart;
  ASSERT_EQ(MPI_Cart_create(MPI_COMM_WORLD, 2, extents.data(), periodic.data(), 1, cart.out()), MPI_SUCCESS);
  EXPECT_EQ(rank, cart.rank());
}

TEST_F(ReorderedOnARing, a_cartesian_map_of_fewer_processes_is_that_of_mpi) {
  const int extent = std::max(1, world_size() - 1);
  const int periodic = 1;
  const Counted calls{report().Cart_map};
  int rank = -1;
  ASSERT_EQ(MPI_Cart_map(MPI_COMM_WORLD, 1, &extent, &periodic, &rank), MPI_SUCCESS);
  EXPECT_TRUE(rank == world_rank() || world_rank() >= extent);
  EXPECT_TRUE(world_size() == 1 || calls.are_passed_on(1));
}

/// A rank and the weight of an edge.
using Neighbour = std::pair<int, int>;

/// The neighbours of a rank in both directions, and whether edges have weights.
struct Adjacency {
  std::vector<Neighbour> in;
  std::vector<Neighbour> out;
  bool has_weights = true;

  bool operator==(const Adjacency&) const = default;
};

std::vector<int> ranks_of(const std::vector<Neighbour>& neighbours) {
  std::vector<int> ranks;
  for (const auto& [rank, weight] : neighbours) ranks.push_back(rank);
  return ranks;
}

std::vector<int> weights_of(const std::vector<Neighbour>& neighbours) {
  std::vector<int> weights;
  for (const auto& [rank, weight] : neighbours) weights.push_back(weight);
  return weights;
}

/// Returns the weights as an argument of MPI.
const int* argument(const std::vector<int>& weights, bool has_weights) {
  if (!has_weights) return MPI_UNWEIGHTED;
  return weights.empty() ? MPI_WEIGHTS_EMPTY : weights.data();
}

int create_adjacent(MPI_Comm comm, const Adjacency& a, int reorder, MPI_Comm* graph) {
  const auto sources = ranks_of(a.in);
  const auto targets = ranks_of(a.out);
  const auto in_weights = weights_of(a.in);
  const auto out_weights = weights_of(a.out);
  return MPI_Dist_graph_create_adjacent(comm, static_cast<int>(sources.size()), sources.data(),
                                        argument(in_weights, a.has_weights), static_cast<int>(targets.size()),
                                        targets.data(), argument(out_weights, a.has_weights), MPI_INFO_NULL,
                                        reorder, graph);
}

/// Returns what MPI says of the neighbours of this process.
Adjacency neighbours_in(MPI_Comm graph) {
  int in_count = 0;
  int out_count = 0;
  int has_weights = 0;
  MPI_Dist_graph_neighbors_count(graph, &in_count, &out_count, &has_weights);
  std::vector<int> in(static_cast<std::size_t>(in_count)), in_weights(in.size(), 1);
  std::vector<int> out(static_cast<std::size_t>(out_count)), out_weights(out.size(), 1);
  MPI_Dist_graph_neighbors(graph, in_count, in.data(), has_weights != 0 ? in_weights.data() : MPI_UNWEIGHTED,
                           out_count, out.data(), has_weights != 0 ? out_weights.data() : MPI_UNWEIGHTED);
  Adjacency found{{}, {}, has_weights != 0};
  for (std::size_t i = 0; i < in.size(); ++i) found.in.emplace_back(in[i], in_weights[i]);
  for (std::size_t i = 0; i < out.size(); ++i) found.out.emplace_back(out[i], out_weights[i]);
  return found;
}

/// Returns the neighbours of a rank of a closed chain that visits every third of p ranks; p is no multiple of 3. Ranks
/// below 2 have a neighbour more, so that not all messages between processes are equally long.
Adjacency on_a_scattered_chain(int rank, int p, bool has_weights) {
  Adjacency a{{}, {}, has_weights};
  const auto add = [&](std::vector<Neighbour>& side, int from, int to) {
    side.emplace_back(&side == &a.in ? from : to, has_weights ? 10 * p + from : 1);
  };
  const int before = (rank + 2 * p - 3) % p;
  const int behind = (rank + 3) % p;
  add(a.out, rank, behind);
  add(a.out, rank, before);
  add(a.in, before, rank);
  add(a.in, behind, rank);
  if (p > 1 && rank < 2) {
    add(a.out, rank, 1 - rank);
    add(a.in, 1 - rank, rank);
  }
  return a;
}

TEST_F(ReorderedOnARing, the_ranks_of_a_graph_are_placed_and_keep_their_neighbours_in_order) {
  const int p = world_size();
  for (const bool has_weights : {false, true}) {
    const Counted calls{report().Dist_graph_create_adjacent};
    Comm graph;
    ASSERT_EQ(
        create_adjacent(MPI_COMM_WORLD, on_a_scattered_chain(world_rank(), p, has_weights), 1, graph.out()),
        MPI_SUCCESS);
    EXPECT_TRUE(p != 8 || calls.are_ours(1));
    EXPECT_EQ(ranks_in(graph.get()) != numbers_up_to(p), p == 8);
    EXPECT_EQ(sorted(ranks_in(graph.get())), numbers_up_to(p));
    EXPECT_EQ(neighbours_in(graph.get()), on_a_scattered_chain(graph.rank(), p, has_weights));
  }
}

Adjacency sorted(Adjacency a) {
  std::sort(a.in.begin(), a.in.end());
  std::sort(a.out.begin(), a.out.end());
  return a;
}

TEST_F(ReorderedOnARing, any_process_may_name_the_edges_of_a_graph) {
  const int p = world_size();
  std::vector<int> sources, degrees, targets, weights;
  for (int rank = 0; world_rank() == p - 1 && rank < p; ++rank) {
    const Adjacency a = on_a_scattered_chain(rank, p, true);
    sources.push_back(rank);
    degrees.push_back(static_cast<int>(a.out.size()));
    for (const auto& [target, weight] : a.out) {
      targets.push_back(target);
      weights.push_back(weight);
    }
  }
  const Counted calls{report().Dist_graph_create};
  Comm graph;
  ASSERT_EQ(
      MPI_Dist_graph_create(MPI_COMM_WORLD, static_cast<int>(sources.size()), sources.data(), degrees.data(),
                            targets.data(), argument(weights, true), MPI_INFO_NULL, 1, graph.out()),
      MPI_SUCCESS);
  EXPECT_TRUE(p != 8 || calls.are_ours(1));
  EXPECT_EQ(ranks_in(graph.get()) != numbers_up_to(p), p == 8);
  EXPECT_EQ(sorted(neighbours_in(graph.get())), sorted(on_a_scattered_chain(graph.rank(), p, true)));
}

TEST_F(ReorderedOnARing, a_graph_without_reordering_or_edges_or_with_wrong_ones_is_that_of_mpi) {
  const int p = world_size();
  if (p == 1) GTEST_SKIP() << "calls of one process are not counted";
  const Counted calls{report().Dist_graph_create_adjacent};
  const Adjacency chain = on_a_scattered_chain(world_rank(), p, true);
  Comm in_order;
  ASSERT_EQ(create_adjacent(MPI_COMM_WORLD, chain, 0, in_order.out()), MPI_SUCCESS);
  EXPECT_EQ(neighbours_in(in_order.get()), chain);
  Comm empty;
  ASSERT_EQ(create_adjacent(MPI_COMM_WORLD, Adjacency{}, 1, empty.out()), MPI_SUCCESS);
  EXPECT_EQ(ranks_in(empty.get()), numbers_up_to(p));
  Comm own = Comm::dup();
  MPI_Comm_set_errhandler(own.get(), MPI_ERRORS_RETURN);
  Comm wrong;
  const int status = create_adjacent(own.get(), {{{p, 1}}, {{p, 1}}}, 1, wrong.out());
  EXPECT_EQ(status == MPI_SUCCESS, mpi::runs_with_mpich())
      << "MPICH makes a graph with a rank that is not there";
  EXPECT_TRUE(calls.are_passed_on(3));
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

TEST_F(ReorderedOnARing, a_cartesian_grid_without_reordering_or_places_for_all_is_that_of_mpi) {
  const int extent = std::max(1, world_size() - 1);
  const int periodic = 1;
  const Counted calls{report().Cart_create};
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
