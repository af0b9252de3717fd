#pragma once

#include <mpi.h>

// Open MPI 4 has the persistent exchanges of MPI 4 by these names.
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#define MPI_Alltoall_init MPIX_Alltoall_init
#define MPI_Alltoallv_init MPIX_Alltoallv_init
#define MPI_Alltoallw_init MPIX_Alltoallw_init
extern "C" int MPI_Alltoall_init(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info,
                                 MPI_Request*);
extern "C" int MPI_Alltoallv_init(const void*, const int*, const int*, MPI_Datatype, void*, const int*,
                                  const int*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*);
extern "C" int MPI_Alltoallw_init(const void*, const int*, const int*, const MPI_Datatype*, void*, const int*,
                                  const int*, const MPI_Datatype*, MPI_Comm, MPI_Info, MPI_Request*);

#define MPI_Neighbor_alltoall_init MPIX_Neighbor_alltoall_init
#define MPI_Neighbor_alltoallv_init MPIX_Neighbor_alltoallv_init
#define MPI_Neighbor_alltoallw_init MPIX_Neighbor_alltoallw_init
#define MPI_Neighbor_allgather_init MPIX_Neighbor_allgather_init
#define MPI_Neighbor_allgatherv_init MPIX_Neighbor_allgatherv_init
extern "C" int MPI_Neighbor_alltoall_init(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm,
                                          MPI_Info, MPI_Request*);
extern "C" int MPI_Neighbor_alltoallv_init(const void*, const int*, const int*, MPI_Datatype, void*,
                                           const int*, const int*, MPI_Datatype, MPI_Comm, MPI_Info,
                                           MPI_Request*);
extern "C" int MPI_Neighbor_alltoallw_init(const void*, const int*, const MPI_Aint*, const MPI_Datatype*,
                                           void*, const int*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm,
                                           MPI_Info, MPI_Request*);
extern "C" int MPI_Neighbor_allgather_init(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm,
                                           MPI_Info, MPI_Request*);
extern "C" int MPI_Neighbor_allgatherv_init(const void*, int, MPI_Datatype, void*, const int*, const int*,
                                            MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*);
#endif
