#include "cubefold/mpi/comm_split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// Returns the virtual ranks of the processes of a communicator in their order. All its processes must call this.
std::vector<int> virtual_ranks_in(const VirtualComm& comm, MPI_Comm part) {
  int size = 0;
  MPI_Comm_size(part, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  const int own = static_cast<int>(label(comm.rank()));
  MPI_Allgather(&own, 1, MPI_INT, ranks.data(), 1, MPI_INT, part);
  return ranks;
}

/// Returns the virtual ranks on the nodes that differ from the own one on these axes at most, in the order of nodes.
std::vector<int> expected_ranks(const VirtualComm& comm, const std::vector<int>& axes) {
  const Grid& grid = comm.grid();
  const GridNode own = comm.placement().node_of(comm.rank());
  std::vector<int> ranks;
  for (std::uint32_t node = 0; node < grid.node_count(); ++node) {
    bool is_there = true;
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      const bool is_free = std::ranges::find(axes, axis) != axes.end();
      is_there = is_there && (is_free || grid.coordinate(GridNode{node}, axis) == grid.coordinate(own, axis));
    }
    if (is_there) ranks.push_back(comm.to_virtual(static_cast<int>(node)));
  }
  return ranks;
}

TEST(CommSplit, makes_communicators_of_lines_and_planes_in_the_order_of_nodes) {
  for (const std::string& name : grids_of_world()) {
    for (const std::string& rule : rules_of_world()) {
      const VirtualComm comm(MPI_COMM_WORLD, name, rule);
      const int axis_count = comm.grid().axis_count();
      for (int axis = 0; axis < axis_count; ++axis) {
        const OwnedComm line = comm_split(comm, "axis/" + std::to_string(axis));
        EXPECT_EQ(virtual_ranks_in(comm, line.get()), expected_ranks(comm, {axis})) << name << " " << rule;
        if (axis == 0) continue;
        const OwnedComm plane = comm_split(comm, "plane/0-" + std::to_string(axis));
        EXPECT_EQ(virtual_ranks_in(comm, plane.get()), expected_ranks(comm, {0, axis}))
            << name << " " << rule;
      }
    }
  }
}

TEST(CommSplit, knows_the_slots_of_nodes) {
  if (world_size() % 2 != 0) GTEST_SKIP() << "written for 2 processes on a node";
  const std::string nodes = "ring:" + std::to_string(world_size() / 2);
  const auto node = GridNode{static_cast<std::uint32_t>(world_rank() / 2)};
  const VirtualComm comm = VirtualComm::on_nodes(MPI_COMM_WORLD, parse_grid(nodes), node);
  EXPECT_EQ(virtual_ranks_in(comm, comm_split(comm, "node").get()),
            (std::vector<int>{world_rank() / 2 * 2, world_rank() / 2 * 2 + 1}));
  std::vector<int> of_slot;
  for (int rank = world_rank() % 2; rank < world_size(); rank += 2) of_slot.push_back(rank);
  EXPECT_EQ(virtual_ranks_in(comm, comm_split(comm, "slot").get()), of_slot);
  EXPECT_EQ(virtual_ranks_in(comm, comm_split(comm, "axis/0").get()).size(),
            static_cast<std::size_t>(world_size()));
}

TEST(CommSplit, has_the_axes_of_the_whole_network_where_the_job_has_a_part) {
  if (world_size() != 3) GTEST_SKIP() << "written for 3 nodes of torus:2x2";
  const auto node = GridNode{static_cast<std::uint32_t>(world_rank() + 1)};
  const VirtualComm comm = VirtualComm::on_nodes(MPI_COMM_WORLD, parse_grid("torus:2x2"), node);
  const auto ranks = virtual_ranks_in(comm, comm_split(comm, "axis/0").get());
  EXPECT_EQ(ranks.size(), world_rank() == 0 ? 1U : 2U) << "node 1 has lost its neighbour on axis 0";
}

TEST(CommSplit, says_on_all_processes_what_is_wrong) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const std::string rule = " is not node, slot, axis/K or plane/K-L with axes K < L below 1";
  EXPECT_EQ(message_of([&] { comm_split(comm, "axis/1"); }),
            "resource 'axis/1' of " + to_string(comm.grid()) + rule);
  if (world_size() == 1) return;
  const std::string differing = message_of([&] { comm_split(comm, world_rank() == 1 ? "slot" : "node"); });
  EXPECT_EQ(differing, "process 1 of " + std::to_string(world_size()) +
                           ": resource 'slot' differs from 'node' of process 0");
  const std::string on_one = message_of([&] { comm_split(comm, world_rank() == 1 ? "spot" : "node"); });
  EXPECT_NE(on_one.find("resource 'spot' of "), std::string::npos) << on_one;
}

}  // namespace
}  // namespace cubefold::mpi
