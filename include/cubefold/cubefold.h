/* This is the C interface of cubefold, for C99 and C++.
 *
 * Every function that returns int returns CUBEFOLD_SUCCESS or one of the error codes below, on the calling process. No
 * function aborts the program. After an error, cubefold_last_error() returns the text.
 *
 * With MPI_THREAD_MULTIPLE several threads may use the library. With a lower level the caller serialises all calls, as
 * that level demands for calls of MPI. Threads with a handle each may call any function at the same time.
 *
 * For one handle the caller serialises the calls that all processes make in one order: the exchanges cubefold_alltoall,
 * cubefold_alltoallv, cubefold_alltoallw, their forms with large counts and cubefold_alltoall_packets, then
 * cubefold_ialltoall, cubefold_ialltoallv, cubefold_ialltoallw, cubefold_alltoall_init, cubefold_alltoallw_init,
 * cubefold_alltoall_start, cubefold_explain and cubefold_comm_free, those that reduce or gather vectors, those with
 * neighbours, and all functions of cubefold_fft.h. Any thread may make them, one after the other. At the same time
 * other threads may call cubefold_wait, cubefold_test, their forms for several requests and cubefold_alltoall_free for
 * requests of the handle, and the functions that take no part in exchanges. For one request the caller serialises all
 * calls. */
#ifndef CUBEFOLD_H
#define CUBEFOLD_H

#include <mpi.h>
#include <stddef.h> /* NOLINT(modernize-deprecated-headers): C */

#include "cubefold/export.h"
#include "cubefold/version.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CUBEFOLD_SUCCESS = 0,
  CUBEFOLD_ERROR_ARGUMENT = 1, /* an argument of the call breaks a rule that the text names */
  CUBEFOLD_ERROR_MPI = 2,      /* an MPI call failed */
  CUBEFOLD_ERROR_MEMORY = 3,
  CUBEFOLD_ERROR_INTERNAL = 4, /* a defect of cubefold */
  CUBEFOLD_ERROR_TIMEOUT = 5   /* another process did not come in the time of CUBEFOLD_TIMEOUT */
};

/* A handle of processes. Each process is on a node of a network and has a virtual rank that a placement puts there. */
typedef struct cubefold_comm_s* cubefold_comm; /* NOLINT(modernize-use-using): C */

/* Creates a handle. All processes of the communicator must call this function. mpi_comm must be an intra-communicator
 * that fits the grid. If it has as many processes as the grid has nodes, process n is node n. Otherwise it must have as
 * many hosts as the grid has nodes; the hosts are the nodes, in the order of their lowest processes, and each may have
 * several processes. On a single host, every node gets an equal number of consecutive processes. The virtual ranks on a
 * node are consecutive.
 *
 *   grid       torus:8x8  mesh:4x4x4  ring:16  line:16  hypercube:6  grid:8wx4 (w: wrapped axis), axis 0 first,
 *              or a network with other links: torus:4x4,cut=0-1  torus:4x8~4  hyperx:12x8  file:network.json
 *              torus:4x4,hosts=2 (two hosts on every node);
 *              NULL or auto: what the environment variable CUBEFOLD_GRID names, or else the part of a network on
 *              which the job runs: by the map of hosts that CUBEFOLD_HOSTS names (`cubefold discover` writes one),
 *              by that of the site (etc/cubefold/hosts.json) if it has all hosts, or by Slurm's addresses of nodes.
 *              Processes may then be on the nodes in any order. If nothing is known of the network, exchanges are left
 *              to MPI
 *   placement  identity, standard, xor, by-weight or gray, or one for each axis as xor/gray; then optionally
 *              ,bits=cyclic or ,bits=0-1-0-1 (axis of each bit) and ,order=0-3-1-2; or nodes=3-1-0-2 (node of each
 *              rank);
 *              or auto:PHASE+PHASE, as auto:cube:0-2+transpose:8x8*2: the best that is found for those phases;
 *              NULL: what the environment variable CUBEFOLD_PLACEMENT names, or identity
 *
 * An empty variable counts as unset. All processes must have the same grid and placement. If one process makes a
 * mistake, the call fails on all of them with the same text, and *comm is NULL. */
CUBEFOLD_API int cubefold_comm_create(MPI_Comm mpi_comm, const char* grid, const char* placement,
                                      cubefold_comm* comm);

