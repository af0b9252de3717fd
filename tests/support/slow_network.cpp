#include "slow_network.hpp"

#include <mpi.h>

#include "cubefold/export.h"

using cubefold::mpi::SlowNetwork;

// These functions replace those of the MPI library, which stay available through MPI's profiling interface.
extern "C" CUBEFOLD_API double MPI_Wtime() {
  return SlowNetwork::now_seconds += 1e-6;
}

extern "C" CUBEFOLD_API int MPI_Alltoall(const void* send, int send_count, MPI_Datatype send_type,
                                         void* receive, int receive_count, MPI_Datatype receive_type,
                                         MPI_Comm comm) {
  SlowNetwork::now_seconds += SlowNetwork::alltoall_seconds;
  return PMPI_Alltoall(send, send_count, send_type, receive, receive_count, receive_type, comm);
}

extern "C" CUBEFOLD_API int MPI_Alltoallv(const void* send, const int* send_counts, const int* send_places,
                                          MPI_Datatype send_type, void* receive, const int* receive_counts,
                                          const int* receive_places, MPI_Datatype receive_type,
                                          MPI_Comm comm) {
  SlowNetwork::now_seconds += SlowNetwork::alltoall_seconds;
  return PMPI_Alltoallv(send, send_counts, send_places, send_type, receive, receive_counts, receive_places,
                        receive_type, comm);
}

extern "C" CUBEFOLD_API int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                                      MPI_Comm comm, MPI_Request* request) {
  SlowNetwork::now_seconds += SlowNetwork::message_seconds;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

extern "C" CUBEFOLD_API int MPI_Comm_split_type(MPI_Comm comm, int, int key, MPI_Info, MPI_Comm* part) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return PMPI_Comm_split(comm, rank, key, part);
}
