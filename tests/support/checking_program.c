/* A program that knows nothing of cubefold, and that looks at the codes that MPI returns after MPI_Init. It exchanges
 * blocks by calls that wait, by requests and by requests that are started again, and makes and frees communicators. A
 * call that fails ends it with one line and status 2, and a number that is not where MPI brings it with status 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Open MPI 4 has the persistent exchanges of MPI 4 by these names. Open MPI 5 and MPICH 4 have those of MPI. */
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#define MPI_Alltoall_init MPIX_Alltoall_init
#define MPI_Alltoallv_init MPIX_Alltoallv_init
int MPI_Alltoall_init(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info,
                      MPI_Request*);
int MPI_Alltoallv_init(const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*,
                       MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*);
#endif

enum { count = 3, most_processes = 8, starts = 2 };

static int rank;
static int size;
static int sent[count * most_processes];
static int received[count * most_processes];
static int counts[most_processes];
static int places[most_processes];

/* MPI_Abort of MPICH 4.2 returns. */
static void end_job(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  _Exit(status);
}

#define TRY(call)                                                                \
  do {                                                                           \
    if ((call) != MPI_SUCCESS) {                                                 \
      fprintf(stderr, "checking_program: process %d: %s failed\n", rank, #call); \
      end_job(2);                                                                \
    }                                                                            \
  } while (0)

static void fill(void) {
  for (int to = 0; to < size; ++to) {
    for (int i = 0; i < count; ++i) sent[to * count + i] = rank * 1000 + to * 10 + i;
  }
  for (int i = 0; i < size * count; ++i) received[i] = -1;
}

static void check(const char* what) {
  for (int from = 0; from < size; ++from) {
    for (int i = 0; i < count; ++i) {
      if (received[from * count + i] == from * 1000 + rank * 10 + i) continue;
      fprintf(stderr, "checking_program: process %d: wrong number after %s\n", rank, what);
      end_job(1);
    }
  }
  fill();
}

static void start_and_free(MPI_Request request, const char* what) {
  for (int i = 0; i < starts; ++i) {
    TRY(MPI_Start(&request));
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    check(what);
  }
  TRY(MPI_Request_free(&request));
}

static void use_other_communicators(void) {
  const int periodic = 1;
  MPI_Comm other = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  TRY(MPI_Comm_dup(MPI_COMM_WORLD, &other));
  TRY(MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, other));
  check("MPI_Alltoall on a duplicate");
  TRY(MPI_Ialltoall(sent, count, MPI_INT, received, count, MPI_INT, other, &request));
  TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
  check("MPI_Ialltoall on a duplicate");
  TRY(MPI_Comm_free(&other));
  TRY(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 1, &other));
  TRY(MPI_Comm_free(&other));
}

int main(int argc, char** argv) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  TRY(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
  TRY(MPI_Comm_size(MPI_COMM_WORLD, &size));
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    places[i] = i * count;
  }
  fill();
  TRY(MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD));
  check("MPI_Alltoall");
  TRY(MPI_Alltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD));
  check("MPI_Alltoallv");
  TRY(MPI_Ialltoall(sent, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD, &request));
  TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
  check("MPI_Ialltoall");
  TRY(MPI_Ialltoallv(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD,
                     &request));
  TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
  check("MPI_Ialltoallv");
  TRY(MPI_Alltoall_init(sent, count, MPI_INT, received, count, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                        &request));
  start_and_free(request, "MPI_Alltoall_init");
  TRY(MPI_Alltoallv_init(sent, counts, places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD,
                         MPI_INFO_NULL, &request));
  start_and_free(request, "MPI_Alltoallv_init");
  use_other_communicators();
  MPI_Finalize();
  return 0;
}
