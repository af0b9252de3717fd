/* This C99 program uses the C interface in all the ways in which a C program would. */
#define CUBEFOLD_SHORT_NAMES
#include <cubefold/cubefold.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/expect.h"
#include "support/leaks.h"

/* Defined in own_short_names.c. */
int rank_of_own_short_name(void);

static int rank_in_world(void) {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

static void exchange_blocks(cubefold_comm comm, int rank, int size) {
  int* send = malloc((size_t)size * sizeof *send);
  int* receive = malloc((size_t)size * sizeof *receive);
  for (int j = 0; j < size; ++j) send[j] = 1000 * rank + j;
  EXPECT(cubefold_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm) == CUBEFOLD_SUCCESS);
  for (int i = 0; i < size; ++i) EXPECT(receive[i] == 1000 * i + rank);
  EXPECT(cubefold_alltoall(MPI_IN_PLACE, 1, MPI_INT, receive, 1, MPI_INT, comm) == CUBEFOLD_SUCCESS);
  for (int j = 0; j < size; ++j) EXPECT(receive[j] == send[j]);
  free(send);
  free(receive);
}

/* Starts several exchanges at once. Odd ranks wait for them from the last to the first; even ranks test the first until
   it is over, then the next. */
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
  EXPECT_ERROR(cubefold_wait(&request), "cubefold_wait: the exchange has not been started");
  for (int run = 0; run < 3; ++run) {
    for (int j = 0; j < size; ++j) buffer[j] = 1000 * rank + j + run;
    EXPECT(cubefold_alltoall_start(request) == CUBEFOLD_SUCCESS);
    EXPECT_ERROR(cubefold_alltoall_free(&request),
                 "cubefold_alltoall_free: the exchange is under way; wait for it before it is freed");
    EXPECT(cubefold_wait(&request) == CUBEFOLD_SUCCESS);
    for (int i = 0; i < size; ++i) EXPECT(buffer[i] == 1000 * i + rank + run);
  }
  EXPECT_ERROR(cubefold_comm_free(&refused),
               "cubefold_comm_free: requests of the cubefold_comm are not freed yet: 1");
  EXPECT(refused == comm);
  EXPECT(cubefold_alltoall_free(&request) == CUBEFOLD_SUCCESS);
  EXPECT(request == NULL);
  EXPECT(cubefold_alltoall_free(&request) == CUBEFOLD_SUCCESS);
  EXPECT_ERROR(cubefold_alltoall_start(NULL), "cubefold_alltoall_start: the cubefold_request is NULL");
  free(buffer);
}

/* Exchanges blocks in which rank i sends (i + j) % 3 numbers 1000 i + j to rank j. */
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
  EXPECT(cubefold_alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, receive, counts, places, MPI_INT,
                            comm) == CUBEFOLD_SUCCESS);
  for (int j = 0; j < size; ++j) EXPECT(counts[j] == 0 || receive[3 * j] == send[3 * j]);
  free(counts);
  free(places);
  free(send);
  free(receive);
}

/* Makes a request for such blocks by the functions with large counts, of which there are two that are persistent. */
static void make_large_request(int way, const int* send, int* receive, const MPI_Count* counts,
                               const MPI_Aint* places, const MPI_Datatype* types, cubefold_comm comm,
                               cubefold_request* request) {
  switch (way) {
    case 0:
      EXPECT_DONE(cubefold_ialltoall_c(send, 3, MPI_INT, receive, 3, MPI_INT, comm, request));
      break;
    case 1:
      EXPECT_DONE(cubefold_ialltoallv_c(send, counts, places, MPI_INT, receive, counts, places, MPI_INT, comm,
                                        request));
      break;
    case 2:
      EXPECT_DONE(
          cubefold_ialltoallw_c(send, counts, places, types, receive, counts, places, types, comm, request));
      break;
    case 3:
      EXPECT_DONE(cubefold_alltoall_init_c(send, 3, MPI_INT, receive, 3, MPI_INT, comm, request));
      break;
    default:
      EXPECT_DONE(cubefold_alltoallw_init_c(send, counts, places, types, receive, counts, places, types, comm,
                                            request));
  }
}

