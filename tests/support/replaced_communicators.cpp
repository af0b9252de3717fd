// These functions replace those of MPI in programs that contain the functions of the preloaded library.

#include "cubefold/export.h"
#include "passed_on.hpp"

namespace passed_on = cubefold::mpi::passed_on;

extern "C" {
CUBEFOLD_API int MPI_Get_processor_name(char* name, int* length) {
  return passed_on::get_processor_name(name, length);
}
CUBEFOLD_API int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  return passed_on::comm_split_type(comm, type, key, info, part);
}
CUBEFOLD_API int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  return passed_on::comm_dup(comm, copy);
}
CUBEFOLD_API int MPI_Comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* part) {
  return passed_on::comm_split(comm, colour, key, part);
}
CUBEFOLD_API int MPI_Comm_free(MPI_Comm* comm) {
  return passed_on::comm_free(comm);
}
}
