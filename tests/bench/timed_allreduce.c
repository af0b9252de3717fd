/* timed_allreduce REPETITIONS KIB...: prints the median and all times of an allreduce of vectors of these sizes, of the
 * slowest process. Calls are MPI's own. With TIMED_ALLREDUCE=cubefold they take turns with those of cubefold on the
 * network that CUBEFOLD_GRID and TIMED_PORTS (one or all) name, since two runs of one program may differ by more than
 * these do. Every result is checked. */
#include <cubefold/cubefold.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_repetitions = 1000, untimed_calls = 2 };

static int is_less(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

static void require(int is_right, const char* text) {
  if (is_right) return;
  fprintf(stderr, "timed_allreduce: %s\n", text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static cubefold_comm handle(void) {
  const char* way = getenv("TIMED_ALLREDUCE");
  const char* ports = getenv("TIMED_PORTS");
  if (way == NULL || strcmp(way, "cubefold") != 0) return NULL;
  MPI_Info info;
  MPI_Info_create(&info);
  if (ports != NULL) MPI_Info_set(info, "ports", ports);
  cubefold_comm comm = NULL;
  const int error = cubefold_comm_create_with_info(MPI_COMM_WORLD, info, &comm);
  require(error == CUBEFOLD_SUCCESS, cubefold_last_error());
  MPI_Info_free(&info);
  return comm;
}

/* Returns the time of a call on the slowest process, in process 0. */
static double seconds_of_call(const double* sent, double* sum, int count, cubefold_comm comm) {
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = -MPI_Wtime();
  const int error = comm == NULL ? MPI_Allreduce(sent, sum, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)
                                 : cubefold_allreduce(sent, sum, count, MPI_DOUBLE, MPI_SUM, comm);
  seconds += MPI_Wtime();
  require(error == 0, comm == NULL ? "MPI_Allreduce failed" : cubefold_last_error());
  double slowest = 0;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return slowest;
}

static void print_times(const char* form, int kib, double* seconds, int repetitions) {
  qsort(seconds, (size_t)repetitions, sizeof *seconds, is_less);
  printf("%-8s %8d KiB %12.3f ms of", form, kib, seconds[repetitions / 2] * 1e3);
  for (int call = 0; call < repetitions; ++call) printf(" %.3f", seconds[call] * 1e3);
  printf("\n");
}

static void time_size(int kib, int repetitions, cubefold_comm comm) {
  static double seconds[2][most_repetitions];
  const cubefold_comm forms[2] = {NULL, comm};
  const int form_count = comm == NULL ? 1 : 2;
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int count = kib * 1024 / (int)sizeof(double);
  double* sent = malloc((size_t)count * sizeof *sent);
  double* sum = malloc((size_t)count * sizeof *sum);
  require(sent != NULL && sum != NULL, "there is no memory");
  for (int i = 0; i < count; ++i) sent[i] = rank + i;
  for (int call = -untimed_calls; call < repetitions; ++call) {
    for (int form = 0; form < form_count; ++form) {
      const double time = seconds_of_call(sent, sum, count, forms[form]);
      if (call >= 0) seconds[form][call] = time;
      for (int i = 0; i < count; ++i)
        require(sum[i] == 0.5 * size * (size - 1) + (double)size * i, "a sum is wrong");
    }
  }
  if (rank == 0) {
    print_times("MPI", kib, seconds[0], repetitions);
    if (comm != NULL) print_times("cubefold", kib, seconds[1], repetitions);
  }
  free(sent);
  free(sum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int repetitions = argc > 2 ? atoi(argv[1]) : 0;
  require(repetitions >= 1 && repetitions <= most_repetitions, "say REPETITIONS from 1 to 1000, and KIB...");
  cubefold_comm comm = handle();
  for (int i = 2; i < argc; ++i) {
    require(atoi(argv[i]) >= 1 && atoi(argv[i]) <= 1 << 20, "a size is not from 1 to 1048576 KiB");
    time_size(atoi(argv[i]), repetitions, comm);
  }
  if (comm != NULL) cubefold_comm_free(&comm);
  MPI_Finalize();
  return 0;
}
