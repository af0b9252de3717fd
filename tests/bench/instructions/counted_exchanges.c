/* Exchanges as process 0 of the network that CUBEFOLD_GRID names, where messages are complete at once (instant_mpi.c).
 * Callgrind counts the instructions of measure() and writes them each time when it returns, and this program writes a
 * line for each of these counts: the case, the number of exchanges and the calls of MPI, with tabs between them. It
 * uses only the C interface, so that it runs with the libraries of other commits. */

#define _POSIX_C_SOURCE 200112L /* setenv */

#include <cubefold/cubefold.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { exchange_count = 10, request_count = 4, most_block_bytes = 1 << 16 };

static void require(int status) {
  if (status == CUBEFOLD_SUCCESS) return;
  fprintf(stderr, "counted_exchanges: %s\n", cubefold_last_error());
  exit(1);
}

/* The arguments of all forms of exchanges. */
static struct {
  cubefold_comm comm;
  MPI_Comm mpi_comm;
  int size;
  int bytes; /* of a block */
  char* send;
  char* receive;
  int* counts;
  int* displacements;
  MPI_Datatype type_with_gaps; /* of `bytes` bytes, twice as long */
  cubefold_request persistent;
} now;

static void alltoall(void) {
  require(cubefold_alltoall(now.send, now.bytes, MPI_BYTE, now.receive, now.bytes, MPI_BYTE, now.comm));
}
static void alltoall_in_place(void) {
  require(cubefold_alltoall(MPI_IN_PLACE, 0, MPI_BYTE, now.receive, now.bytes, MPI_BYTE, now.comm));
}
static void alltoall_with_gaps(void) {
  require(cubefold_alltoall(now.send, 1, now.type_with_gaps, now.receive, 1, now.type_with_gaps, now.comm));
}
static void alltoallv(void) {
  require(cubefold_alltoallv(now.send, now.counts, now.displacements, MPI_BYTE, now.receive, now.counts,
                             now.displacements, MPI_BYTE, now.comm));
}
static void start(cubefold_request* request) {
  require(
      cubefold_ialltoall(now.send, now.bytes, MPI_BYTE, now.receive, now.bytes, MPI_BYTE, now.comm, request));
}
static void ialltoall(void) {
  cubefold_request request;
  start(&request);
  require(cubefold_wait(&request));
}
static void several_ialltoall(void) {
  cubefold_request requests[request_count];
  for (int i = 0; i < request_count; ++i) start(&requests[i]);
  require(cubefold_waitall(request_count, requests));
}
static void persistent(void) {
  require(cubefold_alltoall_start(now.persistent));
  require(cubefold_wait(&now.persistent));
}
static void produce(void* context, int destination, size_t offset, size_t bytes, void* packet) {
  (void)context, (void)destination, (void)offset, (void)bytes, (void)packet;
}
static void consume(void* context, int source, size_t offset, size_t bytes, const void* packet) {
  (void)context, (void)source, (void)offset, (void)bytes, (void)packet;
}
static void packets(void) {
  require(cubefold_alltoall_packets((size_t)now.bytes, produce, consume, NULL, now.comm));
}
static void sendrecv(void) {
  require(cubefold_v_sendrecv(now.send, now.bytes, MPI_BYTE, 1, 0, now.receive, now.bytes, MPI_BYTE, 1, 0,
                              now.comm, MPI_STATUS_IGNORE));
}

static void create(void) {
  require(cubefold_comm_create(MPI_COMM_WORLD, NULL, NULL, &now.comm));
}
/* A handle that is made for one exchange. */
static void short_lived(void) {
  create();
  alltoall();
  require(cubefold_comm_free(&now.comm));
}

/* Calls of an unchanged program, which libcubefold-preload.so replaces. */
static void replaced_alltoall(void) {
  MPI_Alltoall(now.send, now.bytes, MPI_BYTE, now.receive, now.bytes, MPI_BYTE, now.mpi_comm);
}

