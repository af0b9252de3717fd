/* A profiling tool that replaces functions by their names MPI_* and goes on to PMPI_*, as such tools do. MPI_Finalize
 * writes what it has counted on process 0: the calls of MPI_Init, MPI_Alltoall, MPI_Alltoallv and MPI_Allreduce, and
 * others by which a process sends, receives or makes communicators. */
#include <mpi.h>
#include <stdio.h>

static int initialisations, alltoalls, alltoallvs, allreduces, others;

#define COUNTED(count, name, parameters, arguments) \
  int MPI_##name parameters {                       \
    ++(count);                                      \
    return PMPI_##name arguments;                   \
  }

COUNTED(initialisations, Init, (int* argc, char*** argv), (argc, argv))
COUNTED(initialisations, Init_thread, (int* argc, char*** argv, int required, int* provided),
        (argc, argv, required, provided))
COUNTED(alltoalls, Alltoall,
        (const void* sent, int sent_n, MPI_Datatype sent_type, void* data, int n, MPI_Datatype type,
         MPI_Comm comm),
        (sent, sent_n, sent_type, data, n, type, comm))
COUNTED(alltoallvs, Alltoallv,
        (const void* sent, const int* sent_n, const int* sent_at, MPI_Datatype sent_type, void* data,
         const int* n, const int* at, MPI_Datatype type, MPI_Comm comm),
        (sent, sent_n, sent_at, sent_type, data, n, at, type, comm))
COUNTED(allreduces, Allreduce,
        (const void* sent, void* data, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
        (sent, data, n, type, op, comm))
COUNTED(others, Send, (const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm),
        (data, n, type, to, tag, comm))
COUNTED(others, Isend,
        (const void* data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request),
        (data, n, type, to, tag, comm, request))
COUNTED(others, Irecv,
        (void* data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request),
        (data, n, type, from, tag, comm, request))
COUNTED(others, Bcast, (void* data, int n, MPI_Datatype type, int root, MPI_Comm comm),
        (data, n, type, root, comm))
COUNTED(others, Barrier, (MPI_Comm comm), (comm))
COUNTED(others, Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made))
COUNTED(others, Comm_free, (MPI_Comm * comm), (comm))
COUNTED(others, Cart_create,
        (MPI_Comm comm, int n, const int* extents, const int* periodic, int reorder, MPI_Comm* cart),
        (comm, n, extents, periodic, reorder, cart))

int MPI_Finalize(void) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr, "tool: %d MPI_Init, %d MPI_Alltoall, %d MPI_Alltoallv, %d MPI_Allreduce, %d others\n",
            initialisations, alltoalls, alltoallvs, allreduces, others);
  return PMPI_Finalize();
}
