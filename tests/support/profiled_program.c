/* A program that knows nothing of cubefold. On 4 processes it sends numbers in the forms of which the profiling library
 * takes notes. profile_test.py knows what it sends. */
#include <mpi.h>
#include <stddef.h>

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

typedef int (*Send)(const void*, int, MPI_Datatype, int, int, MPI_Comm);
typedef int (*SendLater)(const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*);

enum { modes = 4, longest = 1 << (3 * modes) };

/* Sends 1, 2, 4, ... numbers to the second next rank, each with another function, so that the sum tells which of them
 * count. The receives are there before, as MPI_Rsend expects. */
static void send_in_all_modes(MPI_Comm comm, int rank) {
  static int sent[longest];
  static int received[longest];
  static char attached[4 * longest];
  const Send sends[modes] = {MPI_Send, MPI_Bsend, MPI_Ssend, MPI_Rsend};
  const SendLater later[modes] = {MPI_Isend, MPI_Ibsend, MPI_Issend, MPI_Irsend};
  const SendLater prepared[modes] = {MPI_Send_init, MPI_Bsend_init, MPI_Ssend_init, MPI_Rsend_init};
  const int to = (rank + 2) % size;
  void* buffer = attached;
  int bytes = sizeof attached;
  MPI_Buffer_attach(attached, bytes);
  for (int i = 0; i < 3 * modes; ++i) {
    MPI_Request receive = MPI_REQUEST_NULL;
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Irecv(received, longest, MPI_INT, to, 3, comm, &receive);
    MPI_Barrier(comm);
    if (i < modes) {
      sends[i](sent, 1 << i, MPI_INT, to, 3, comm);
    } else if (i < 2 * modes) {
      later[i - modes](sent, 1 << i, MPI_INT, to, 3, comm, &send);
    } else {
      prepared[i - 2 * modes](sent, 1 << i, MPI_INT, to, 3, comm, &send);
      MPI_Start(&send);
    }
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    if (send != MPI_REQUEST_NULL) MPI_Request_free(&send);
  }
  MPI_Buffer_detach(&buffer, &bytes);
}

static void replace_at_last_rank(MPI_Comm comm, int rank) {
  int moved[6] = {0};
  MPI_Sendrecv_replace(moved, 6, MPI_INT, (rank + size - 1) % size, 4, (rank + 1) % size, 4, comm,
                       MPI_STATUS_IGNORE);
}

static void exchange_later(MPI_Comm comm) {
  static int sent[size * 16];
  static int received[size * 16];
  int counts[size];
  int places[size];
  int byte_places[size];
  MPI_Datatype types[size];
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < size; ++i) {
    counts[i] = 2;
    places[i] = 2 * i;
    byte_places[i] = places[i] * (int)sizeof(int);
    types[i] = MPI_INT;
  }
  MPI_Ialltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, received, counts, places, MPI_INT, comm);
  MPI_Alltoallw(sent, counts, byte_places, types, received, counts, byte_places, types, comm);
  MPI_Iallreduce(sent, received, 3, MPI_INT, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
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
  int later[size];
  int gathered[size];
  int rank = 0;
  MPI_Comm row = MPI_COMM_NULL;
  MPI_Cart_create(MPI_COMM_WORLD, 1, extents, wraps, 0, &row);
  MPI_Comm_rank(row, &rank);
  MPI_Neighbor_alltoall(sent, 2, MPI_INT, received, 2, MPI_INT, row);
  const int own[2] = {2, 1};
  MPI_Neighbor_alltoallv(sent, counts, places, MPI_INT, received, own, places, MPI_INT, row);
  MPI_Request requests[3];
  MPI_Status statuses[3];
  MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, row, &requests[0]);
  MPI_Ineighbor_alltoallv(sent, counts, places, MPI_INT, later, own, places, MPI_INT, row, &requests[1]);
  MPI_Ineighbor_allgather(sent, 1, MPI_INT, gathered, 1, MPI_INT, row, &requests[2]);
  MPI_Waitall(3, requests, statuses);
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
  send_in_all_modes(MPI_COMM_WORLD, rank);
  replace_at_last_rank(MPI_COMM_WORLD, rank);
  exchange_later(MPI_COMM_WORLD);
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
