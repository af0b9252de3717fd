/* cubefold's C interface, for C99 and C++.
 *
 * Every function that returns int returns CUBEFOLD_SUCCESS or one of the other codes below, on the calling
 * process; nothing aborts. cubefold_last_error() then gives the text. Handles and requests may be used by
 * several threads as far as the MPI thread level allows the MPI calls that the names stand for. */
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
  CUBEFOLD_ERROR_INTERNAL = 4 /* a defect of cubefold */
};

/* Processes seen as the nodes of a grid, and as virtual ranks placed on them. */
typedef struct cubefold_comm_s* cubefold_comm; /* NOLINT(modernize-use-using): C */

/* Collective over an intra-communicator with as many processes as the grid has nodes; process n is node n.
 *
 *   grid       torus:8x8  mesh:4x4x4  ring:16  line:16  hypercube:6  grid:8wx4 (w: wrapped axis), axis 0 first;
 *              NULL: what the environment variable CUBEFOLD_GRID names, or a ring of all processes
 *   placement  identity, standard, xor, by-weight or gray, or one for each axis as xor/gray; then optionally
 *              ,bits=cyclic or ,bits=0-1-0-1 (axis of each bit) and ,order=0-3-1-2; or nodes=3-1-0-2 (node of each
 *              rank);
 *              or auto:PHASE+PHASE, as auto:cube:0-2+transpose:8x8*2: the best that is found for those phases;
 *              NULL: what the environment variable CUBEFOLD_PLACEMENT names, or identity
 *
 * A variable that is set to nothing counts as unset. All processes must have the same grid and placement. A mistake on
 * one process makes the call fail on all of them, with the same text; *comm is then NULL. */
CUBEFOLD_API int cubefold_comm_create(MPI_Comm mpi_comm, const char* grid, const char* placement,
                                      cubefold_comm* comm);

/* Collective. Frees the communicators too and sets *comm to NULL; a NULL handle is freed by doing nothing. Refused on
 * all processes while any has requests that are not freed. */
CUBEFOLD_API int cubefold_comm_free(cubefold_comm* comm);

/* A communicator whose ranks are virtual ranks, and a Cartesian one whose ranks are nodes; MPI_COMM_NULL for
 * a NULL handle. Both return error codes and belong to the handle. MPI counts the last Cartesian axis fastest
 * and cubefold the first: MPI_Cart_coords gives cubefold's coordinates in reverse. */
CUBEFOLD_API MPI_Comm cubefold_comm_virtual(cubefold_comm comm);
CUBEFOLD_API MPI_Comm cubefold_comm_cart(cubefold_comm comm);

/* The virtual rank on a node, and the node of a virtual rank. Local, O(1). */
CUBEFOLD_API int cubefold_to_virtual(cubefold_comm comm, int node, int* rank);
CUBEFOLD_API int cubefold_to_physical(cubefold_comm comm, int rank, int* node);

/* The calling process's virtual rank. */
CUBEFOLD_API int v_get_pid(cubefold_comm comm, int* rank);

/* MPI_Send, MPI_Recv, MPI_Isend, MPI_Irecv and MPI_Sendrecv between virtual ranks, with their full meaning:
 * any datatype, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_PROC_NULL, MPI_STATUS_IGNORE; a status names the virtual
 * source. Requests are completed by MPI_Wait and its like. */
CUBEFOLD_API int v_send(const void* buffer, int count, MPI_Datatype type, int dest, int tag,
                        cubefold_comm comm);
CUBEFOLD_API int v_receive(void* buffer, int count, MPI_Datatype type, int source, int tag,
                           cubefold_comm comm, MPI_Status* status);
CUBEFOLD_API int v_isend(const void* buffer, int count, MPI_Datatype type, int dest, int tag,
                         cubefold_comm comm, MPI_Request* request);
CUBEFOLD_API int v_ireceive(void* buffer, int count, MPI_Datatype type, int source, int tag,
                            cubefold_comm comm, MPI_Request* request);
CUBEFOLD_API int v_sendreceive(const void* send_buffer, int send_count, MPI_Datatype send_type, int dest,
                               int send_tag, void* receive_buffer, int receive_count,
                               MPI_Datatype receive_type, int source, int receive_tag, cubefold_comm comm,
                               MPI_Status* status);