static void expect_large_counts(const int* receive, const MPI_Count* counts, int rank, int size) {
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < 3; ++k) EXPECT(receive[3 * i + k] == (k < counts[i] ? 1000 * i + rank : -1));
}

/* Exchanges such blocks by the requests with large counts. */
static void request_large_counts(cubefold_comm comm, int rank, int size) {
  MPI_Count* counts = malloc((size_t)size * sizeof *counts);
  MPI_Aint* places = malloc((size_t)size * sizeof *places);
  MPI_Datatype* types = malloc((size_t)size * sizeof *types);
  int* send = malloc((size_t)(3 * size) * sizeof *send);
  int* receive = malloc((size_t)(3 * size) * sizeof *receive);
  for (int way = 0; way < 5; ++way) {
    const int is_typed = way == 2 || way == 4;
    cubefold_request request = NULL;
    for (int j = 0; j < size; ++j) {
      counts[j] = way == 0 || way == 3 ? 3 : (rank + j) % 3;
      places[j] = 3 * j * (is_typed ? (MPI_Aint)sizeof(int) : 1);
      types[j] = MPI_INT;
      for (int k = 0; k < 3; ++k) send[3 * j + k] = 1000 * rank + j;
    }
    for (int j = 0; j < 3 * size; ++j) receive[j] = -1;
    make_large_request(way, send, receive, counts, places, types, comm, &request);
    for (int again = 0; again < (way < 3 ? 1 : 2); ++again) {
      if (way >= 3) EXPECT_DONE(cubefold_alltoall_start(request));
      EXPECT_DONE(cubefold_wait(&request));
      expect_large_counts(receive, counts, rank, size);
    }
    EXPECT((request == NULL) == (way < 3));
    EXPECT_DONE(cubefold_alltoall_free(&request));
  }
  free(counts);
  free(places);
  free(types);
  free(send);
  free(receive);
}

/* Exchanges such blocks by the functions with large counts. */
static void exchange_large_counts(cubefold_comm comm, int rank, int size) {
  MPI_Count* counts = malloc((size_t)size * sizeof *counts);
  MPI_Aint* places = malloc((size_t)size * sizeof *places);
  MPI_Datatype* types = malloc((size_t)size * sizeof *types);
  int* send = malloc((size_t)(3 * size) * sizeof *send);
  int* receive = malloc((size_t)(3 * size) * sizeof *receive);
  for (int way = 0; way < 3; ++way) {
    for (int j = 0; j < size; ++j) {
      counts[j] = way == 0 ? 3 : (rank + j) % 3;
      places[j] = 3 * j * (way == 2 ? (MPI_Aint)sizeof(int) : 1);
      types[j] = MPI_INT;
      for (int k = 0; k < 3; ++k) send[3 * j + k] = 1000 * rank + j;
      for (int k = 0; k < 3; ++k) receive[3 * j + k] = -1;
    }
    if (way == 0) EXPECT_DONE(cubefold_alltoall_c(send, 3, MPI_INT, receive, 3, MPI_INT, comm));
    if (way == 1)
      EXPECT_DONE(
          cubefold_alltoallv_c(send, counts, places, MPI_INT, receive, counts, places, MPI_INT, comm));
    if (way == 2)
      EXPECT_DONE(cubefold_alltoallw_c(send, counts, places, types, receive, counts, places, types, comm));
    expect_large_counts(receive, counts, rank, size);
  }
  free(counts);
  free(places);
  free(types);
  free(send);
  free(receive);
}

/* Sends (rank + j) % 3 numbers to rank j, two as a vector with a gap on the sending side, and starts the same exchange
 * as a request and as a persistent request. */
