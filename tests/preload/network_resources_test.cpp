// The resources of the network as MPI_Get_hw_resource_info and MPI_Comm_split_type have them.

#include <gtest/gtest.h>
#include <mpi.h>

#include <string>
#include <vector>

#include "preload/network_resources.hpp"
#include "preload/programs_calls.hpp"

namespace cubefold::preload {
namespace {

using mpi::Variable;
using mpi::world_rank;
using mpi::world_size;

/// Four processes are on a torus of 2 x 2 nodes, or on another grid.
class OnATorus : public testing::Test {
 protected:
  OnATorus() { gather_world_anew(); }
  void SetUp() override {
    if (world_size() != 4) GTEST_SKIP() << "written for 4 processes";
  }

  /// Returns the ranks in MPI_COMM_WORLD of the processes of a communicator, and frees it.
  static std::vector<int> members(MPI_Comm part) {
    if (part == MPI_COMM_NULL) return {};
    int size = 0;
    MPI_Comm_size(part, &size);
    std::vector<int> ranks(static_cast<std::size_t>(size));
    const int own = world_rank();
    MPI_Allgather(&own, 1, MPI_INT, ranks.data(), 1, MPI_INT, part);
    MPI_Comm_free(&part);
    return ranks;
  }

 private:
  mpi::SeveralHosts hosts_{world_rank()};
  Variable grid_{"CUBEFOLD_GRID", "torus:2x2", Variable::Where::everywhere};
};

TEST_F(OnATorus, every_resource_of_the_network_is_in_the_info_of_the_hardware) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  add_resources(info);
  for (const char* key : {"cubefold://node", "cubefold://slot", "cubefold://axis/0", "cubefold://axis/1",
                          "cubefold://plane/0-1"}) {
    char value[8] = {};
    int is_there = 0;
    MPI_Info_get(info, key, 7, value, &is_there);
    EXPECT_EQ(is_there, 1) << key;
    EXPECT_EQ(std::string(value), "true") << key;
  }
  int count = 0;
  MPI_Info_get_nkeys(info, &count);
  EXPECT_EQ(count, 5);
  MPI_Info_free(&info);
}

TEST_F(OnATorus, processes_are_split_by_the_lines_of_the_network_in_the_order_of_their_keys) {
  const auto split = [](const std::string& resource) {
    MPI_Comm part = MPI_COMM_NULL;
    EXPECT_TRUE(split_by_resource(MPI_COMM_WORLD, resource, -world_rank(), &part));
    return members(part);
  };
  const int row = world_rank() / 2 * 2;
  const int column = world_rank() % 2;
  EXPECT_EQ(split("axis/0"), (std::vector<int>{row + 1, row}));
  EXPECT_EQ(split("axis/1"), (std::vector<int>{column + 2, column}));
  EXPECT_EQ(split("plane/0-1"), (std::vector<int>{3, 2, 1, 0}));
  EXPECT_EQ(split("node"), std::vector<int>{world_rank()});
  EXPECT_EQ(split("axis/2"), std::vector<int>{});
  const std::vector<std::vector<int>> without_3{{1, 0}, {1, 0}, {2}, {}};
  EXPECT_EQ(split(world_rank() == 3 ? "" : "axis/0"), without_3[static_cast<std::size_t>(world_rank())]);
  MPI_Comm part = MPI_COMM_NULL;
  EXPECT_FALSE(split_by_resource(MPI_COMM_WORLD, "", 0, &part)) << "nobody names a resource";
}

TEST_F(OnATorus, an_unknown_network_has_no_resources) {
  const Variable unknown("CUBEFOLD_GRID", "", Variable::Where::everywhere);
  gather_world_anew();
  EXPECT_FALSE(is_on_network(MPI_COMM_WORLD));
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  add_resources(info);
  int count = -1;
  MPI_Info_get_nkeys(info, &count);
  EXPECT_EQ(count, 0);
  MPI_Info_free(&info);
}

}  // namespace
}  // namespace cubefold::preload
