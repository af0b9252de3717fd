// The functions of MPI in this file replace those of the MPI library, and pass calls on to it.

#include "support/counted_communicators.hpp"

#include <mpi.h>

#include "cubefold/export.h"

namespace cubefold::mpi {

CountedCommunicators& counted_communicators() {
  static CountedCommunicators counted;
  return counted;
}

}  // namespace cubefold::mpi

using cubefold::mpi::counted_communicators;

extern "C" {
CUBEFOLD_API int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++counted_communicators().made;
  return PMPI_Comm_dup(comm, copy);
}
CUBEFOLD_API int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* part) {
  ++counted_communicators().made;
  return PMPI_Comm_split(comm, color, key, part);
}
CUBEFOLD_API int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++counted_communicators().made;
  return PMPI_Comm_split_type(comm, type, key, info, part);
}
CUBEFOLD_API int MPI_Comm_free(MPI_Comm* comm) {
  ++counted_communicators().freed;
  return PMPI_Comm_free(comm);
}
}