static void replaced_alltoallv(void) {
  MPI_Alltoallv(now.send, now.counts, now.displacements, MPI_BYTE, now.receive, now.counts, now.displacements,
                MPI_BYTE, now.mpi_comm);
}
static void replaced_allreduce(void) {
  MPI_Allreduce(now.send, now.receive, now.bytes / (int)sizeof(int), MPI_INT, MPI_MAX, now.mpi_comm);
}
static void replaced_ialltoall(void) {
  MPI_Request request;
  MPI_Ialltoall(now.send, now.bytes, MPI_BYTE, now.receive, now.bytes, MPI_BYTE, now.mpi_comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Callgrind counts what is below this function, and finds it by its name. It is called by a pointer that may change, so
 * that it is neither inlined nor copied under another name. */
static void measure(void (*exchange)(void), int count) {
  for (int i = 0; i < count; ++i) exchange();
}
static void (*volatile measure_by_name)(void (*)(void), int) = measure;

/* The calls before the measured one make plans and take memory. */
static void count(const char* name, void (*exchange)(void), const char* method, int bytes, int repetitions) {
  now.bytes = bytes;
  for (int i = 0; repetitions > 1 && i < 3; ++i) exchange();
  unsigned long before = 0;
  unsigned long after = 0;
  MPI_Pcontrol(0, &before);
  measure_by_name(exchange, repetitions);
  MPI_Pcontrol(0, &after);
  printf("%s, %s, %d B\t%d\t%lu\n", name, method, bytes, repetitions, after - before);
}

static void count_sizes(const char* name, void (*exchange)(void), const char* method) {
  static const int sizes[] = {8, 1024, most_block_bytes};
  const int size_count = now.size > 16 ? 2 : 3; /* long blocks cost time, and add nothing but copies */
  for (int i = 0; i < size_count; ++i) {
    now.bytes = sizes[i];
    for (int rank = 0; rank < now.size; ++rank) now.counts[rank] = sizes[i] - rank % 4;
    MPI_Type_vector(sizes[i] / 8, 8, 16, MPI_BYTE, &now.type_with_gaps);
    MPI_Type_commit(&now.type_with_gaps);
    if (exchange == persistent)
      require(cubefold_alltoall_init(now.send, sizes[i], MPI_BYTE, now.receive, sizes[i], MPI_BYTE, now.comm,
                                     &now.persistent));
    count(name, exchange, method, sizes[i], exchange_count);
    if (exchange == persistent) require(cubefold_alltoall_free(&now.persistent));
    MPI_Type_free(&now.type_with_gaps);
  }
}

static void count_forms(const char* method) {
  setenv("CUBEFOLD_ALLTOALL", method, 1);
  create();
  const int is_mpi = strcmp(method, "mpi") == 0;
  const int is_direct = strcmp(method, "direct") == 0;
  count_sizes("alltoall", alltoall, method);
  if (is_mpi || is_direct) count_sizes("alltoallv", alltoallv, method);
  if (!is_mpi) {
    count_sizes("ialltoall", ialltoall, method);
    count_sizes("packets", packets, method);
  }
  if (is_direct) {
    count_sizes("in place", alltoall_in_place, method);
    count_sizes("with gaps", alltoall_with_gaps, method);
    count_sizes("persistent", persistent, method);
    count_sizes("4 ialltoall", several_ialltoall, method);
    count("sendrecv", sendrecv, method, 8, exchange_count);
  }
  require(cubefold_comm_free(&now.comm));
  count("short-lived handle", short_lived, method, 8, 1);
}

/* The preloaded library has read in MPI_Init that this is the method. */
static void count_replaced(const char* method) {
  MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &now.mpi_comm);
  count_sizes("replaced MPI_Alltoall", replaced_alltoall, method);
  if (strcmp(method, "direct") == 0 || strcmp(method, "mpi") == 0) {
    count_sizes("replaced MPI_Alltoallv", replaced_alltoallv, method);
    count_sizes("replaced MPI_Ialltoall", replaced_ialltoall, method);
  }
  if (strcmp(method, "mpi") == 0)
    count("replaced MPI_Allreduce", replaced_allreduce, "passed on", 8, exchange_count);
  MPI_Comm_free(&now.mpi_comm);
}

int main(int argc, char** argv) {
  const char* preloaded_method = argc == 3 && strcmp(argv[1], "--preloaded") == 0 ? argv[2] : NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &now.size);
  now.send = calloc((size_t)now.size, 2 * most_block_bytes);
  now.receive = calloc((size_t)now.size, 2 * most_block_bytes);
  now.counts = calloc((size_t)now.size, sizeof *now.counts);
  now.displacements = calloc((size_t)now.size, sizeof *now.displacements);
  if (now.send == NULL || now.receive == NULL || now.counts == NULL || now.displacements == NULL) return 1;
  for (int rank = 0; rank < now.size; ++rank) now.displacements[rank] = rank * most_block_bytes;

  static const char* const methods[] = {"direct", "axes", "bruck:2", "linear", "mpi"};
  if (preloaded_method != NULL) {
    count_replaced(preloaded_method);
  } else {
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) count_forms(methods[i]);
  }

  free(now.send);
  free(now.receive);
  free(now.counts);
  free(now.displacements);
  MPI_Finalize();
  return 0;
}