/* Creates a handle by hints, each of which replaces an environment variable for this handle. These are the keys:
 *
 *   grid, placement   as the arguments of cubefold_comm_create
 *   machine, tuning   files, as CUBEFOLD_MACHINE and CUBEFOLD_TUNING name them; process 0 reads and writes them
 *   trials            0 to 1000, as CUBEFOLD_TRIALS
 *   ports             one or all: the links of a node that carry messages at the same time, where exchanges are planned
 *                     without a machine file; one if it is absent
 *
 * MPI_INFO_NULL has no hints. Other keys are ignored, as in MPI. All processes must give the same hints. A value that
 * breaks a rule fails on all processes with the same text, as in cubefold_comm_create. */
CUBEFOLD_API int cubefold_comm_create_with_info(MPI_Comm mpi_comm, MPI_Info info, cubefold_comm* comm);

/* Frees the handle and its communicators, and sets *comm to NULL. All processes must call this function. It does
 * nothing for a NULL handle. It first waits for the exchanges that are under way. It fails on all processes if any of
 * them has requests that are not freed, and keeps the handle. If MPI fails while the processes agree on earlier
 * failures, the handle is freed nevertheless. */
CUBEFOLD_API int cubefold_comm_free(cubefold_comm* comm);

/* These return the communicator whose ranks are virtual ranks, and the Cartesian communicator whose ranks are nodes of
 * the grid, or MPI_COMM_NULL for a NULL handle. Both communicators return error codes and belong to the handle. MPI
 * counts the last Cartesian axis fastest, and cubefold the first one. MPI_Cart_coords therefore gives cubefold's
 * coordinates in reverse. */
CUBEFOLD_API MPI_Comm cubefold_comm_virtual(cubefold_comm comm);
CUBEFOLD_API MPI_Comm cubefold_comm_cart(cubefold_comm comm);

/* These return the number of virtual ranks, and the virtual rank and the node of the calling process. Nodes are those
 * of the network that cubefold_comm_grid names. The functions up to cubefold_comm_is_known do not communicate and cost
 * O(1). */
CUBEFOLD_API int cubefold_comm_size(cubefold_comm comm, int* size);
CUBEFOLD_API int cubefold_comm_rank(cubefold_comm comm, int* rank);
CUBEFOLD_API int cubefold_comm_node(cubefold_comm comm, int* node);

/* These return the network and the placement as texts that cubefold_comm_create takes, such as "torus:4x4" and "xor".
 * The placement is that of groups of ranks if nodes have several processes. The texts are valid until the handle is
 * freed. *is_known becomes 0 if nothing is known of the network, or else 1. An unknown network is named as a line of
 * all processes. */
CUBEFOLD_API int cubefold_comm_grid(cubefold_comm comm, const char** grid);
CUBEFOLD_API int cubefold_comm_placement(cubefold_comm comm, const char** placement);
CUBEFOLD_API int cubefold_comm_is_known(cubefold_comm comm, int* is_known);

/* Makes a Cartesian communicator of all processes, as MPI_Cart_create with reorder = 1 does: dims[ndims - 1] counts
 * fastest, and periods[i] is not 0 for a ring. The ranks are placed so that the busiest link of a halo exchange carries
 * the least that is found, on the shortest routes that are found for that. Processes of one node get consecutive ranks
 * or a brick of the grid. The ranks are the virtual ranks if these are as good, if nothing is known of the network, or
 * if nodes have different numbers of processes. The product of dims must be the number of processes. All processes must
 * call this function with equal arguments. It first waits for the exchanges of the handle that are under way. The
 * communicator returns error codes; the caller frees it with MPI_Comm_free. */
CUBEFOLD_API int cubefold_cart_create(cubefold_comm comm, int ndims, const int dims[], const int periods[],
                                      MPI_Comm* cart);

/* Makes the communicator of the processes that use the same resource of the network as the caller:
 *
 *   axis/K      a line of nodes along axis K, as a row of a torus
 *   plane/K-L   a plane of nodes along the axes K < L
 *   node        one node
 *   slot        the processes that have the same slot on their nodes, one on each node
 *
 * Ranks are in the order of nodes, axis 0 fastest, and then of slots: in a line of nodes with one process each, the
 * rank is the coordinate. If the job has a part of a network, the axes are those of the whole one. All processes must
 * call this function with the same name. It first waits for the exchanges of the handle that are under way. It fails on
 * all processes for another name, and if nothing is known of the network. The communicator returns error codes; the
 * caller frees it with MPI_Comm_free. */
CUBEFOLD_API int cubefold_comm_split(cubefold_comm comm, const char* resource, MPI_Comm* part);

