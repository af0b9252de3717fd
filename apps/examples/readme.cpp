#include <cubefold/cubefold.h>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int process_count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  cubefold_comm cube = nullptr;
  if (cubefold_comm_create(MPI_COMM_WORLD, nullptr, "xor", &cube) != CUBEFOLD_SUCCESS) {
    std::fprintf(stderr, "%s\n", cubefold_last_error());
    MPI_Finalize();
    return 2;
  }
  v_get_pid(cube, &rank);
  double sum = rank;  // recursive doubling: every partner is a cube neighbour, every hop as short as can be
  for (int bit = 1; bit < process_count; bit *= 2) {
    double other = 0;
    v_sendreceive(&sum, 1, MPI_DOUBLE, rank ^ bit, 0, &other, 1, MPI_DOUBLE, rank ^ bit, 0, cube,
                  MPI_STATUS_IGNORE);
    sum += other;
  }
  if (rank == 0) std::printf("the ranks of %d processes add up to %g\n", process_count, sum);
  cubefold_comm_free(&cube);
  MPI_Finalize();
}
