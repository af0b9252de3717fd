/* A program that knows nothing of cubefold, whose exchange fails: process 0 passes another number of elements than the
 * others. The argument says which error handler its communicator has: `fatal`, `return`, or `own`, one of the program.
 * Process 0 prints what it sees. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static MPI_Comm comm = MPI_COMM_NULL;
static int calls = 0;
static int others = 0;

static void handle(MPI_Comm* of, int* code, ...) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(*code, &error_class);
  ++calls;
  if (*of != comm || error_class != MPI_ERR_OTHER) ++others;
}

int main(int argc, char** argv) {
  const char* const wanted = argc > 1 ? argv[1] : "";
  int sent[128] = {0};
  int received[128] = {0};
  int error_class = MPI_SUCCESS;
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  /* MPICH tells these of errors of messages, whatever communicator they are on. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  if (strcmp(wanted, "return") == 0) MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  if (strcmp(wanted, "own") == 0) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(comm, handler);
    MPI_Errhandler_free(&handler);
  }
  const int count = rank == 0 ? 2 : 1;
  const int code = MPI_Alltoall(sent, count, MPI_INT, received, count, MPI_INT, comm);
  MPI_Error_class(code, &error_class);
  int are_all_right = error_class == MPI_ERR_OTHER && others == 0 && calls == (strcmp(wanted, "own") == 0);
  MPI_Allreduce(MPI_IN_PLACE, &are_all_right, 1, MPI_INT, MPI_MIN, comm);
  if (rank == 0) printf("the program goes on, %s\n", are_all_right ? "as MPI says" : "but not as MPI says");
  MPI_Finalize();
  return 0;
}
