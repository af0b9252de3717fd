#include <gtest/gtest.h>

#include "cubefold/cubefold.h"
#include "support/counted_calls.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

class Communicators : public testing::Test {
 protected:
  void SetUp() override { counted_.reset(); }

  CountedCalls& counted_ = counted_calls();
};

TEST_F(Communicators, are_all_freed_with_the_handle) {
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "identity", &comm),
            CUBEFOLD_SUCCESS);
  std::vector<int> blocks(static_cast<std::size_t>(world_size()));
  for (int call = 0; call < 3; ++call) {
    ASSERT_EQ(cubefold_alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm), CUBEFOLD_SUCCESS);
  }
  EXPECT_EQ(counted_.communicators_made,
            counted_.communicators_freed + 3);  // virtual, Cartesian, and one for all exchanges
  ASSERT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
  EXPECT_EQ(comm, nullptr);
  EXPECT_EQ(counted_.communicators_made, counted_.communicators_freed);
}

TEST_F(Communicators, are_all_freed_where_the_handle_cannot_be_made) {
  cubefold_comm comm = nullptr;
  EXPECT_EQ(cubefold_comm_create(MPI_COMM_WORLD, "ring:77", "xor", &comm), CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "identity", nullptr),
            CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_GT(counted_.communicators_made, 0);
  EXPECT_EQ(counted_.communicators_made, counted_.communicators_freed);
}

// MPI returns copies of the types that a derived type is made of, which the exchange has to free.
TEST(Datatypes, are_all_freed_that_the_exchange_looks_into) {
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "identity", &comm),
            CUBEFOLD_SUCCESS);
  MPI_Datatype two = MPI_DATATYPE_NULL;
  MPI_Datatype four = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_contiguous(2, two, &four);
  MPI_Type_commit(&four);
  std::vector<int> blocks(static_cast<std::size_t>(world_size()) * 4);
  counted_calls().types_freed = 0;
  ASSERT_EQ(cubefold_alltoall(MPI_IN_PLACE, 1, four, blocks.data(), 1, four, comm), CUBEFOLD_SUCCESS);
  EXPECT_EQ(counted_calls().types_freed, 1);
  MPI_Type_free(&two);
  MPI_Type_free(&four);
  ASSERT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
}

}  // namespace
}  // namespace cubefold::mpi