static void exchange_types(cubefold_comm comm, int rank, int size) {
  int* counts = malloc((size_t)size * sizeof *counts);
  int* ones = malloc((size_t)size * sizeof *ones);
  int* places = malloc((size_t)size * sizeof *places);
  MPI_Datatype* types = malloc((size_t)size * sizeof *types);
  MPI_Datatype* numbers = malloc((size_t)size * sizeof *numbers);
  int* send = malloc(3 * (size_t)size * sizeof *send);
  int* receive = malloc(3 * (size_t)size * sizeof *receive);
  MPI_Datatype spread = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 2, MPI_INT, &spread);
  MPI_Type_commit(&spread);
  for (int j = 0; j < size; ++j) {
    counts[j] = (rank + j) % 3;
    ones[j] = counts[j] > 0;
    places[j] = 3 * j * (int)sizeof(int);
    types[j] = counts[j] == 2 ? spread : MPI_INT;
    numbers[j] = counts[j] == 0 ? MPI_DATATYPE_NULL : MPI_INT;
    for (int k = 0; k < 3; ++k) send[3 * j + k] = 1000 * rank + j;
  }
  for (int way = 0; way < 4; ++way) {
    cubefold_request request = NULL;
    for (int k = 0; k < 3 * size; ++k) receive[k] = -1;
    if (way < 2)
      EXPECT_DONE(cubefold_alltoallw(send, ones, places, types, receive, counts, places, numbers, comm));
    if (way == 2)
      EXPECT_DONE(
          cubefold_ialltoallw(send, ones, places, types, receive, counts, places, numbers, comm, &request));
    if (way == 3) {
      EXPECT_DONE(cubefold_alltoallw_init(send, ones, places, types, receive, counts, places, numbers, comm,
                                          &request));
      EXPECT_DONE(cubefold_alltoall_start(request));
    }
    if (way >= 2) EXPECT_DONE(cubefold_wait(&request));
    if (way == 3) EXPECT_DONE(cubefold_alltoall_free(&request));
    for (int i = 0; i < size; ++i)
      for (int k = 0; k < 3; ++k) EXPECT(receive[3 * i + k] == (k < counts[i] ? 1000 * i + rank : -1));
  }
  EXPECT_DONE(cubefold_alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, receive, counts, places, numbers, comm));
  for (int j = 0; j < size; ++j) EXPECT(counts[j] == 0 || receive[3 * j] == send[3 * j]);
  MPI_Type_free(&spread);
  free(counts);
  free(ones);
  free(places);
  free(types);
  free(numbers);
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
}

