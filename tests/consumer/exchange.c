#include <cubefold/cubefold.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int blocks[4];
  int rank = -1;
  int right = 1;
  cubefold_comm comm = NULL;
  MPI_Init(&argc, &argv);
  if (cubefold_comm_create(MPI_COMM_WORLD, "torus:2x2", "xor", &comm) != CUBEFOLD_SUCCESS) {
    fprintf(stderr, "%s\n", cubefold_last_error());
    MPI_Finalize();
    return 1;
  }
  cubefold_comm_rank(comm, &rank);
  for (int j = 0; j < 4; ++j) blocks[j] = 10 * rank + j;
  cubefold_alltoall(MPI_IN_PLACE, 1, MPI_INT, blocks, 1, MPI_INT, comm);
  for (int i = 0; i < 4; ++i) right = right && blocks[i] == 10 * i + rank;
  if (!right) printf("wrong\n");
  if (rank == 0 && right) printf("right\n");
  cubefold_comm_free(&comm);
  MPI_Finalize();
  return right ? 0 : 1;
}
