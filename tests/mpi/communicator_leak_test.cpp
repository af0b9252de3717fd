#include <gtest/gtest.h>

#include "cubefold/cubefold.h"
#include "support/world.hpp"

// These functions replace those of the MPI library through MPI's profiling interface and count the calls.
namespace {
int made = 0;
int freed = 0;
int types_freed = 0;
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
int MPI_Cart_create(MPI_Comm comm, int axis_count, const int extents[], const int periods[], int reorder,
                    MPI_Comm* cart) {
  ++made;
  return PMPI_Cart_create(comm, axis_count, extents, periods, reorder, cart);
}
int MPI_Type_free(MPI_Datatype* type) {
  ++types_freed;
  return PMPI_Type_free(type);
}
int MPI_Comm_free(MPI_Comm* comm) {
  ++freed;
  return PMPI_Comm_free(comm);
}
}

namespace cubefold::mpi {
namespace {

class Communicators : public testing::Test {
 protected:
  void SetUp() override { made = freed = 0; }
};

TEST_F(Communicators, are_all_freed_with_the_handle) {
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "xor", &comm), CUBEFOLD_SUCCESS);
  std::vector<int> blocks(static_cast<std::size_t>(world_size()));
  for (int call = 0; call < 3; ++call) {
    ASSERT_EQ(cubefold_alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks.data(), 1, MPI_INT, comm), CUBEFOLD_SUCCESS);
  }
  EXPECT_EQ(made, freed + 3);  // virtual, Cartesian, and one for all exchanges
  ASSERT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
  EXPECT_EQ(comm, nullptr);
  EXPECT_EQ(made, freed);
}

TEST_F(Communicators, are_all_freed_where_the_handle_cannot_be_made) {
  cubefold_comm comm = nullptr;
  EXPECT_EQ(cubefold_comm_create(MPI_COMM_WORLD, "ring:77", "xor", &comm), CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "xor", nullptr),
            CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_GT(made, 0);
  EXPECT_EQ(made, freed);
}

// MPI returns copies of the types that a derived type is made of, which the exchange has to free.
TEST(Datatypes, are_all_freed_that_the_exchange_looks_into) {
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), "xor", &comm), CUBEFOLD_SUCCESS);
  MPI_Datatype two = MPI_DATATYPE_NULL;
  MPI_Datatype four = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &two);
  MPI_Type_contiguous(2, two, &four);
  MPI_Type_commit(&four);
  std::vector<int> blocks(static_cast<std::size_t>(world_size()) * 4);
  types_freed = 0;
  ASSERT_EQ(cubefold_alltoall(MPI_IN_PLACE, 1, four, blocks.data(), 1, four, comm), CUBEFOLD_SUCCESS);
  EXPECT_EQ(types_freed, 1);
  MPI_Type_free(&two);
  MPI_Type_free(&four);
  ASSERT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
}

}  // namespace
}  // namespace cubefold::mpi
