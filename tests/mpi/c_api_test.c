/* The C interface from C99: everything that a C program would do, on any number of processes that is a power
 * of two. */
#include <cubefold/cubefold.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define EXPECT(condition)                                                                    \
  do {                                                                                       \
    if (!(condition)) {                                                                      \
      fprintf(stderr, "%s:%d: not so: %s; last error: %s\n", __FILE__, __LINE__, #condition, \
              cubefold_last_error());                                                        \
      ++failures;                                                                            \
    }                                                                                        \
  } while (0)

static void exchange_blocks(cubefold_comm comm, int rank, int size) {
  int* send = malloc((size_t)size * sizeof *send);
  int* receive = malloc((size_t)size * sizeof *receive);
  for (int j = 0; j < size; ++j) send[j] = 1000 * rank + j;
  EXPECT(cubefold_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm) == CUBEFOLD_SUCCESS);
  for (int i = 0; i < size; ++i) EXPECT(receive[i] == 1000 * i + rank);
  EXPECT(cubefold_alltoall(MPI_IN_PLACE, 1, MPI_INT, receive, 1, MPI_INT, comm) == CUBEFOLD_SUCCESS);
  for (int j = 0; j < size; ++j) EXPECT(receive[j] == send[j]);
  EXPECT(cubefold_alltoall(send, -1, MPI_INT, receive, 1, MPI_INT, comm) == CUBEFOLD_ERROR_ARGUMENT);
  EXPECT(strcmp(cubefold_last_error(), "cubefold_alltoall: count -1 is negative") == 0);
  free(send);
  free(receive);
}

static void translate(cubefold_comm comm, int rank, int size) {
  int node = -1;
  int back = -1;
  EXPECT(cubefold_to_physical(comm, rank, &node) == CUBEFOLD_SUCCESS);
  EXPECT(cubefold_to_virtual(comm, node, &back) == CUBEFOLD_SUCCESS);
  EXPECT(back == rank);
  EXPECT(cubefold_to_virtual(comm, size, &back) == CUBEFOLD_ERROR_ARGUMENT);

  int cart_rank = -1;
  int virtual_rank = -1;
  MPI_Comm_rank(cubefold_comm_cart(comm), &cart_rank);
  MPI_Comm_rank(cubefold_comm_virtual(comm), &virtual_rank);
  EXPECT(cart_rank == node);
  EXPECT(virtual_rank == rank);
}

static void send_across_every_dimension(cubefold_comm comm, int rank, int size) {
  for (int bit = 1; bit < size; bit *= 2) {
    int received = -1;
    MPI_Status status;
    MPI_Request request;
    EXPECT(v_isend(&rank, 1, MPI_INT, rank ^ bit, bit, comm, &request) == CUBEFOLD_SUCCESS);
    EXPECT(v_receive(&received, 1, MPI_INT, rank ^ bit, bit, comm, &status) == CUBEFOLD_SUCCESS);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(received == (rank ^ bit));
    EXPECT(status.MPI_SOURCE == (rank ^ bit));
    EXPECT(v_ireceive(&received, 1, MPI_INT, rank ^ bit, 0, comm, &request) == CUBEFOLD_SUCCESS);
    EXPECT(v_send(&bit, 1, MPI_INT, rank ^ bit, 0, comm) == CUBEFOLD_SUCCESS);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT(received == bit);
    EXPECT(v_sendreceive(&rank, 1, MPI_INT, rank ^ bit, 1, &received, 1, MPI_INT, rank ^ bit, 1, comm,
                         &status) == CUBEFOLD_SUCCESS);
    EXPECT(received == (rank ^ bit));
  }
}

/* Everything works under a placement: messages between neighbours, translation, and the exchange. */
static void use_placement(const char* grid, const char* placement, int size) {
  cubefold_comm comm = NULL;
  int rank = -1;
  EXPECT(cubefold_comm_create(MPI_COMM_WORLD, grid, placement, &comm) == CUBEFOLD_SUCCESS);
  EXPECT(v_get_pid(comm, &rank) == CUBEFOLD_SUCCESS);
  translate(comm, rank, size);
  send_across_every_dimension(comm, rank, size);
  exchange_blocks(comm, rank, size);
  EXPECT(cubefold_comm_free(&comm) == CUBEFOLD_SUCCESS);
  EXPECT(comm == NULL);
}

int main(int argc, char** argv) {
  int size = 0;
  char grid[32];
  cubefold_comm comm = NULL;

  EXPECT(cubefold_comm_create(MPI_COMM_WORLD, "ring:4", "xor", &comm) == CUBEFOLD_ERROR_MPI);
  EXPECT(strcmp(cubefold_last_error(), "cubefold_comm_create: MPI is not initialised: call MPI_Init first") ==
         0);

  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  snprintf(grid, sizeof grid, "ring:%d", size);

  EXPECT(strcmp(cubefold_version(), CUBEFOLD_VERSION) == 0);
  EXPECT(cubefold_comm_create(MPI_COMM_WORLD, "ring:0", "xor", &comm) == CUBEFOLD_ERROR_ARGUMENT);
  EXPECT(strcmp(cubefold_last_error(),
                "cubefold_comm_create: grid 'ring:0': extent 0 of axis 0 is not positive") == 0);
  EXPECT(comm == NULL);
  EXPECT(cubefold_comm_free(&comm) == CUBEFOLD_SUCCESS);
  EXPECT(cubefold_comm_virtual(NULL) == MPI_COMM_NULL);

  use_placement(grid, "xor", size);
  use_placement(grid, "auto:cube+bit-reversal*2", size);
  EXPECT(cubefold_comm_create(MPI_COMM_WORLD, grid, "auto:fast", &comm) == CUBEFOLD_ERROR_ARGUMENT);

  MPI_Finalize();
  if (failures == 0) printf("all as expected\n");
  return failures == 0 ? 0 : 1;
}
