/* A program that knows nothing of cubefold. It exchanges blocks in all forms that the preloaded library replaces, and
 * ends with status 1 if a number is not where MPI brings it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { count = 3 };

static int wrong_numbers(const int* blocks, int rank, int size) {
  int wrong = 0;
  for (int from = 0; from < size; ++from)
    for (int i = 0; i < count; ++i) wrong += blocks[from * count + i] != from * 1000 + rank * 10 + i;
  return wrong;
}

static void fill(int* blocks, int rank, int size) {
  for (int to = 0; to < size; ++to)
    for (int i = 0; i < count; ++i) blocks[to * count + i] = rank * 1000 + to * 10 + i;
}

static int exchange_unequal(int* sent, int* received, int rank, int size) {
  int* counts = calloc((size_t)size * 2, sizeof *counts);
  int* places = counts + size;
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    places[i] = i * count;
  }
  fill(sent, rank, size);
  MPI_Alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD);
  free(counts);
  return wrong_numbers(received, rank, size);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int* sent = calloc((size_t)(size * count), sizeof *sent);
  int* received = calloc((size_t)(size * count), sizeof *received);
  fill(sent, rank, size);
  MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD);
  int wrong = wrong_numbers(received, rank, size);
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, sent, count, MPI_INT, MPI_COMM_WORLD);
  wrong += wrong_numbers(sent, rank, size);
  wrong += exchange_unequal(sent, received, rank, size);
  free(sent);
  free(received);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong numbers\n", wrong);
  MPI_Finalize();
  return wrong != 0;
}
