#include <gtest/gtest.h>
#include <mpi.h>

#include <cstddef>
#include <vector>

#include "support/counted_calls.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::preload {
namespace {

using mpi::CountedCalls;
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
  void SetUp() override { counted_.reset(); }

  CountedCalls& counted_ = mpi::counted_calls();
};

TEST_F(OwnCommunicators, are_freed_with_the_programs_communicator) {
  if (mpi::world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  const Variable grid("CUBEFOLD_GRID", mpi::ring_of_world(), Variable::Where::everywhere);
  const Variable method("CUBEFOLD_ALLTOALL", "linear", Variable::Where::everywhere);
  exchange_on_a_communicator();
  EXPECT_GT(counted_.communicators_made, 2);
  EXPECT_EQ(counted_.communicators_freed, counted_.communicators_made + 1)
      << "MPI_Cart_create, the preloaded library's own, made one of them";
}

TEST_F(OwnCommunicators, are_freed_at_once_where_calls_are_passed_on) {
  exchange_on_a_communicator();
  EXPECT_EQ(counted_.communicators_freed, counted_.communicators_made);
}

}  // namespace
}  // namespace cubefold::preload