/* Exchanges.
 *
 * MPI_Alltoall between virtual ranks: block j of send goes to virtual rank j, block i of receive comes from virtual
 * rank i. MPI_IN_PLACE as send, any datatypes of equal signature, counts of 0, blocks of any number of bytes, any
 * number of processes.
 *
 * All are collective, and in one order on all processes for one handle; so are cubefold_alltoall_init and _start. The
 * first of a kind plans, which waits for all processes; the plans of the 256 block sizes that were used last, a
 * communicator and scratch stay with the handle.
 *
 * A call that fails on one process alone (a refused argument, no memory, an error of MPI) ends the exchanges of the
 * handle: the process tells the others, and those that wait for it in an exchange get the same text with the process
 * named. Every later exchange of the handle fails with the first text; exchanges that were started before go on, and
 * cubefold_comm_free works. Where MPI_Alltoall itself moves the blocks, a process whose arguments are refused leaves
 * the others waiting in it. After a failure MPI may still read from a send buffer. If the environment variable
 * CUBEFOLD_CHECK is 1 on any process (0 or empty elsewhere), then sizes that differ between processes are found before
 * anything is sent, all processes get the same text, and the handle stays usable. */
CUBEFOLD_API int cubefold_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                   int receive_count, MPI_Datatype receive_type, cubefold_comm comm);

/* MPI_Alltoallv between virtual ranks, likewise; arrays of one number for each virtual rank, displacements in elements.
 * First ends what is under way on the handle. Where one block is far longer than the mean it is MPI_Alltoallv itself;
 * cubefold_explain says so. */
CUBEFOLD_API int cubefold_alltoallv(const void* send, const int* send_counts, const int* send_displacements,
                                    MPI_Datatype send_type, void* receive, const int* receive_counts,
                                    const int* receive_displacements, MPI_Datatype receive_type,
                                    cubefold_comm comm);

/* The same without buffers: blocks of block_bytes are made and taken packet by packet, the process's own block too. A
 * packet is `bytes` of a block from `offset` on. The producer fills it just before it leaves, the consumer has it as it
 * lands, and only until it returns. Both are called by the thread that called this function, and may not call exchanges
 * of the handle. */
/* NOLINTBEGIN(modernize-use-using): C */
typedef void (*cubefold_produce)(void* context, int destination, size_t offset, size_t bytes, void* packet);
typedef void (*cubefold_consume)(void* context, int source, size_t offset, size_t bytes, const void* packet);
/* NOLINTEND(modernize-use-using) */
CUBEFOLD_API int cubefold_alltoall_packets(size_t block_bytes, cubefold_produce produce,
                                           cubefold_consume consume, void* context, cubefold_comm comm);

/* An exchange that is bound to its buffers. As in MPI a request is under way from its start to its end, which
 * cubefold_wait or cubefold_test with *is_over other than 0 gives: cubefold_ialltoall makes one that is started, and
 * that is freed when it ends; cubefold_alltoall_init makes one that cubefold_alltoall_start starts as often as wanted,
 * and that cubefold_alltoall_free frees when it is not under way. A request that is freed becomes NULL. While it is
 * under way its buffers must be left alone; its types may be freed at any time. There are no threads: an exchange goes
 * on in all calls here that exchange, test or wait on the same handle. Requests may be waited for in any order. */
typedef struct cubefold_request_s* cubefold_request; /* NOLINT(modernize-use-using): C */

/* cubefold_alltoall that returns at once, the first time excepted. */
CUBEFOLD_API int cubefold_ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                    int receive_count, MPI_Datatype receive_type, cubefold_comm comm,
                                    cubefold_request* request);
CUBEFOLD_API int cubefold_test(cubefold_request* request, int* is_over);
CUBEFOLD_API int cubefold_wait(cubefold_request* request);

/* The same to be used often. Freeing a NULL request does nothing. cubefold_comm_free is refused while there are requests
 * that are not freed. */
CUBEFOLD_API int cubefold_alltoall_init(const void* send, int send_count, MPI_Datatype send_type,
                                        void* receive, int receive_count, MPI_Datatype receive_type,
                                        cubefold_comm comm, cubefold_request* request);
CUBEFOLD_API int cubefold_alltoall_start(cubefold_request request);
CUBEFOLD_API int cubefold_alltoall_free(cubefold_request* request);

/* How blocks of a size are exchanged and why, and how unequal ones were the last time; lines for people. Collective, as
 * it plans. The text belongs to the handle and lasts until the next call for it. */
CUBEFOLD_API int cubefold_explain(cubefold_comm comm, size_t block_bytes, const char** text);

/* What went wrong in the calling thread's last call that did not return CUBEFOLD_SUCCESS; never NULL. Valid
 * until the next such call. */
CUBEFOLD_API const char* cubefold_last_error(void);

/* Version of the library in use, such as "0.1.0". */
CUBEFOLD_API const char* cubefold_version(void);

#ifdef __cplusplus
}
#endif

#endif
