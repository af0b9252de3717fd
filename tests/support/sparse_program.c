/* A program that knows nothing of cubefold. Process i sends one block to each of the i % 3 processes behind it, by as
 * many calls as the first argument says: MPI_Alltoallv, or MPI_Ialltoallv if there is a second argument. It ends with
 * status 1 if a number is not where MPI brings it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { most = 64 };

static int is_sent(int from, int to, int size) {
  const int distance = (to - from + size) % size;
  return distance >= 1 && distance <= from % 3;
}

int main(int argc, char** argv) {
  int sent[most];
  int received[most];
  int sent_counts[most];
  int received_counts[most];
  int places[most];
  int rank = 0;
  int size = 0;
  int wrong = 0;
  const long calls = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < size; ++i) {
    sent_counts[i] = is_sent(rank, i, size);
    received_counts[i] = is_sent(i, rank, size);
    places[i] = i;
    sent[i] = most * rank + i;
  }
  for (long call = 0; call < calls; ++call) {
    for (int i = 0; i < size; ++i) received[i] = -1;
    if (argc > 2) {
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Ialltoallv(sent, sent_counts, places, MPI_INT, received, received_counts, places, MPI_INT,
                     MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      MPI_Alltoallv(sent, sent_counts, places, MPI_INT, received, received_counts, places, MPI_INT,
                    MPI_COMM_WORLD);
    }
    for (int i = 0; i < size; ++i) wrong += received[i] != (received_counts[i] ? most * i + rank : -1);
  }
  if (wrong != 0) printf("process %d: %d wrong numbers\n", rank, wrong);
  MPI_Finalize();
  return wrong != 0;
}