static void explain_exchanges(cubefold_comm comm) {
  const char* text = NULL;
  EXPECT(cubefold_explain(comm, 64, &text) == CUBEFOLD_SUCCESS);
  EXPECT(text != NULL && strstr(text, "blocks of 64 bytes") != NULL);
  EXPECT(text != NULL && strstr(text, "unequal blocks") != NULL);
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

static void split_by_resources(cubefold_comm comm) {
  MPI_Comm part = MPI_COMM_NULL;
  int is_known = 0;
  EXPECT_DONE(cubefold_comm_is_known(comm, &is_known));
  if (is_known) {
    EXPECT_DONE(cubefold_comm_split(comm, "axis/0", &part));
    EXPECT(part != MPI_COMM_NULL);
    MPI_Comm_free(&part);
  } else {
    EXPECT_ERROR(cubefold_comm_split(comm, "axis/0", &part),
                 "cubefold_comm_split: resource 'axis/0': nothing is known of the network");
  }
  EXPECT_ERROR(cubefold_comm_split(comm, NULL, &part),
               "cubefold_comm_split: the name of the resource is NULL");
  EXPECT_ERROR(cubefold_comm_split(comm, "node", NULL),
               "cubefold_comm_split: the pointer for the result is NULL");
  EXPECT_ERROR(cubefold_comm_split(NULL, "node", &part), "cubefold_comm_split: the cubefold_comm is NULL");
  EXPECT(part == MPI_COMM_NULL);
}

static void make_cartesian_grids(cubefold_comm comm, int size) {
  MPI_Comm cart = MPI_COMM_NULL;
  const int dims[2] = {size, 1};
  const int periods[2] = {1, 0};
  EXPECT(cubefold_cart_create(comm, 2, dims, periods, &cart) == CUBEFOLD_SUCCESS);
  int made_dims[2] = {0, 0};
  int made_periods[2] = {0, 0};
  int coordinates[2] = {-1, -1};
  EXPECT(MPI_Cart_get(cart, 2, made_dims, made_periods, coordinates) == MPI_SUCCESS);
  EXPECT(made_dims[0] == size && made_dims[1] == 1 && made_periods[0] == 1 && made_periods[1] == 0);
  MPI_Comm_free(&cart);

  EXPECT_ERROR(cubefold_cart_create(comm, 0, dims, periods, &cart),
               "cubefold_cart_create: ndims is below 1, or dims or periods is NULL");
  EXPECT_ERROR(cubefold_cart_create(comm, 2, dims, NULL, &cart),
               "cubefold_cart_create: ndims is below 1, or dims or periods is NULL");
  EXPECT_ERROR(cubefold_cart_create(comm, 2, dims, periods, NULL),
               "cubefold_cart_create: the pointer for the result is NULL");
  EXPECT_ERROR(cubefold_cart_create(NULL, 2, dims, periods, &cart),
               "cubefold_cart_create: the cubefold_comm is NULL");
  const int too_many[1] = {size + 1};
  EXPECT(cubefold_cart_create(comm, 1, too_many, periods, &cart) == CUBEFOLD_ERROR_ARGUMENT);
  EXPECT(strstr(cubefold_last_error(), "cubefold_cart_create: a grid of ") == cubefold_last_error());
  EXPECT(cart == MPI_COMM_NULL);
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

/* The names of MPI do the same as those of the papers. */
static void send_in_a_ring(cubefold_comm comm, int rank, int size) {
  const int next = (rank + 1) % size;
  const int before = (rank + size - 1) % size;
  int received[3] = {-1, -1, -1};
  MPI_Request request;
  MPI_Status status;
  EXPECT_DONE(cubefold_v_irecv(&received[0], 1, MPI_INT, before, 3, comm, &request));
  EXPECT_DONE(cubefold_v_send(&rank, 1, MPI_INT, next, 3, comm));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_DONE(
      cubefold_v_sendrecv(&rank, 1, MPI_INT, next, 4, &received[1], 1, MPI_INT, before, 4, comm, &status));
  EXPECT(status.MPI_SOURCE == before);
  EXPECT_DONE(cubefold_v_isend(&rank, 1, MPI_INT, next, 5, comm, &request));
  EXPECT_DONE(cubefold_v_recv(&received[2], 1, MPI_INT, before, 5, comm, MPI_STATUS_IGNORE));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < 3; ++i) EXPECT(received[i] == before);
  EXPECT_DONE(cubefold_v_ireceive(&received[0], 1, MPI_INT, before, 6, comm, &request));
  EXPECT_DONE(cubefold_v_sendreceive(&next, 1, MPI_INT, next, 6, &received[1], 1, MPI_INT, MPI_PROC_NULL, 6,
                                     comm, MPI_STATUS_IGNORE));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT(received[0] == rank && received[1] == before);
}

/* Says what a handle of `size` processes on a grid with a node for each must answer. */
static void ask_for_facts(cubefold_comm comm, const char* grid, const char* placement, int size) {
  int number = -1;
  int node = -1;
  int same_node = -1;
  int rank = -1;
  const char* text = NULL;
  EXPECT_DONE(cubefold_comm_size(comm, &number));
  EXPECT(number == size);
  EXPECT_DONE(cubefold_comm_rank(comm, &rank));
  EXPECT_DONE(cubefold_comm_node(comm, &node));
  EXPECT_DONE(cubefold_to_physical(comm, rank, &same_node));
  EXPECT(node == same_node);
  EXPECT_DONE(cubefold_comm_is_known(comm, &number));
  EXPECT(number == (grid == NULL ? 0 : 1));
  EXPECT_DONE(cubefold_comm_grid(comm, &text));
  char line[32];
  snprintf(line, sizeof line, size == 2 ? "hypercube:%d" : "line:%d", size == 2 ? 1 : size);
  EXPECT(strcmp(text, grid == NULL ? line : grid) == 0);
  EXPECT_DONE(cubefold_comm_placement(comm, &text));
  if (placement == NULL) placement = "identity";
  EXPECT(strncmp(placement, "auto:", 5) == 0 || strcmp(text, placement) == 0);
  EXPECT_ERROR(cubefold_comm_size(NULL, &number), "cubefold_comm_size: the cubefold_comm is NULL");
  EXPECT_ERROR(cubefold_comm_node(comm, NULL), "cubefold_comm_node: the pointer for the result is NULL");
  EXPECT_ERROR(cubefold_comm_grid(NULL, &text), "cubefold_comm_grid: the cubefold_comm is NULL");
  EXPECT_ERROR(cubefold_comm_placement(comm, NULL),
               "cubefold_comm_placement: the pointer for the result is NULL");
  EXPECT_ERROR(cubefold_comm_is_known(NULL, &number), "cubefold_comm_is_known: the cubefold_comm is NULL");
}

enum { several = 4 };

/* Starts exchanges of two handles by turns, so that request n belongs to handle n % 2. A request that is not started
 * and one that is NULL follow. */
static void start_several(cubefold_comm comms[2], int size, const int* send, int* receive,
                          cubefold_request requests[several + 2]) {
  for (int n = 0; n < several; ++n)
    EXPECT_DONE(
        cubefold_ialltoall(send, 1, MPI_INT, receive + n * size, 1, MPI_INT, comms[n % 2], &requests[n]));
  EXPECT_DONE(cubefold_alltoall_init(send, 1, MPI_INT, receive, 1, MPI_INT, comms[0], &requests[several]));
  requests[several + 1] = NULL;
}

static void end_several(int size, int rank, const int* receive, cubefold_request requests[several + 2]) {
  for (int n = 0; n < several; ++n) {
    EXPECT(requests[n] == NULL);
    for (int i = 0; i < size; ++i) EXPECT(receive[n * size + i] == 1000 * i + rank);
  }
  EXPECT(requests[several] != NULL);
  EXPECT_DONE(cubefold_alltoall_free(&requests[several]));
}

/* Odd ranks have the requests in another order, so each process waits for another handle first. */
static void turn_on_odd_ranks(int rank, cubefold_request requests[several]) {
  for (int n = 0; rank % 2 == 1 && n < several; n += 2) {
    const cubefold_request first = requests[n];
    requests[n] = requests[n + 1];
    requests[n + 1] = first;
  }
}

static void wait_for_several(cubefold_comm comm, const char* grid, int rank, int size) {
  cubefold_comm comms[2] = {comm, NULL};
  cubefold_request requests[several + 2];
  int index = -1;
  int* send = malloc((size_t)size * sizeof *send);
  int* receive = malloc((size_t)(size * several) * sizeof *receive);
  for (int j = 0; j < size; ++j) send[j] = 1000 * rank + j;
  const char* placement = NULL;
  EXPECT_DONE(cubefold_comm_placement(comm, &placement));
  EXPECT_DONE(cubefold_comm_create(MPI_COMM_WORLD, grid, placement, &comms[1]));

  start_several(comms, size, send, receive, requests);
  turn_on_odd_ranks(rank, requests);
  EXPECT_DONE(cubefold_waitall(several + 2, requests));
  end_several(size, rank, receive, requests);

  start_several(comms, size, send, receive, requests);
  turn_on_odd_ranks(rank, requests);
  for (int n = 0; n < several; ++n) {
    EXPECT_DONE(cubefold_waitany(several + 2, requests, &index));
    EXPECT(index >= 0 && index < several && requests[index] == NULL);
  }
  EXPECT_DONE(cubefold_waitany(several + 2, requests, &index));
  EXPECT(index == MPI_UNDEFINED);
  end_several(size, rank, receive, requests);

  start_several(comms, size, send, receive, requests);
  turn_on_odd_ranks(rank, requests);
  for (int are_over = 0; !are_over;) {
    for (int n = 0; n < several; ++n) EXPECT(requests[n] != NULL);
    EXPECT_DONE(cubefold_testall(several + 2, requests, &are_over));
  }
  end_several(size, rank, receive, requests);

  EXPECT_DONE(cubefold_waitall(0, NULL));
  EXPECT_ERROR(cubefold_waitall(-1, requests), "cubefold_waitall: count -1 is negative");
  EXPECT_ERROR(cubefold_waitany(1, NULL, &index), "cubefold_waitany: the array of requests is NULL");
  EXPECT_ERROR(cubefold_testall(1, requests, NULL), "cubefold_testall: the pointer for the result is NULL");
  EXPECT_DONE(cubefold_comm_free(&comms[1]));
  free(send);
  free(receive);
}

/* Makes a handle by hints, and returns the code. */
static int create_with(const char* key, const char* value, const char* grid, cubefold_comm* comm) {
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "grid", grid);
  MPI_Info_set(info, "unknown", "value");
  MPI_Info_set(info, key, value);
  const int code = cubefold_comm_create_with_info(MPI_COMM_WORLD, info, comm);
  MPI_Info_free(&info);
  return code;
}