/* These return the virtual rank on a node of the grid, and the node of a virtual rank. If the nodes of the network have
 * K processes each, axis 0 of that grid counts the slots of a node: node n has the numbers n * K .. n * K + K - 1.
 * They do not communicate and cost O(1). */
CUBEFOLD_API int cubefold_to_virtual(cubefold_comm comm, int node, int* rank);
CUBEFOLD_API int cubefold_to_physical(cubefold_comm comm, int rank, int* node);

/* These are MPI_Send, MPI_Recv, MPI_Isend, MPI_Irecv and MPI_Sendrecv between virtual ranks. They take any datatype,
 * MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_PROC_NULL and MPI_STATUS_IGNORE. A status holds the virtual rank of the source.
 * MPI_Wait, MPI_Test and their variants complete the requests. */
CUBEFOLD_API int cubefold_v_send(const void* buffer, int count, MPI_Datatype type, int dest, int tag,
                                 cubefold_comm comm);
CUBEFOLD_API int cubefold_v_recv(void* buffer, int count, MPI_Datatype type, int source, int tag,
                                 cubefold_comm comm, MPI_Status* status);
CUBEFOLD_API int cubefold_v_isend(const void* buffer, int count, MPI_Datatype type, int dest, int tag,
                                  cubefold_comm comm, MPI_Request* request);
CUBEFOLD_API int cubefold_v_irecv(void* buffer, int count, MPI_Datatype type, int source, int tag,
                                  cubefold_comm comm, MPI_Request* request);
CUBEFOLD_API int cubefold_v_sendrecv(const void* send_buffer, int send_count, MPI_Datatype send_type,
                                     int dest, int send_tag, void* recv_buffer, int recv_count,
                                     MPI_Datatype recv_type, int source, int recv_tag, cubefold_comm comm,
                                     MPI_Status* status);

/* These are the names of the papers for cubefold_comm_rank, cubefold_v_recv, cubefold_v_irecv and
 * cubefold_v_sendrecv. */
CUBEFOLD_API int cubefold_v_get_pid(cubefold_comm comm, int* rank);
CUBEFOLD_API int cubefold_v_receive(void* buffer, int count, MPI_Datatype type, int source, int tag,
                                    cubefold_comm comm, MPI_Status* status);
CUBEFOLD_API int cubefold_v_ireceive(void* buffer, int count, MPI_Datatype type, int source, int tag,
                                     cubefold_comm comm, MPI_Request* request);
CUBEFOLD_API int cubefold_v_sendreceive(const void* send_buffer, int send_count, MPI_Datatype send_type,
                                        int dest, int send_tag, void* receive_buffer, int receive_count,
                                        MPI_Datatype receive_type, int source, int receive_tag,
                                        cubefold_comm comm, MPI_Status* status);

/* A program that defines the macro CUBEFOLD_SHORT_NAMES before it includes this file has the names of the papers also
 * without the prefix. The library exports none of them. */
#ifdef CUBEFOLD_SHORT_NAMES
static inline int v_get_pid(cubefold_comm comm, int* rank) {
  return cubefold_comm_rank(comm, rank);
}
static inline int v_send(const void* buffer, int count, MPI_Datatype type, int dest, int tag,
                         cubefold_comm comm) {
  return cubefold_v_send(buffer, count, type, dest, tag, comm);
}
static inline int v_receive(void* buffer, int count, MPI_Datatype type, int source, int tag,
                            cubefold_comm comm, MPI_Status* status) {
  return cubefold_v_recv(buffer, count, type, source, tag, comm, status);
}
static inline int v_isend(const void* buffer, int count, MPI_Datatype type, int dest, int tag,
                          cubefold_comm comm, MPI_Request* request) {
  return cubefold_v_isend(buffer, count, type, dest, tag, comm, request);
}
static inline int v_ireceive(void* buffer, int count, MPI_Datatype type, int source, int tag,
                             cubefold_comm comm, MPI_Request* request) {
  return cubefold_v_irecv(buffer, count, type, source, tag, comm, request);
}
static inline int v_sendreceive(const void* send_buffer, int send_count, MPI_Datatype send_type, int dest,
                                int send_tag, void* recv_buffer, int recv_count, MPI_Datatype recv_type,
                                int source, int recv_tag, cubefold_comm comm, MPI_Status* status) {
  return cubefold_v_sendrecv(send_buffer, send_count, send_type, dest, send_tag, recv_buffer, recv_count,
                             recv_type, source, recv_tag, comm, status);
}
#endif

