/* The C interface from C99: everything that a C program would do. */
#include <cubefold/cubefold.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/expect.h"

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

#define EXPECT_ERROR(call, text)                        \
  do {                                                  \
    EXPECT((call) == CUBEFOLD_ERROR_ARGUMENT);          \
    EXPECT(strcmp(cubefold_last_error(), (text)) == 0); \
  } while (0)

/* Several at once, waited for from the last to the first on odd ranks and tested in turn on even ones. */
static void exchange_without_blocking(cubefold_comm comm, int rank, int size) {
  enum { count = 3 };
  cubefold_request requests[count];
  int* send = malloc((size_t)size * sizeof *send);
  int* receive = malloc((size_t)(size * count) * sizeof *receive);
  for (int j = 0; j < size; ++j) send[j] = 1000 * rank + j;
  for (int n = 0; n < count; ++n) {
    EXPECT(cubefold_ialltoall(send, 1, MPI_INT, receive + n * size, 1, MPI_INT, comm, &requests[n]) ==
           CUBEFOLD_SUCCESS);
    EXPECT(requests[n] != NULL);
  }
  EXPECT_ERROR(cubefold_alltoall_start(requests[0]),
               "cubefold_alltoall_start: the request is one of cubefold_ialltoall, which cubefold_wait ends");
  for (int n = count - 1; rank % 2 == 1 && n >= 0; --n)
    EXPECT(cubefold_wait(&requests[n]) == CUBEFOLD_SUCCESS);
  for (int n = 0; rank % 2 == 0 && n < count; ++n) {
    for (int is_over = 0; !is_over;) EXPECT(cubefold_test(&requests[n], &is_over) == CUBEFOLD_SUCCESS);
  }
  for (int n = 0; n < count; ++n) {
    EXPECT(requests[n] == NULL);
    for (int i = 0; i < size; ++i) EXPECT(receive[n * size + i] == 1000 * i + rank);
  }
  EXPECT_ERROR(cubefold_wait(&requests[0]), "cubefold_wait: the cubefold_request is NULL");
  EXPECT_ERROR(cubefold_wait(NULL), "cubefold_wait: the pointer for the result is NULL");
  EXPECT_ERROR(cubefold_ialltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm, NULL),
               "cubefold_ialltoall: the pointer for the request is NULL");
  EXPECT_ERROR(cubefold_ialltoall(send, -1, MPI_INT, receive, 1, MPI_INT, comm, &requests[0]),
               "cubefold_ialltoall: count -1 is negative");
  EXPECT(requests[0] == NULL);
  EXPECT_ERROR(cubefold_ialltoall(send, 1, MPI_INT, receive, 1, MPI_INT, NULL, &requests[0]),
               "cubefold_ialltoall: the cubefold_comm is NULL");
  free(send);
  free(receive);
}

static void exchange_again_and_again(cubefold_comm comm, int rank, int size) {
  cubefold_request request = NULL;
  cubefold_comm refused = comm;
  int* buffer = malloc((size_t)size * sizeof *buffer);
  EXPECT(cubefold_alltoall_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer, 1, MPI_INT, comm, &request) ==
         CUBEFOLD_SUCCESS);
  EXPECT_ERROR(cubefold_alltoall_wait(request), "cubefold_alltoall_wait: the exchange has not been started");
  for (int run = 0; run < 3; ++run) {
    for (int j = 0; j < size; ++j) buffer[j] = 1000 * rank + j + run;
    EXPECT(cubefold_alltoall_start(request) == CUBEFOLD_SUCCESS);
    EXPECT_ERROR(
        cubefold_alltoall_start(request),
        "cubefold_alltoall_start: the exchange is under way; wait for it before it is started again");
    EXPECT_ERROR(cubefold_alltoall_free(&request),
                 "cubefold_alltoall_free: the exchange is under way; wait for it before it is freed");
    EXPECT(cubefold_alltoall_wait(request) == CUBEFOLD_SUCCESS);
    for (int i = 0; i < size; ++i) EXPECT(buffer[i] == 1000 * i + rank + run);
  }
  EXPECT_ERROR(cubefold_comm_free(&refused),
               "cubefold_comm_free: requests of the cubefold_comm are not freed yet: 1");
  EXPECT(refused == comm);
  EXPECT(cubefold_alltoall_free(&request) == CUBEFOLD_SUCCESS);
  EXPECT(request == NULL);
  EXPECT(cubefold_alltoall_free(&request) == CUBEFOLD_SUCCESS);
  EXPECT_ERROR(cubefold_alltoall_start(NULL), "cubefold_alltoall_start: the cubefold_request is NULL");
  EXPECT_ERROR(cubefold_alltoall_wait(NULL), "cubefold_alltoall_wait: the cubefold_request is NULL");
  free(buffer);
}

