#include <complex.h>
#include <cubefold/cubefold_fft.h>
#include <stdio.h>
#include <stdlib.h>

/* Transforms an array of ones. Its spectrum is the number of points at k = 0 and 0 elsewhere. */
int main(int argc, char** argv) {
  const size_t lengths[] = {4, 6};
  size_t count = 0;
  int rank = 0;
  int right = 0;
  cubefold_comm comm = NULL;
  cubefold_fft plan = NULL;
  MPI_Init(&argc, &argv);
  if (cubefold_comm_create(MPI_COMM_WORLD, "torus:2x2", "xor", &comm) == CUBEFOLD_SUCCESS &&
      cubefold_fft_create(comm, 2, lengths, NULL, &plan) == CUBEFOLD_SUCCESS &&
      cubefold_fft_local_count(plan, CUBEFOLD_FFT_INPUT, &count) == CUBEFOLD_SUCCESS) {
    double complex* points = malloc((count + 1) * sizeof *points);
    for (size_t i = 0; i < count; ++i) points[i] = 1;
    right = cubefold_fft_execute(plan, points, points) == CUBEFOLD_SUCCESS;
    for (size_t i = 0; i < count; ++i) {
      size_t point = 0;
      cubefold_fft_point_at(plan, CUBEFOLD_FFT_OUTPUT, i, &point);
      right = right && cabs(points[i] - (point == 0 ? 24 : 0)) < 1e-12;
    }
    free(points);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!right) printf("wrong: %s\n", cubefold_last_error());
  if (rank == 0 && right) printf("ones to an impulse: right\n");
  cubefold_fft_free(&plan);
  cubefold_comm_free(&comm);
  MPI_Finalize();
  return right ? 0 : 1;
}