/* Performs MPI_Alltoall between virtual ranks: block j of send goes to virtual rank j, and block i of receive comes
 * from virtual rank i. Takes MPI_IN_PLACE as send, any datatypes of equal signature, counts of 0, blocks of any number
 * of bytes, and any number of processes.
 *
 * All processes must call the exchange functions, cubefold_alltoall_init, cubefold_alltoallw_init and
 * cubefold_alltoall_start, in the same order for one handle. The first exchange with a block size, and the first ones
 * with unequal sizes and with several datatypes, make a plan, which waits for all processes. The handle keeps the plans
 * of the 256 block sizes that were used last, a communicator and scratch memory.
 *
 * On several hosts the first ten exchanges with a block size, and then one in ten until the fastest is found, use
 * several methods in turn, MPI's own among them; all of them are right. While they do so, exchanges and requests wait
 * for all processes and for the exchanges under way when they start. CUBEFOLD_TRIALS=0 suppresses this. The environment
 * variable CUBEFOLD_TUNING names a file that keeps what was found for later runs.
 *
 * If a call fails on one process alone (an invalid argument, no memory, an error of MPI), the handle allows no more
 * exchanges. The process notifies the others, and those that wait for it in an exchange fail with the same text, which
 * names the process. Every later exchange of the handle fails with the first text. Exchanges that were started before
 * go on, and cubefold_comm_free works. If MPI's own function moves the blocks, a process with invalid arguments, or one
 * without memory in a call of cubefold_alltoallw that does not agree, leaves the others waiting in it. After a failure
 * MPI may still read from a send buffer.
 *
 * If the environment variable CUBEFOLD_CHECK is 1 on any process (0 or empty on the others), the processes compare
 * their block sizes before they send anything. If the sizes differ, all processes get the same text, and the handle
 * stays usable.
 *
 * If the environment variable CUBEFOLD_TIMEOUT is a number of seconds on any process when the handle is created, calls
 * that have waited so long for another process return CUBEFOLD_ERROR_TIMEOUT. The text names the ranks in
 * MPI_COMM_WORLD, and the handle allows no more exchanges. This also holds for cubefold_v_send, cubefold_v_recv and
 * cubefold_v_sendrecv, which leave the handle usable. The program must keep the buffers of the call, and should call
 * MPI_Abort. */
CUBEFOLD_API int cubefold_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                   int receive_count, MPI_Datatype receive_type, cubefold_comm comm);

/* Performs MPI_Alltoallv between virtual ranks. All processes must call this function. The arrays have one number for
 * each virtual rank; displacements are in elements. The call first completes all exchanges that are under way on the
 * handle. On several hosts the first calls with sizes of a kind measure MPI's own exchange, a schedule of steps and,
 * with a machine file, one in which every block leaves when its links are free; cubefold_explain reports the choice. If
 * no process sends or receives more than a third of its blocks, the others being empty, each posts these at once in the
 * order of the steps, and only every 2^k-th of the following calls agrees on the sizes and completes what is under
 * way. */
CUBEFOLD_API int cubefold_alltoallv(const void* send, const int* send_counts, const int* send_displacements,
                                    MPI_Datatype send_type, void* receive, const int* receive_counts,
                                    const int* receive_displacements, MPI_Datatype receive_type,
                                    cubefold_comm comm);

/* Performs MPI_Alltoallw between virtual ranks. All processes must call this function. The arrays have one number or
 * datatype for each virtual rank; displacements are in bytes. A datatype of a block of 0 elements is not looked at.
 * Ranks with nothing for each other exchange no message. Blocks that are consecutive in memory are not copied: those of
 * dense types, and single elements of MPI_Type_create_subarray whose bytes are consecutive. Other blocks are packed and
 * unpacked once. The first call on a handle and every 2^k-th after it agree on the sizes: they complete all exchanges
 * that are under way, wait for all processes, and on several hosts measure MPI's own exchange and schedules of steps.
 * The other calls use the best of these so far without an agreement; cubefold_explain reports it. */
CUBEFOLD_API int cubefold_alltoallw(const void* send, const int* send_counts, const int* send_displacements,
                                    const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                                    const int* receive_displacements, const MPI_Datatype* receive_types,
                                    cubefold_comm comm);

/* These perform cubefold_alltoall, cubefold_alltoallv and cubefold_alltoallw with counts above 2^31, as MPI_Alltoall_c
 * and its kin do, also where MPI has none of these. Displacements are of the type MPI_Aint. A block may have up to
 * 2^63 - 1 bytes; it travels in pieces below 2^31 bytes. One element of a datatype with gaps must have less than 2^31
 * bytes of data. Some processes may call a function and others its form with large counts. */
