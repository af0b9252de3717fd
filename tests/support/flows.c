/* The program `flows FROM-TO:BYTES ...` starts all messages at the same time. It prints a line `FROM-TO SECONDS` for
 * each message when it has arrived. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int flow(const char* text, int* from, int* to, int* bytes) {
  return sscanf(text, "%d-%d:%d", from, to, bytes) == 3;
}

int main(int argc, char** argv) {
  int rank = 0;
  int count = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request* requests = malloc((size_t)argc * 2 * sizeof *requests);
  int* flows = malloc((size_t)argc * 2 * sizeof *flows);
  for (int i = 1; i < argc; ++i) {
    int from = 0;
    int to = 0;
    int bytes = 0;
    if (!flow(argv[i], &from, &to, &bytes)) MPI_Abort(MPI_COMM_WORLD, 2);
    char* memory = calloc((size_t)bytes + 1, 1);
    flows[count] = i;
    if (rank == to) MPI_Irecv(memory, bytes, MPI_BYTE, from, i, MPI_COMM_WORLD, &requests[count++]);
    flows[count] = 0;
    if (rank == from) MPI_Isend(memory, bytes, MPI_BYTE, to, i, MPI_COMM_WORLD, &requests[count++]);
  }
  for (int left = count; left > 0; --left) {
    int done = 0;
    MPI_Waitany(count, requests, &done, MPI_STATUS_IGNORE);
    if (flows[done] != 0) printf("%s %.9f\n", argv[flows[done]], MPI_Wtime());
  }
  MPI_Finalize();
  return 0;
}
