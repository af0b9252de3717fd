#include "several_hosts.hpp"

#include <mpi.h>

#include <algorithm>
#include <string>

#include "cubefold/export.h"

using cubefold::mpi::SeveralHosts;

// These functions replace those of the MPI library, which stay available through MPI's profiling interface.
extern "C" CUBEFOLD_API int MPI_Get_processor_name(char* name, int* length) {
  if (SeveralHosts::host == SeveralHosts::none) return PMPI_Get_processor_name(name, length);
  const std::string text = "n" + std::to_string(SeveralHosts::host);
  *length = static_cast<int>(text.size());
  *std::copy(text.begin(), text.end(), name) = '\0';
  return MPI_SUCCESS;
}

extern "C" CUBEFOLD_API int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info,
                                                MPI_Comm* part) {
  if (SeveralHosts::host == SeveralHosts::none) return PMPI_Comm_split_type(comm, type, key, info, part);
  return PMPI_Comm_split(comm, SeveralHosts::host, key, part);
}