CUBEFOLD_API int cubefold_alltoall_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                     void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                     cubefold_comm comm);
CUBEFOLD_API int cubefold_alltoallv_c(const void* send, const MPI_Count* send_counts,
                                      const MPI_Aint* send_displacements, MPI_Datatype send_type,
                                      void* receive, const MPI_Count* receive_counts,
                                      const MPI_Aint* receive_displacements, MPI_Datatype receive_type,
                                      cubefold_comm comm);
CUBEFOLD_API int cubefold_alltoallw_c(const void* send, const MPI_Count* send_counts,
                                      const MPI_Aint* send_displacements, const MPI_Datatype* send_types,
                                      void* receive, const MPI_Count* receive_counts,
                                      const MPI_Aint* receive_displacements,
                                      const MPI_Datatype* receive_types, cubefold_comm comm);

/* Performs an all-to-all of blocks of block_bytes without buffers: call-backs produce and consume the blocks packet by
 * packet, and also the process's own block. All processes must call this function. A packet holds `bytes` bytes of a
 * block, from `offset` on. The producer fills it just before it is sent. The consumer gets it when it has arrived, and
 * must not use it after the consumer returns. The thread that called this function calls both; they must not call
 * exchanges of the handle. */
/* NOLINTBEGIN(modernize-use-using): C */
typedef void (*cubefold_produce)(void* context, int destination, size_t offset, size_t bytes, void* packet);
typedef void (*cubefold_consume)(void* context, int source, size_t offset, size_t bytes, const void* packet);
/* NOLINTEND(modernize-use-using) */
CUBEFOLD_API int cubefold_alltoall_packets(size_t block_bytes, cubefold_produce produce,
                                           cubefold_consume consume, void* context, cubefold_comm comm);

/* A request is an exchange that is bound to its buffers. It is under way from its start until cubefold_wait returns, or
 * until cubefold_test sets *is_over to a value other than 0. cubefold_ialltoall, cubefold_ialltoallv and
 * cubefold_ialltoallw make and start a request, which is freed when it ends. cubefold_alltoall_init and
 * cubefold_alltoallw_init make a persistent request: cubefold_alltoall_start starts it as often as wanted, and
 * cubefold_alltoall_free frees it when it is not under way. A request that is freed
 * becomes NULL. The caller must not access the buffers of a request that is under way; datatypes and arrays may be
 * freed at any time. The library starts no threads: an exchange makes progress in all calls that exchange, test or wait
 * on the same handle. Requests may be waited for in any order. */
typedef struct cubefold_request_s* cubefold_request; /* NOLINT(modernize-use-using): C */

/* Starts the exchange that cubefold_alltoall performs. It returns at once, except for the first exchanges with a block
 * size, as cubefold_alltoall says. All processes must call this function. */
CUBEFOLD_API int cubefold_ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                    int receive_count, MPI_Datatype receive_type, cubefold_comm comm,
                                    cubefold_request* request);

/* Starts the exchange that cubefold_alltoallv performs. It returns at once, except for the first call on a handle. All
 * processes must call this function. Since it waits for nobody, processes agree on nothing: nothing is measured, and
 * CUBEFOLD_CHECK compares no sizes. If a process sends a size that the receiver does not expect, the receiver's wait
 * fails. */
CUBEFOLD_API int cubefold_ialltoallv(const void* send, const int* send_counts, const int* send_displacements,
                                     MPI_Datatype send_type, void* receive, const int* receive_counts,
                                     const int* receive_displacements, MPI_Datatype receive_type,
                                     cubefold_comm comm, cubefold_request* request);

/* Starts the exchange that cubefold_alltoallw performs, as cubefold_ialltoallv does. */
CUBEFOLD_API int cubefold_ialltoallw(const void* send, const int* send_counts, const int* send_displacements,
                                     const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                                     const int* receive_displacements, const MPI_Datatype* receive_types,
                                     cubefold_comm comm, cubefold_request* request);

