/* This part of a program has a function v_send of its own, and does not ask for the short names of cubefold. It uses
 * the names of the papers with their prefix. */
#include <cubefold/cubefold.h>

int rank_of_own_short_name(void);

static int v_send(cubefold_comm comm, int number) {
  MPI_Request request;
  int received = -1;
  int rank = -1;
  cubefold_v_get_pid(comm, &rank);
  cubefold_v_isend(&number, 1, MPI_INT, rank, 0, comm, &request);
  cubefold_v_receive(&received, 1, MPI_INT, rank, 0, comm, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return received;
}

int rank_of_own_short_name(void) {
  cubefold_comm comm = NULL;
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (cubefold_comm_create(MPI_COMM_WORLD, NULL, NULL, &comm) != CUBEFOLD_SUCCESS) return -1;
  rank = v_send(comm, rank);
  cubefold_comm_free(&comm);
  return rank;
}
