// The nodes of a job by the functions of Fujitsu's MPI, which this file defines: the processes 2 c and 2 c + 1 are the
// two nodes of a column, and columns are numbered from right to left, so that processes are not in the order of nodes.

#include <gtest/gtest.h>
#include <mpi-ext.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "mpi/job_nodes.hpp"
#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

struct Mock {
  int status = FJMPI_SUCCESS;
  int axes = 2;
  int first_column = 0;
  bool has_tofu_axes = false;
};
Mock mock;

int columns() {
  return (world_size() + 1) / 2;
}

int column(int rank) {
  return mock.first_column + columns() - 1 - rank / 2;
}

JobNodes nodes_found(std::optional<std::string_view> grid = std::nullopt) {
  return nodes_of_job(MPI_COMM_WORLD, grid, "nowhere/hosts.json");
}

/// Sets the mock for one test.
class FujitsuNodes : public testing::Test {
 protected:
  FujitsuNodes() { mock = {}; }
};

TEST_F(FujitsuNodes, have_the_shape_and_the_coordinates_of_the_job) {
  if (world_size() % 2 == 1) GTEST_SKIP() << "needs full columns";
  const JobNodes job = nodes_found();
  EXPECT_TRUE(job.is_known);
  EXPECT_EQ(job.network, Grid({static_cast<std::uint32_t>(columns()), 2}, Ends::open));
  EXPECT_EQ(job.source, "FJMPI_Topology_get_coords; the ends of the axes are not known and taken as open");
  for (int rank = 0; rank < world_size(); ++rank) {
    const auto node = static_cast<GridNode>(column(rank) + rank % 2 * columns());
    EXPECT_EQ(job.node_of_process[static_cast<std::size_t>(rank)], node) << rank;
  }
}

TEST_F(FujitsuNodes, leave_out_those_without_a_process) {
  if (world_size() % 2 == 0) GTEST_SKIP() << "needs a column that is not full";
  EXPECT_EQ(nodes_found().network.node_count(), static_cast<std::size_t>(world_size()));
}

TEST_F(FujitsuNodes, are_on_the_named_grid_if_it_has_the_extents_of_the_job) {
  if (world_size() % 2 == 1) GTEST_SKIP() << "needs full columns";
  const std::string torus = "torus:" + std::to_string(columns()) + "x2";
  const JobNodes job = nodes_found(torus);
  EXPECT_EQ(job.network, parse_grid(torus));
  EXPECT_EQ(job.node_of_process.at(0), static_cast<GridNode>(columns() - 1));
  EXPECT_EQ(job.source, "FJMPI_Topology_get_coords; the ends of the axes are those of the named grid");
  EXPECT_EQ(nodes_found("line:" + std::to_string(world_size())).source, "the grid that was named");
}

TEST_F(FujitsuNodes, are_unknown_if_one_process_has_none) {
  if (world_rank() == world_size() - 1) mock.status = FJMPI_ERR_TOPOLOGY_NODE_SHARED_JOB;
  const JobNodes job = nodes_found();
  EXPECT_FALSE(job.is_known);
  EXPECT_EQ(job.source, "nothing is known of the network");
}

TEST_F(FujitsuNodes, are_unknown_for_other_numbers_of_axes) {
  for (const int axes : {0, 4, -1}) {
    mock.axes = axes;
    EXPECT_FALSE(nodes_found().is_known) << axes;
  }
}

/// Returns x, y, z, a, b, c of a process: units of 12 nodes follow each other along x, and processes run backwards.
std::array<int, 6> tofu_coordinates(int rank) {
  const int place = world_size() - 1 - rank;
  return {place / 12, 0, 0, place / 6 % 2, place % 3, place / 3 % 2};
}

TEST_F(FujitsuNodes, are_on_the_six_axes_of_the_network_if_these_are_known) {
  if (world_size() != 3 && world_size() != 6 && world_size() % 12 != 0)
    GTEST_SKIP() << "needs a box of nodes";
  mock.has_tofu_axes = true;
  const JobNodes job = nodes_found();
  EXPECT_EQ(job.source, "FJMPI_Topology_get_coords; the axes are those of the network");
  const std::string units = world_size() < 12 ? "1" : std::to_string(world_size() / 12);
  const std::string ac = world_size() == 3 ? "x1x3wx1" : world_size() == 6 ? "x1x3wx2" : "x2x3wx2";
  EXPECT_EQ(job.network, parse_grid("grid:" + units + "x1x1" + ac));
  for (int rank = 0; rank < world_size(); ++rank) {
    std::vector<std::uint32_t> at;
    for (const int x : tofu_coordinates(rank)) at.push_back(static_cast<std::uint32_t>(x));
    EXPECT_EQ(job.node_of_process[static_cast<std::size_t>(rank)], job.network.node_at(at)) << rank;
  }
}

TEST_F(FujitsuNodes, are_on_the_logical_axes_if_the_named_grid_has_their_extents) {
  if (world_size() % 2 == 1) GTEST_SKIP() << "needs full columns";
  mock.has_tofu_axes = true;
  const std::string torus = "torus:" + std::to_string(columns()) + "x2";
  EXPECT_EQ(nodes_found(torus).node_of_process.at(0), static_cast<GridNode>(columns() - 1));
}

TEST_F(FujitsuNodes, are_on_the_logical_axes_if_one_process_has_no_others) {
  if (world_size() % 2 == 1) GTEST_SKIP() << "needs full columns";
  mock.has_tofu_axes = world_rank() != world_size() - 1;
  EXPECT_EQ(nodes_found().source,
            "FJMPI_Topology_get_coords; the ends of the axes are not known and taken as open");
}

TEST_F(FujitsuNodes, name_the_process_outside_of_the_shape) {
  if (world_rank() == 0) mock.first_column = 1;
  const std::string text = message_of([] { nodes_found(); });
  const std::string at = std::to_string(columns()) + " 0, outside of ";
  EXPECT_NE(text.find("FJMPI_Topology_get_coords: process 0 is at " + at), std::string::npos) << text;
}

}  // namespace
}  // namespace cubefold::mpi

extern "C" {

int FJMPI_Topology_get_dimension(int* axis_count) {
  *axis_count = cubefold::mpi::mock.axes;
  return cubefold::mpi::mock.status;
}

int FJMPI_Topology_get_shape(int* x, int* y, int* z) {
  *x = cubefold::mpi::columns();
  *y = 2;
  *z = 0;
  return FJMPI_SUCCESS;
}

int FJMPI_Topology_get_coords(MPI_Comm /*comm*/, int rank, int view, int most_axes, int* coordinates) {
  if (view == FJMPI_TOFU_REL) {
    EXPECT_EQ(most_axes, 6);
    if (!cubefold::mpi::mock.has_tofu_axes) return FJMPI_ERR_TOPOLOGY_NODE_SHARED_JOB;
    std::ranges::copy(cubefold::mpi::tofu_coordinates(rank), coordinates);
    return FJMPI_SUCCESS;
  }
  EXPECT_EQ(view, FJMPI_LOGICAL);
  EXPECT_EQ(most_axes, 2);
  coordinates[0] = cubefold::mpi::column(rank);
  coordinates[1] = rank % 2;
  return FJMPI_SUCCESS;
}
}
