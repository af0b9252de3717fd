/* A program that only has a session of MPI 4, and knows nothing of cubefold. It exchanges blocks on a communicator of
 * the session, on a duplicate and on a part of it, and ends with status 1 if a number is not where MPI brings it.
 * Arguments: `rows` makes communicators of two processes each before that of all, `self` those of one process, `init`
 * calls MPI_Init too, and `threads` exchanges blocks by MPI_Ialltoall. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#if MPI_VERSION >= 4

enum { most = 64 };

static int has_argument(int argc, char** argv, const char* wanted) {
  for (int i = 1; i < argc; ++i)
    if (strcmp(argv[i], wanted) == 0) return 1;
  return 0;
}

/* Exchanges one number with each process of the communicator, and returns how many wrong ones have arrived. */
static int exchange(MPI_Comm comm, int is_blocking) {
  int rank = 0;
  int size = 0;
  int sent[most];
  int received[most];
  int wrong = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int to = 0; to < size; ++to) sent[to] = rank * most + to;
  if (is_blocking) {
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm);
  } else {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  for (int from = 0; from < size; ++from) wrong += received[from] != from * most + rank;
  return wrong;
}

/* Makes a communicator of the processes `first` to `first + count - 1` of a group. */
static MPI_Comm comm_of(MPI_Group all, int first, int count) {
  MPI_Group part = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  int range[1][3] = {{first, first + count - 1, 1}};
  MPI_Group_range_incl(all, 1, range, &part);
  MPI_Comm_create_from_group(part, "org.example.part", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
  MPI_Group_free(&part);
  return comm;
}

static int exchange_and_free(MPI_Comm comm, int is_blocking) {
  const int wrong = exchange(comm, is_blocking);
  MPI_Comm_free(&comm);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Session session = MPI_SESSION_NULL;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm part = MPI_COMM_NULL;
  const int calls_init = has_argument(argc, argv, "init");
  const int is_blocking = !has_argument(argc, argv, "threads");
  int wrong = 0;
  int rank = 0;
  int size = 0;
  if (calls_init) MPI_Init(&argc, &argv);
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &all);
  MPI_Group_rank(all, &rank);
  MPI_Group_size(all, &size);
  if (has_argument(argc, argv, "self")) wrong += exchange_and_free(comm_of(all, rank, 1), is_blocking);
  if (has_argument(argc, argv, "rows"))
    wrong += exchange_and_free(comm_of(all, rank / 2 * 2, 2), is_blocking);
  comm = comm_of(all, 0, size);
  MPI_Group_free(&all);
  wrong += exchange(comm, is_blocking);
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_split(comm, rank % 2, 0, &part);
  wrong += exchange_and_free(copy, is_blocking);
  wrong += exchange_and_free(part, is_blocking);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, comm);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  if (calls_init) MPI_Finalize();
  if (rank == 0) printf("%d wrong numbers\n", wrong);
  return wrong != 0;
}

#else

int main(void) {
  printf("this MPI has no sessions\n");
  return 0;
}

#endif