static void create_by_hints(const char* grid, int rank, int size) {
  cubefold_comm comm = NULL;
  char placement[32];
  const char* text = NULL;
  snprintf(placement, sizeof placement, "%s", size == 3 ? "nodes=2-0-1" : "identity");
  EXPECT_DONE(create_with("placement", placement, grid, &comm));
  ask_for_facts(comm, grid, placement, size);
  EXPECT_DONE(cubefold_comm_free(&comm));
  EXPECT_DONE(cubefold_comm_create_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, &comm));
  ask_for_facts(comm, NULL, NULL, size);
  EXPECT_DONE(cubefold_comm_free(&comm));
  EXPECT_DONE(create_with("ports", "all", grid, &comm));
  EXPECT_DONE(cubefold_explain(comm, 64, &text));
  EXPECT_DONE(cubefold_comm_free(&comm));

  EXPECT_ERROR(create_with("grid", "ring:0", grid, &comm),
               "cubefold_comm_create_with_info: grid 'ring:0': extent 0 of axis 0 is not positive");
  EXPECT_ERROR(create_with("trials", "-1", grid, &comm),
               "cubefold_comm_create_with_info: hints: trials '-1' is no number of trials from 0 to 1000");
  EXPECT_ERROR(create_with("ports", "two", grid, &comm),
               "cubefold_comm_create_with_info: hints: unknown ports 'two'; known: one, all");
  EXPECT(comm == NULL);
  EXPECT(create_with("machine", "no such file", grid, &comm) == CUBEFOLD_ERROR_ARGUMENT);
  EXPECT(strstr(cubefold_last_error(), "no such file") != NULL);
  EXPECT(create_with("tuning", "no such folder/file", grid, &comm) == CUBEFOLD_ERROR_ARGUMENT);
  EXPECT(strstr(cubefold_last_error(), "no such folder/file") != NULL);
  EXPECT(comm == NULL);
  if (size > 1) {
    EXPECT(create_with("trials", rank == 0 ? "1" : "2", grid, &comm) == CUBEFOLD_ERROR_ARGUMENT);
    snprintf(placement, sizeof placement, "trials=1' of process 0");
    EXPECT(strstr(cubefold_last_error(), placement) != NULL);
  }
  EXPECT_ERROR(create_with("trials", "0", grid, NULL),
               "cubefold_comm_create_with_info: the pointer for the result is NULL");
}