/* These start the exchanges of cubefold_alltoall_c, cubefold_alltoallv_c and cubefold_alltoallw_c in the same way. */
CUBEFOLD_API int cubefold_ialltoall_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                      void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                      cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_ialltoallv_c(const void* send, const MPI_Count* send_counts,
                                       const MPI_Aint* send_displacements, MPI_Datatype send_type,
                                       void* receive, const MPI_Count* receive_counts,
                                       const MPI_Aint* receive_displacements, MPI_Datatype receive_type,
                                       cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_ialltoallw_c(const void* send, const MPI_Count* send_counts,
                                       const MPI_Aint* send_displacements, const MPI_Datatype* send_types,
                                       void* receive, const MPI_Count* receive_counts,
                                       const MPI_Aint* receive_displacements,
                                       const MPI_Datatype* receive_types, cubefold_comm comm,
                                       cubefold_request* request);

CUBEFOLD_API int cubefold_test(cubefold_request* request, int* is_over);
CUBEFOLD_API int cubefold_wait(cubefold_request* request);

/* These are MPI_Waitall, MPI_Waitany and MPI_Testall for `count` requests, also of several handles. Requests that are
 * NULL or not under way count as over. cubefold_waitall waits for all of them, and then returns the first failure in
 * the order of the array. cubefold_waitany waits for one of them and sets *index to its place, or to MPI_UNDEFINED if
 * none is under way. cubefold_testall ends all requests and sets *are_over to 1 if all are over, and otherwise ends
 * none and sets it to 0. */
CUBEFOLD_API int cubefold_waitall(int count, cubefold_request* requests);
CUBEFOLD_API int cubefold_waitany(int count, cubefold_request* requests, int* index);
CUBEFOLD_API int cubefold_testall(int count, cubefold_request* requests, int* are_over);

/* These make, start and free a persistent request. Freeing a NULL request does nothing. cubefold_comm_free fails while
 * there are requests that are not freed. */
CUBEFOLD_API int cubefold_alltoall_init(const void* send, int send_count, MPI_Datatype send_type,
                                        void* receive, int receive_count, MPI_Datatype receive_type,
                                        cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_alltoallw_init(const void* send, const int* send_counts,
                                         const int* send_displacements, const MPI_Datatype* send_types,
                                         void* receive, const int* receive_counts,
                                         const int* receive_displacements, const MPI_Datatype* receive_types,
                                         cubefold_comm comm, cubefold_request* request);
/* These make persistent requests with large counts. */
CUBEFOLD_API int cubefold_alltoall_init_c(const void* send, MPI_Count send_count, MPI_Datatype send_type,
                                          void* receive, MPI_Count receive_count, MPI_Datatype receive_type,
                                          cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_alltoallw_init_c(const void* send, const MPI_Count* send_counts,
                                           const MPI_Aint* send_displacements, const MPI_Datatype* send_types,
                                           void* receive, const MPI_Count* receive_counts,
                                           const MPI_Aint* receive_displacements,
                                           const MPI_Datatype* receive_types, cubefold_comm comm,
                                           cubefold_request* request);
CUBEFOLD_API int cubefold_alltoall_start(cubefold_request request);
CUBEFOLD_API int cubefold_alltoall_free(cubefold_request* request);

/* These perform MPI_Allreduce, MPI_Reduce_scatter_block, MPI_Reduce_scatter, MPI_Allgather and MPI_Allgatherv between
 * virtual ranks. All processes must call them. They take the arguments of MPI's functions: any datatypes, MPI_IN_PLACE
 * as `send`, counts of 0, and for reductions any operation of MPI or of the program. Arrays have one number for each
 * virtual rank; displacements are in elements. Where operations may round, the schedule is a function of the network,
 * the bytes of the vector and CUBEFOLD_ALLREDUCE, so that all processes get the same bits, and equal calls too. MPI's
 * own function serves what a schedule does not: short vectors, operations that do not commute unless the processes are
 * a power of two on nodes of their own, elements that have gaps and are reduced, and unknown networks.
 * docs/vector-collectives.md says more. */
CUBEFOLD_API int cubefold_allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                    cubefold_comm comm);
CUBEFOLD_API int cubefold_reduce_scatter_block(const void* send, void* receive, int receive_count,
                                               MPI_Datatype type, MPI_Op op, cubefold_comm comm);
CUBEFOLD_API int cubefold_reduce_scatter(const void* send, void* receive, const int* receive_counts,
                                         MPI_Datatype type, MPI_Op op, cubefold_comm comm);
CUBEFOLD_API int cubefold_allgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                    int receive_count, MPI_Datatype receive_type, cubefold_comm comm);
CUBEFOLD_API int cubefold_allgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                     const int* receive_counts, const int* receive_displacements,
                                     MPI_Datatype receive_type, cubefold_comm comm);

/* These start the same, and return at once, except for the first calls on a handle. All processes must call them.
 * cubefold_test and cubefold_wait end them, as those of cubefold_ialltoall. Arrays, and the datatypes of a gathering,
 * may be freed at any time. The datatype and the operation of a reduction must exist until the request is freed. */