/* Rank i sends rank j (i + j) % 3 numbers, all of them 1000 i + j. */
static void exchange_unequal_blocks(cubefold_comm comm, int rank, int size) {
  int* counts = malloc((size_t)size * sizeof *counts);
  int* places = malloc((size_t)size * sizeof *places);
  int* send = malloc((size_t)(3 * size) * sizeof *send);
  int* receive = malloc((size_t)(3 * size) * sizeof *receive);
  for (int j = 0; j < size; ++j) {
    counts[j] = (rank + j) % 3;
    places[j] = 3 * j;
    for (int k = 0; k < 3; ++k) send[3 * j + k] = 1000 * rank + j;
    for (int k = 0; k < 3; ++k) receive[3 * j + k] = -1;
  }
  EXPECT(cubefold_alltoallv(send, counts, places, MPI_INT, receive, counts, places, MPI_INT, comm) ==
         CUBEFOLD_SUCCESS);
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < 3; ++k) EXPECT(receive[3 * i + k] == (k < counts[i] ? 1000 * i + rank : -1));
  }
  EXPECT_ERROR(cubefold_alltoallv(send, NULL, places, MPI_INT, receive, counts, places, MPI_INT, comm),
               "cubefold_alltoallv: an array of counts or displacements is NULL");
  EXPECT(cubefold_alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, receive, counts, places, MPI_INT,
                            comm) == CUBEFOLD_SUCCESS);
  for (int j = 0; j < size; ++j) EXPECT(counts[j] == 0 || receive[3 * j] == send[3 * j]);
  free(counts);
  free(places);
  free(send);
  free(receive);
}

struct packets {
  int rank;
  int taken;
};

static void make_packet(void* context, int destination, size_t offset, size_t bytes, void* packet) {
  const struct packets* packets = context;
  const int number = 1000 * packets->rank + destination;
  memcpy(packet, (const char*)&number + offset, bytes);
}

static void take_packet(void* context, int source, size_t offset, size_t bytes, const void* packet) {
  struct packets* packets = context;
  const int number = 1000 * source + packets->rank;
  EXPECT(memcmp(packet, (const char*)&number + offset, bytes) == 0);
  packets->taken += (int)bytes;
}

static void exchange_packets(cubefold_comm comm, int rank, int size) {
  struct packets packets = {rank, 0};
  EXPECT(cubefold_alltoall_packets(sizeof(int), make_packet, take_packet, &packets, comm) ==
         CUBEFOLD_SUCCESS);
  EXPECT(packets.taken == size * (int)sizeof(int));
  EXPECT_ERROR(cubefold_alltoall_packets(4, make_packet, NULL, &packets, comm),
               "cubefold_alltoall_packets: a call-back is missing");
}

static void explain_exchanges(cubefold_comm comm) {
  const char* text = NULL;
  EXPECT(cubefold_explain(comm, 64, &text) == CUBEFOLD_SUCCESS);
  EXPECT(text != NULL && strstr(text, "blocks of 64 bytes") != NULL);
  EXPECT(text != NULL && strstr(text, "MPI_Alltoallv") != NULL);
  EXPECT_ERROR(cubefold_explain(comm, 64, NULL), "cubefold_explain: the pointer for the result is NULL");
  EXPECT_ERROR(cubefold_explain(NULL, 64, &text), "cubefold_explain: the cubefold_comm is NULL");
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
  for (int bit = 1; bit < size && (size & (size - 1)) == 0; bit *= 2) {
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
  exchange_without_blocking(comm, rank, size);
  exchange_again_and_again(comm, rank, size);
  exchange_unequal_blocks(comm, rank, size);
  exchange_packets(comm, rank, size);
  explain_exchanges(comm);
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

  use_placement(NULL, NULL, size);
  use_placement(grid, "identity", size);
  if ((size & (size - 1)) == 0) use_placement(grid, "xor", size);
  if ((size & (size - 1)) == 0) use_placement(grid, "auto:cube+bit-reversal*2", size);
  EXPECT(cubefold_comm_create(MPI_COMM_WORLD, grid, "auto:fast", &comm) == CUBEFOLD_ERROR_ARGUMENT);

  MPI_Finalize();
  if (failures == 0) printf("all as expected\n");
  return failures == 0 ? 0 : 1;
}