/* Names a wrong call that all processes make. This call and every later call of the handle report the mistake. */
enum mistake {
  NEGATIVE_COUNT,
  NO_REQUEST,
  NEGATIVE_COUNT_OF_REQUEST,
  START_OF_NO_PERSISTENT,
  START_TWICE,
  NO_COUNTS,
  NO_COUNTS_OF_REQUEST,
  NO_TYPES,
  NO_TYPES_OF_REQUEST,
  NO_CONSUMER,
  NO_TEXT,
  MISTAKE_COUNT
};

static int make_mistake(enum mistake mistake, cubefold_comm comm, int* send, int* receive,
                        cubefold_request* request) {
  struct packets packets = {0, 0};
  switch (mistake) {
    case NEGATIVE_COUNT:
      return cubefold_alltoall(send, -1, MPI_INT, receive, 1, MPI_INT, comm);
    case NO_REQUEST:
      return cubefold_ialltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm, NULL);
    case NEGATIVE_COUNT_OF_REQUEST:
      return cubefold_ialltoall(send, -1, MPI_INT, receive, 1, MPI_INT, comm, request);
    case START_OF_NO_PERSISTENT:
      EXPECT_DONE(cubefold_ialltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm, request));
      return cubefold_alltoall_start(*request);
    case START_TWICE:
      EXPECT_DONE(cubefold_alltoall_init(send, 1, MPI_INT, receive, 1, MPI_INT, comm, request));
      EXPECT_DONE(cubefold_alltoall_start(*request));
      return cubefold_alltoall_start(*request);
    case NO_COUNTS:
      return cubefold_alltoallv(send, NULL, NULL, MPI_INT, receive, NULL, NULL, MPI_INT, comm);
    case NO_COUNTS_OF_REQUEST:
      return cubefold_ialltoallv(send, NULL, NULL, MPI_INT, receive, NULL, NULL, MPI_INT, comm, request);
    case NO_TYPES:
      return cubefold_alltoallw(send, NULL, NULL, NULL, receive, NULL, NULL, NULL, comm);
    case NO_TYPES_OF_REQUEST:
      return cubefold_alltoallw_init(send, NULL, NULL, NULL, receive, NULL, NULL, NULL, comm, request);
    case NO_CONSUMER:
      return cubefold_alltoall_packets(4, make_packet, NULL, &packets, comm);
    case NO_TEXT:
      return cubefold_explain(comm, 64, NULL);
    case MISTAKE_COUNT:
      break;
  }
  return CUBEFOLD_ERROR_INTERNAL;
}

