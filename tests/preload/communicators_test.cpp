#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <vector>

#include "support/variable.hpp"
#include "support/world.hpp"

// These functions replace those of the MPI library and count the calls. MPI_Cart_create is the preloaded library's own.
namespace {
int made = 0;
int freed = 0;
}  // namespace

extern "C" {
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++made;
  return PMPI_Comm_dup(comm, copy);
}
int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  ++made;
  return PMPI_Comm_split(comm, color, key, part);
}
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++made;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}
int MPI_Comm_free(MPI_Comm* comm) {
  ++freed;
  return PMPI_Comm_free(comm);
}
}

namespace cubefold::preload {
namespace {

using mpi::Variable;

/// Calls MPI_Alltoall on a communicator that is freed afterwards, as a program does.
void exchange_on_a_communicator() {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::vector<int> blocks(static_cast<std::size_t>(mpi::world_size()));
  for (int call = 0; call < 3; ++call)
    MPI_Alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm);
  MPI_Comm_free(&comm);
}

class OwnCommunicators : public testing::Test {
 protected:
  void SetUp() override { made = freed = 0; }
};

TEST_F(OwnCommunicators, are_freed_with_the_programs_communicator) {
  if (mpi::world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  const Variable grid("CUBEFOLD_GRID", mpi::ring_of_world(), Variable::Where::everywhere);
  const Variable method("CUBEFOLD_ALLTOALL", "linear", Variable::Where::everywhere);
  exchange_on_a_communicator();
  EXPECT_GT(made, 2);
  EXPECT_EQ(freed, made + 1) << "one of them is a Cartesian one, which is not counted when it is made";
}

TEST_F(OwnCommunicators, are_freed_at_once_where_calls_are_passed_on) {
  exchange_on_a_communicator();
  EXPECT_EQ(freed, made);
}

}  // namespace
}  // namespace cubefold::preload
