#include <cubefold/cubefold.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, count, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  int* send = calloc((size_t)count, sizeof(int));
  int* receive = calloc((size_t)count, sizeof(int));
  for (int to = 0; to < count; ++to) send[to] = rank;

  cubefold_comm comm = NULL;  // on the network that CUBEFOLD_GRID names
  if (cubefold_comm_create(MPI_COMM_WORLD, NULL, NULL, &comm) != CUBEFOLD_SUCCESS ||
      cubefold_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm) != CUBEFOLD_SUCCESS) {
    fprintf(stderr, "%s\n", cubefold_last_error());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  cubefold_comm_free(&comm);

  for (int from = 0; from < count; ++from) sum += receive[from];
  if (rank == 0) printf("the ranks of %d processes add up to %d\n", count, sum);
  free(send);
  free(receive);
  MPI_Finalize();
}