static const char* const mistakes[MISTAKE_COUNT] = {
    "cubefold_alltoall: count -1 is negative",
    "cubefold_ialltoall: the pointer for the request is NULL",
    "cubefold_ialltoall: count -1 is negative",
    "cubefold_alltoall_start: the request is not persistent, so cubefold_wait ends it",
    "cubefold_alltoall_start: the exchange is under way; wait for it before it is started again",
    "cubefold_alltoallv: an array of counts or displacements is NULL",
    "cubefold_ialltoallv: an array of counts or displacements is NULL",
    "cubefold_alltoallw: an array of counts, displacements or types is NULL",
    "cubefold_alltoallw_init: an array of counts, displacements or types is NULL",
    "cubefold_alltoall_packets: a call-back is missing",
    "cubefold_explain: the pointer for the result is NULL",
};

static void make_mistakes(const char* grid, int size) {
  int* send = calloc((size_t)size, sizeof *send);
  int* receive = calloc((size_t)size, sizeof *receive);
  for (int mistake = 0; mistake < MISTAKE_COUNT; ++mistake) {
    cubefold_comm comm = NULL;
    cubefold_request request = NULL;
    char text[300];
    EXPECT_DONE(cubefold_comm_create(MPI_COMM_WORLD, grid, "identity", &comm));
    EXPECT_DONE(cubefold_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm));
    EXPECT_ERROR(make_mistake((enum mistake)mistake, comm, send, receive, &request), mistakes[mistake]);
    snprintf(text, sizeof text, "cubefold_alltoall: no exchange is possible after an earlier failure: %s",
             strchr(mistakes[mistake], ':') + 2);
    if (mistake == NO_COUNTS || mistake == NO_TYPES) { /* all processes have agreed on this one */
      EXPECT_DONE(cubefold_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm));
    } else {
      EXPECT_ERROR(cubefold_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm), text);
    }
    if (mistake == START_OF_NO_PERSISTENT) EXPECT_DONE(cubefold_wait(&request));
    if (mistake == START_TWICE) {
      EXPECT_DONE(cubefold_wait(&request));
      EXPECT_DONE(cubefold_alltoall_free(&request));
    }
    EXPECT(request == NULL);
    EXPECT_DONE(cubefold_comm_free(&comm));
  }
  free(send);
  free(receive);
}