CUBEFOLD_API int cubefold_iallreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                                     cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_ireduce_scatter_block(const void* send, void* receive, int receive_count,
                                                MPI_Datatype type, MPI_Op op, cubefold_comm comm,
                                                cubefold_request* request);
CUBEFOLD_API int cubefold_ireduce_scatter(const void* send, void* receive, const int* receive_counts,
                                          MPI_Datatype type, MPI_Op op, cubefold_comm comm,
                                          cubefold_request* request);
CUBEFOLD_API int cubefold_iallgather(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                     int receive_count, MPI_Datatype receive_type, cubefold_comm comm,
                                     cubefold_request* request);
CUBEFOLD_API int cubefold_iallgatherv(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                      const int* receive_counts, const int* receive_displacements,
                                      MPI_Datatype receive_type, cubefold_comm comm,
                                      cubefold_request* request);

/* These make persistent requests of the same. cubefold_alltoall_start starts them, and cubefold_alltoall_free frees
 * them. */
CUBEFOLD_API int cubefold_allreduce_init(const void* send, void* receive, int count, MPI_Datatype type,
                                         MPI_Op op, cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_reduce_scatter_block_init(const void* send, void* receive, int receive_count,
                                                    MPI_Datatype type, MPI_Op op, cubefold_comm comm,
                                                    cubefold_request* request);
CUBEFOLD_API int cubefold_reduce_scatter_init(const void* send, void* receive, const int* receive_counts,
                                              MPI_Datatype type, MPI_Op op, cubefold_comm comm,
                                              cubefold_request* request);
CUBEFOLD_API int cubefold_allgather_init(const void* send, int send_count, MPI_Datatype send_type,
                                         void* receive, int receive_count, MPI_Datatype receive_type,
                                         cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_allgatherv_init(const void* send, int send_count, MPI_Datatype send_type,
                                          void* receive, const int* receive_counts,
                                          const int* receive_displacements, MPI_Datatype receive_type,
                                          cubefold_comm comm, cubefold_request* request);

/* These perform MPI_Neighbor_alltoall, MPI_Neighbor_alltoallv, MPI_Neighbor_alltoallw, MPI_Neighbor_allgather and
 * MPI_Neighbor_allgatherv. The handle must have been made of a communicator with a Cartesian, graph or distributed-
 * graph topology. The neighbours of a process, and the order of its blocks, are those that MPI gives it on that
 * communicator, whatever its virtual rank is. All processes must call them. They take the arguments of MPI's
 * functions: any datatypes, counts of 0, repeated edges, edges of a process to itself, no neighbours. MPI_IN_PLACE
 * is refused.
 *
 * The first call finds out whether the edges of a graph are the same offsets on every process of a grid whose
 * processes are numbered row by row, as those of a stencil are. That costs two reductions of at most 8 bytes and a
 * broadcast of the edges of one process. Then messages of blocks that go the same way on an axis are combined where
 * that is predicted to be faster and measured to be: 26 neighbours take 6 messages, and 8 take 4. Otherwise MPI's
 * own function is used, or direct messages if CUBEFOLD_NEIGHBORS=direct. With blocks of several sizes the processes
 * agree on the largest block of each edge, in the first call and in few calls after it, and in the others no process
 * needs to know sizes of others. docs/neighbours.md says more. */
CUBEFOLD_API int cubefold_neighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type,
                                            void* receive, int receive_count, MPI_Datatype receive_type,
                                            cubefold_comm comm);
CUBEFOLD_API int cubefold_neighbor_alltoallv(const void* send, const int* send_counts,
                                             const int* send_displacements, MPI_Datatype send_type,
                                             void* receive, const int* receive_counts,
                                             const int* receive_displacements, MPI_Datatype receive_type,
                                             cubefold_comm comm);
CUBEFOLD_API int cubefold_neighbor_alltoallw(const void* send, const int* send_counts,
                                             const MPI_Aint* send_displacements,
                                             const MPI_Datatype* send_types, void* receive,
                                             const int* receive_counts, const MPI_Aint* receive_displacements,
                                             const MPI_Datatype* receive_types, cubefold_comm comm);
CUBEFOLD_API int cubefold_neighbor_allgather(const void* send, int send_count, MPI_Datatype send_type,
                                             void* receive, int receive_count, MPI_Datatype receive_type,
                                             cubefold_comm comm);
CUBEFOLD_API int cubefold_neighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type,
                                              void* receive, const int* receive_counts,
                                              const int* receive_displacements, MPI_Datatype receive_type,
                                              cubefold_comm comm);

