/* timed_neighbours REPETITIONS EXTENTS BYTES...: prints the median and all times of MPI_Neighbor_alltoallv on a stencil
 * with all 3^d - 1 neighbours in a periodic grid of processes, as 4x4x4, for blocks of these bytes, of the slowest
 * process. A time is the mean of ten calls in a row, as a stencil makes them: processes leave a barrier at times that
 * differ by more than a call takes. Every block is checked. A preloaded library may serve the calls, with which those
 * of the MPI library's own function take turns, since two runs of one program differ by more than they do. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_repetitions = 1000, calls_in_a_row = 10, untimed_rows = 20, most_axes = 4, most_neighbours = 80 };

static int is_less(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

static void require(int is_right, const char* text) {
  if (is_right) return;
  fprintf(stderr, "timed_neighbours: %s\n", text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static int axes_in(const char* text, int extents[most_axes]) {
  int axes = 0;
  for (const char* number = text; number != NULL && axes < most_axes; ++axes) {
    extents[axes] = atoi(number);
    require(extents[axes] >= 3, "an extent is below 3, which has two neighbours at one place");
    number = strchr(number, 'x');
    if (number != NULL) ++number;
  }
  return axes;
}

/* Returns the process at these offsets from this one. Axis 0 varies fastest. */
static int at_offsets(int rank, int axes, const int* extents, const int* offsets) {
  int process = 0;
  int stride = 1;
  for (int axis = 0; axis < axes; ++axis) {
    const int coordinate = rank / stride % extents[axis];
    process += (coordinate + offsets[axis] + extents[axis]) % extents[axis] * stride;
    stride *= extents[axis];
  }
  return process;
}

/* Fills the destinations at all offsets but 0, and the sources from which the blocks of the same offsets come. */
static int find_neighbours(int rank, int axes, const int* extents, int* sources, int* destinations) {
  int places = 1;
  for (int axis = 0; axis < axes; ++axis) places *= 3;
  int count = 0;
  for (int place = 0; place < places; ++place) {
    if (place == places / 2) continue;
    int offsets[most_axes];
    int opposite[most_axes];
    for (int axis = 0, rest = place; axis < axes; ++axis, rest /= 3) {
      offsets[axis] = rest % 3 - 1;
      opposite[axis] = -offsets[axis];
    }
    destinations[count] = at_offsets(rank, axes, extents, offsets);
    sources[count++] = at_offsets(rank, axes, extents, opposite);
  }
  return count;
}

typedef int (*neighbour_function)(const void*, const int*, const int*, MPI_Datatype, void*, const int*,
                                  const int*, MPI_Datatype, MPI_Comm);

/* Returns the function of the library that has MPI_Get_version, which no preloaded library replaces. */
static neighbour_function function_of_mpi(void) {
  int (*const version)(int*, int*) = MPI_Get_version;
  const void* address = NULL;
  memcpy(&address, &version, sizeof address); /* POSIX lets functions be objects, and C does not */
  Dl_info library;
  require(dladdr(address, &library) != 0, "the library of MPI is not found");
  void* const mpi = dlopen(library.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  require(mpi != NULL, "the library of MPI is not loaded");
  void* const found = dlsym(mpi, "PMPI_Neighbor_alltoallv");
  require(found != NULL, "MPI has no PMPI_Neighbor_alltoallv");
  neighbour_function function = NULL;
  memcpy(&function, &found, sizeof function);
  return function;
}

/* Returns the mean time of some calls on the slowest process, in process 0. */
static double seconds_of_calls(neighbour_function exchange, const char* sent, char* received, int bytes,
                               int neighbours, MPI_Comm graph) {
  int counts[most_neighbours];
  int places[most_neighbours];
  for (int n = 0; n < neighbours; ++n) {
    counts[n] = bytes;
    places[n] = n * bytes;
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double seconds = -MPI_Wtime();
  for (int call = 0; call < calls_in_a_row; ++call) {
    const int error = exchange(sent, counts, places, MPI_CHAR, received, counts, places, MPI_CHAR, graph);
    require(error == 0, "MPI_Neighbor_alltoallv failed");
  }
  seconds += MPI_Wtime();
  double slowest = 0;
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  return slowest / calls_in_a_row;
}

static void print_times(const char* form, int bytes, double* seconds, int repetitions) {
  qsort(seconds, (size_t)repetitions, sizeof *seconds, is_less);
  printf("%-10s %8d B %12.3f ms of", form, bytes, seconds[repetitions / 2] * 1e3);
  for (int call = 0; call < repetitions; ++call) printf(" %.3f", seconds[call] * 1e3);
  printf("\n");
}

static void time_size(int bytes, int repetitions, int neighbours, const int* sources,
                      const int* destinations) {
  static double seconds[2][most_repetitions];
  const neighbour_function functions[2] = {MPI_Neighbor_alltoallv, function_of_mpi()};
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm graph;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, neighbours, sources, MPI_UNWEIGHTED, neighbours,
                                 destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  char* sent = malloc((size_t)(neighbours * bytes));
  char* received = malloc((size_t)(neighbours * bytes));
  require(sent != NULL && received != NULL, "there is no memory");
  for (int i = 0; i < neighbours * bytes; ++i) sent[i] = (char)(rank + i / bytes);
  for (int row = -untimed_rows; row < repetitions; ++row) {
    for (int form = 0; form < 2; ++form) {
      const double time = seconds_of_calls(functions[form], sent, received, bytes, neighbours, graph);
      if (row >= 0) seconds[form][row] = time;
      for (int i = 0; i < neighbours * bytes; ++i)
        require(received[i] == (char)(sources[i / bytes] + i / bytes), "a block is wrong");
    }
  }
  if (rank == 0) {
    print_times("called", bytes, seconds[0], repetitions);
    print_times("MPI's own", bytes, seconds[1], repetitions);
  }
  free(sent);
  free(received);
  MPI_Comm_free(&graph);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int repetitions = argc > 3 ? atoi(argv[1]) : 0;
  require(repetitions >= 1 && repetitions <= most_repetitions,
          "say REPETITIONS from 1 to 1000, EXTENTS, as 4x4x4, and BYTES...");
  int extents[most_axes];
  const int axes = axes_in(argv[2], extents);
  int processes = 1;
  for (int axis = 0; axis < axes; ++axis) processes *= extents[axis];
  require(processes == size, "the grid has another number of processes");
  int sources[most_neighbours];
  int destinations[most_neighbours];
  const int neighbours = find_neighbours(rank, axes, extents, sources, destinations);
  for (int i = 3; i < argc; ++i) {
    require(atoi(argv[i]) >= 1 && atoi(argv[i]) <= 1 << 20, "a block is not from 1 to 1048576 bytes");
    time_size(atoi(argv[i]), repetitions, neighbours, sources, destinations);
  }
  MPI_Finalize();
  return 0;
}