/* Tests translation of ranks, messages between neighbours and exchanges under a placement. */
static void use_placement(const char* grid, const char* placement, int size) {
  cubefold_comm comm = NULL;
  int rank = -1;
  EXPECT(cubefold_comm_create(MPI_COMM_WORLD, grid, placement, &comm) == CUBEFOLD_SUCCESS);
  EXPECT(v_get_pid(comm, &rank) == CUBEFOLD_SUCCESS);
  translate(comm, rank, size);
  ask_for_facts(comm, grid, placement, size);
  make_cartesian_grids(comm, size);
  split_by_resources(comm);
  send_across_every_dimension(comm, rank, size);
  send_in_a_ring(comm, rank, size);
  exchange_blocks(comm, rank, size);
  exchange_without_blocking(comm, rank, size);
  exchange_again_and_again(comm, rank, size);
  wait_for_several(comm, grid, rank, size);
  exchange_unequal_blocks(comm, rank, size);
  exchange_large_counts(comm, rank, size);
  request_large_counts(comm, rank, size);
  exchange_types(comm, rank, size);
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
  EXPECT(strcmp(cubefold_error_string(CUBEFOLD_SUCCESS), "no error") == 0);
  EXPECT(strcmp(cubefold_error_string(CUBEFOLD_ERROR_MEMORY), "not enough memory") == 0);
  EXPECT(strcmp(cubefold_error_string(-7), "no error code of cubefold") == 0);
  EXPECT(rank_of_own_short_name() == rank_in_world());
  EXPECT(cubefold_comm_create(MPI_COMM_WORLD, "ring:0", "xor", &comm) == CUBEFOLD_ERROR_ARGUMENT);
  EXPECT(strcmp(cubefold_last_error(),
                "cubefold_comm_create: grid 'ring:0': extent 0 of axis 0 is not positive") == 0);
  EXPECT(comm == NULL);
  EXPECT(cubefold_comm_free(&comm) == CUBEFOLD_SUCCESS);
  EXPECT(cubefold_comm_virtual(NULL) == MPI_COMM_NULL);

  use_placement(NULL, NULL, size);
  use_placement(grid, "identity", size);
  create_by_hints(grid, rank_in_world(), size);
  make_mistakes(grid, size);
  if ((size & (size - 1)) == 0) use_placement(grid, "xor", size);
  if ((size & (size - 1)) == 0) use_placement(grid, "auto:cube+bit-reversal*2", size);
  EXPECT(cubefold_comm_create(MPI_COMM_WORLD, grid, "auto:fast", &comm) == CUBEFOLD_ERROR_ARGUMENT);

  expect_no_leaks();
  MPI_Finalize();
  if (failures == 0) printf("all as expected\n");
  return failures == 0 ? 0 : 1;
}