/* These start the same, and return at once, except for the first calls on a handle. All processes must call them.
 * cubefold_test and cubefold_wait end them, as those of cubefold_ialltoall. They never use MPI's own function. Blocks
 * of several sizes are combined only if an earlier call, blocking or persistent, has agreed on the largest block of
 * each edge; longer ones travel alone. Arrays and datatypes may be freed at any time. */
CUBEFOLD_API int cubefold_ineighbor_alltoall(const void* send, int send_count, MPI_Datatype send_type,
                                             void* receive, int receive_count, MPI_Datatype receive_type,
                                             cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_ineighbor_alltoallv(const void* send, const int* send_counts,
                                              const int* send_displacements, MPI_Datatype send_type,
                                              void* receive, const int* receive_counts,
                                              const int* receive_displacements, MPI_Datatype receive_type,
                                              cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_ineighbor_alltoallw(const void* send, const int* send_counts,
                                              const MPI_Aint* send_displacements,
                                              const MPI_Datatype* send_types, void* receive,
                                              const int* receive_counts,
                                              const MPI_Aint* receive_displacements,
                                              const MPI_Datatype* receive_types, cubefold_comm comm,
                                              cubefold_request* request);
CUBEFOLD_API int cubefold_ineighbor_allgather(const void* send, int send_count, MPI_Datatype send_type,
                                              void* receive, int receive_count, MPI_Datatype receive_type,
                                              cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_ineighbor_allgatherv(const void* send, int send_count, MPI_Datatype send_type,
                                               void* receive, const int* receive_counts,
                                               const int* receive_displacements, MPI_Datatype receive_type,
                                               cubefold_comm comm, cubefold_request* request);

/* These make persistent requests of the same. cubefold_alltoall_start starts them, and cubefold_alltoall_free frees
 * them. On a stencil, those with blocks of several sizes agree on the largest block of each edge when they are made,
 * by one reduction of 8 bytes for each edge. */
CUBEFOLD_API int cubefold_neighbor_alltoall_init(const void* send, int send_count, MPI_Datatype send_type,
                                                 void* receive, int receive_count, MPI_Datatype receive_type,
                                                 cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_neighbor_alltoallv_init(const void* send, const int* send_counts,
                                                  const int* send_displacements, MPI_Datatype send_type,
                                                  void* receive, const int* receive_counts,
                                                  const int* receive_displacements, MPI_Datatype receive_type,
                                                  cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_neighbor_alltoallw_init(const void* send, const int* send_counts,
                                                  const MPI_Aint* send_displacements,
                                                  const MPI_Datatype* send_types, void* receive,
                                                  const int* receive_counts,
                                                  const MPI_Aint* receive_displacements,
                                                  const MPI_Datatype* receive_types, cubefold_comm comm,
                                                  cubefold_request* request);
CUBEFOLD_API int cubefold_neighbor_allgather_init(const void* send, int send_count, MPI_Datatype send_type,
                                                  void* receive, int receive_count, MPI_Datatype receive_type,
                                                  cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_neighbor_allgatherv_init(const void* send, int send_count, MPI_Datatype send_type,
                                                   void* receive, const int* receive_counts,
                                                   const int* receive_displacements,
                                                   MPI_Datatype receive_type, cubefold_comm comm,
                                                   cubefold_request* request);

/* Returns a text of a few lines that says how blocks of this size are exchanged and why, how blocks of unequal sizes
 * were exchanged the last time, and how vectors of as many bytes are reduced and gathered: all that is gathered, or
 * what each process contributes of floating-point numbers. On a handle of a communicator with a topology, the text says
 * the same of blocks for neighbours. All processes must call this function, because it makes plans. The text belongs
 * to the handle and is valid until the next call for it. If another process has left this call and has failed in its
 * next exchange, this call may return that failure. */
CUBEFOLD_API int cubefold_explain(cubefold_comm comm, size_t block_bytes, const char** text);

/* Returns what an error code means in a few words, and never NULL. cubefold_last_error names the mistake itself. */
CUBEFOLD_API const char* cubefold_error_string(int error);

/* Returns the error text of the last call of this thread that did not return CUBEFOLD_SUCCESS, and never NULL. The text
 * is valid until the next such call. */
CUBEFOLD_API const char* cubefold_last_error(void);

/* Returns the version of the library in use, such as "0.1.0". */
CUBEFOLD_API const char* cubefold_version(void);

#ifdef __cplusplus
}
#endif

#endif
