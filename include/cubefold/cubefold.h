/* cubefold's C interface, for C99 and C++.
 *
 * Every function that returns int returns CUBEFOLD_SUCCESS or one of the other codes below, on the calling
 * process; nothing aborts. cubefold_last_error() then gives the text. Handles and requests may be used by
 * several threads as far as the MPI thread level allows the MPI calls that the names stand for. */
#ifndef CUBEFOLD_H
#define CUBEFOLD_H

#include <mpi.h>

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
 *              NULL: the environment variable CUBEFOLD_GRID
 *   placement  identity, standard, xor, by-weight or gray, or one for each axis as xor/gray; then optionally ,bits=cyclic
 *              or ,bits=0-1-0-1 (axis of each bit) and ,order=0-3-1-2; or nodes=3-1-0-2 (node of each rank);
 *              or auto:PHASE+PHASE, as auto:cube:0-2+transpose:8x8*2: the best that is found for those phases;
 *              NULL: the environment variable CUBEFOLD_PLACEMENT
 *
 * A mistake on one process makes the call fail on all of them, with the same text; *comm is then NULL. */
CUBEFOLD_API int cubefold_comm_create(MPI_Comm mpi_comm, const char* grid, const char* placement,
                                      cubefold_comm* comm);

/* Collective. Frees the communicators too and sets *comm to NULL; a NULL handle is freed by doing nothing. */
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

/* MPI_Alltoall between virtual ranks, collective: block j of send goes to virtual rank j. MPI_IN_PLACE as send,
 * any datatypes of equal signature, counts of 0. The number of processes must be a power of two, and half of the
 * blocks together at most 2^31 - 1 bytes. The first call plans the exchange and duplicates a communicator, which the
 * handle keeps together with scratch of all blocks. A process whose arguments are refused leaves the others waiting
 * for it, as in MPI_Alltoall. */
CUBEFOLD_API int cubefold_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                   int receive_count, MPI_Datatype receive_type, cubefold_comm comm);

/* What went wrong in the calling thread's last call that did not return CUBEFOLD_SUCCESS; never NULL. Valid
 * until the next such call. */
CUBEFOLD_API const char* cubefold_last_error(void);

/* Version of the library in use, such as "0.1.0". */
CUBEFOLD_API const char* cubefold_version(void);

#ifdef __cplusplus
}
#endif

#endif
