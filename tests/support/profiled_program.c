/* A program that knows nothing of cubefold. On 4 processes it sends numbers in the forms of which the profiling library
 * takes notes. profile_test.py knows what it sends. */
#include <mpi.h>

enum { size = 4 };

static void send_to_neighbours(MPI_Comm comm, int rank) {
  int sent[8] = {0};
  int received[8];
  const int next = (rank + 1) % size;
  const int last = (rank + size - 1) % size;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Sendrecv(sent, 8, MPI_INT, next, 0, received, 8, MPI_INT, last, 0, comm, MPI_STATUS_IGNORE);
  MPI_Irecv(received, 1, MPI_INT, last, 1, comm, &requests[0]);
  MPI_Isend(sent, 1, MPI_INT, next, 1, comm, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  MPI_Recv_init(received, 2, MPI_INT, last, 2, comm, &requests[0]);
  MPI_Send_init(sent, 2, MPI_INT, next, 2, comm, &requests[1]);
  for (int i = 0; i < 3; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, statuses);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  MPI_Sendrecv(sent, 5, MPI_INT, rank, 0, received, 5, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(sent, 5, MPI_INT, MPI_PROC_NULL, 0, received, 5, MPI_INT, MPI_PROC_NULL, 0, comm,
               MPI_STATUS_IGNORE);
}

static void exchange(MPI_Comm comm, int members) {
  double sent[2 * size] = {0};
  double received[2 * size];
  for (int i = 0; i < 5; ++i) MPI_Alltoall(sent, 2, MPI_DOUBLE, received, 2, MPI_DOUBLE, comm);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, received, 2, MPI_DOUBLE, comm);
  const int counts[size] = {1, 0, 1, 1};
  const int places[size] = {0, 1, 2, 3};
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  int own[size];
  for (int i = 0; i < size; ++i) own[i] = counts[rank];
  if (members == size)
    MPI_Alltoallv(sent, counts, places, MPI_DOUBLE, received, own, places, MPI_DOUBLE, comm);
}

/* The ranks form a row without a wrap, and a graph in which every rank sends to rank 0. */
static void exchange_with_neighbours(void) {
  const int extents[1] = {size};
  const int wraps[1] = {0};
  const int counts[2] = {1, 2};
  const int places[2] = {0, 2};
  int sent[size] = {0};
  int received[size];
  int rank = 0;
  MPI_Comm row = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, extents, wraps, 0, &row);
  MPI_Comm_rank(row, &rank);
  MPI_Neighbor_alltoall(sent, 2, MPI_INT, received, 2, MPI_INT, row);
  const int own[2] = {2, 1};
  MPI_Neighbor_alltoallv(sent, counts, places, MPI_INT, received, own, places, MPI_INT, row);
  MPI_Comm_free(&row);
  const int all[size] = {0, 1, 2, 3};
  const int first[1] = {0};
  const int weights[size] = {1, 1, 1, 1};
  MPI_Comm star = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank == 0 ? size : 0, all, weights, 1, first, weights,
                                 MPI_INFO_NULL, 0, &star);
  MPI_Neighbor_allgather(sent, 1, MPI_INT, received, 1, MPI_INT, star);
  MPI_Comm_free(&star);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  send_to_neighbours(MPI_COMM_WORLD, rank);
  exchange(MPI_COMM_WORLD, size);
  MPI_Comm column = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
  exchange(column, size / 2);
  MPI_Comm_free(&column);
  exchange_with_neighbours();
  float sum[100] = {0};
  MPI_Allreduce(MPI_IN_PLACE, sum, 100, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
