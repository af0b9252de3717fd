#include <cubefold/cubefold.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  cubefold_comm cube = NULL;  // on the grid that CUBEFOLD_GRID names
  if (cubefold_comm_create(MPI_COMM_WORLD, NULL, "xor", &cube) != CUBEFOLD_SUCCESS) {
    fprintf(stderr, "%s\n", cubefold_last_error());
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int rank, process_count;
  v_get_pid(cube, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  double sum = rank, other;
  for (int bit = 1; bit < process_count; bit *= 2) {  // recursive doubling: every partner is a cube neighbour
    v_sendreceive(&sum, 1, MPI_DOUBLE, rank ^ bit, 0, &other, 1, MPI_DOUBLE, rank ^ bit, 0, cube,
                  MPI_STATUS_IGNORE);
    sum += other;
  }
  if (rank == 0) printf("the ranks of %d processes add up to %g\n", process_count, sum);
  cubefold_comm_free(&cube);
  MPI_Finalize();
}
