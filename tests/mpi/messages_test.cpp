#include <gtest/gtest.h>

#include <string>

#include "cubefold/cubefold.h"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// Sends messages between neighbours on the ring of virtual ranks, which works for any number of processes.
class Messages : public testing::Test {
 protected:
  void SetUp() override {
    const char* rule = world_is_a_cube() ? "gray" : "identity";
    ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), rule, &comm), CUBEFOLD_SUCCESS)
        << cubefold_last_error();
    ASSERT_EQ(cubefold_comm_rank(comm, &rank), CUBEFOLD_SUCCESS);
    size = world_size();
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
  }
  void TearDown() override { EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS); }

  cubefold_comm comm = nullptr;
  int rank = 0;
  int size = 0;
  int next = 0;
  int previous = 0;
};

TEST_F(Messages, go_to_virtual_ranks_and_come_with_their_virtual_source) {
  int received = -1;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  ASSERT_EQ(cubefold_v_isend(&rank, 1, MPI_INT, next, 5, comm, &request), CUBEFOLD_SUCCESS);
  ASSERT_EQ(cubefold_v_recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status),
            CUBEFOLD_SUCCESS);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(received, previous);
  EXPECT_EQ(status.MPI_SOURCE, previous);
  EXPECT_EQ(status.MPI_TAG, 5);
}

TEST_F(Messages, can_be_received_before_they_are_sent) {
  double received[3] = {};
  const double sent[3] = {rank + 0.5, -1, 2e300};
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Status status;
  ASSERT_EQ(cubefold_v_irecv(received, 3, MPI_DOUBLE, previous, 1, comm, &request), CUBEFOLD_SUCCESS);
  ASSERT_EQ(cubefold_v_send(sent, 3, MPI_DOUBLE, next, 1, comm), CUBEFOLD_SUCCESS);
  MPI_Wait(&request, &status);
  EXPECT_EQ(received[0], previous + 0.5);
  EXPECT_EQ(received[2], 2e300);
  EXPECT_EQ(status.MPI_SOURCE, previous);
}

TEST_F(Messages, are_swapped_by_one_call) {
  int received = -1;
  MPI_Status status;
  ASSERT_EQ(
      cubefold_v_sendrecv(&rank, 1, MPI_INT, next, 2, &received, 1, MPI_INT, previous, 2, comm, &status),
      CUBEFOLD_SUCCESS);
  EXPECT_EQ(received, previous);
  EXPECT_EQ(status.MPI_SOURCE, previous);
}

TEST_F(Messages, to_and_from_nobody_end_at_once) {
  int untouched = 7;
  MPI_Status status;
  EXPECT_EQ(cubefold_v_send(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, comm), CUBEFOLD_SUCCESS);
  EXPECT_EQ(cubefold_v_recv(&untouched, 1, MPI_INT, MPI_PROC_NULL, 0, comm, &status), CUBEFOLD_SUCCESS);
  EXPECT_EQ(untouched, 7);
  EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
}

TEST_F(Messages, may_have_derived_types) {
  MPI_Datatype column = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 4, MPI_INT, &column);
  MPI_Type_commit(&column);
  int matrix[12];
  for (int i = 0; i < 12; ++i) matrix[i] = 100 * rank + i;
  int received[3] = {};
  EXPECT_EQ(cubefold_v_sendrecv(matrix, 1, column, next, 0, received, 3, MPI_INT, previous, 0, comm,
                                MPI_STATUS_IGNORE),
            CUBEFOLD_SUCCESS);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(received[i], 100 * previous + 4 * i);
  MPI_Type_free(&column);
}

TEST_F(Messages, to_a_rank_that_is_not_there_give_a_code_and_a_text) {
  EXPECT_EQ(cubefold_v_send(&rank, 1, MPI_INT, size, 0, comm), CUBEFOLD_ERROR_MPI);
  const std::string text = cubefold_last_error();
  EXPECT_NE(text.find("cubefold_v_send: MPI_Send: MPI_ERR_RANK"), std::string::npos) << text;
}

TEST_F(Messages, with_bad_arguments_give_a_code_and_a_text_from_every_call) {
  int number = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(cubefold_v_recv(&number, 1, MPI_INT, -77, 0, comm, MPI_STATUS_IGNORE), CUBEFOLD_ERROR_MPI);
  EXPECT_EQ(cubefold_v_isend(&number, -1, MPI_INT, next, 0, comm, &request), CUBEFOLD_ERROR_MPI);
  EXPECT_EQ(cubefold_v_irecv(&number, 1, MPI_DATATYPE_NULL, previous, 0, comm, &request), CUBEFOLD_ERROR_MPI);
  EXPECT_EQ(cubefold_v_send(&number, 1, MPI_INT, next, -5, comm), CUBEFOLD_ERROR_MPI);
  EXPECT_EQ(cubefold_v_send(&number, 1, MPI_INT, next, 0, nullptr), CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_STREQ(cubefold_last_error(), "cubefold_v_send: the cubefold_comm is NULL");
  EXPECT_EQ(cubefold_comm_rank(comm, nullptr), CUBEFOLD_ERROR_ARGUMENT);
  EXPECT_STREQ(cubefold_last_error(), "cubefold_comm_rank: the pointer for the result is NULL");
}

TEST_F(Messages, that_are_cut_short_give_a_code_and_a_text) {
  if (size == 1) GTEST_SKIP() << "Open MPI does not report a message to oneself that is cut short";
  const int sent[4] = {};
  int received[1] = {};
  EXPECT_EQ(cubefold_v_sendrecv(sent, 4, MPI_INT, next, 0, received, 1, MPI_INT, previous, 0, comm,
                                MPI_STATUS_IGNORE),
            CUBEFOLD_ERROR_MPI);
  EXPECT_NE(std::string(cubefold_last_error()).find("MPI_ERR_TRUNCATE"), std::string::npos)
      << cubefold_last_error();
}

}  // namespace
}  // namespace cubefold::mpi
