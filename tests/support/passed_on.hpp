// The test programs replace functions of MPI, whose own functions stay available through MPI's profiling interface.
// These functions do what a test asks for, and then call those of MPI.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <string>

#include "counted_calls.hpp"
#include "several_hosts.hpp"

namespace cubefold::mpi::passed_on {

inline int get_processor_name(char* name, int* length) {
  if (SeveralHosts::host == SeveralHosts::none) return PMPI_Get_processor_name(name, length);
  const std::string text = "n" + std::to_string(SeveralHosts::host);
  *length = static_cast<int>(text.size());
  *std::copy(text.begin(), text.end(), name) = '\0';
  return MPI_SUCCESS;
}

inline int comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* part) {
  ++counted_calls().communicators_made;
  if (SeveralHosts::host == SeveralHosts::none) return PMPI_Comm_split_type(comm, type, key, info, part);
  return PMPI_Comm_split(comm, SeveralHosts::host, key, part);
}

inline int comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++counted_calls().communicators_made;
  return PMPI_Comm_dup(comm, copy);
}

inline int comm_split(MPI_Comm comm, int colour, int key, MPI_Comm* part) {
  if (std::this_thread::get_id() != first_thread) ++splits_by_other_threads;
  ++counted_calls().communicators_made;
  if (failing_splits == 0) return PMPI_Comm_split(comm, colour, key, part);
  --failing_splits;
  PMPI_Comm_split(comm, colour, key, part);
  if (*part != MPI_COMM_NULL) PMPI_Comm_free(part);
  return MPI_ERR_OTHER;
}

inline int comm_free(MPI_Comm* comm) {
  ++counted_calls().communicators_freed;
  return PMPI_Comm_free(comm);
}

}  // namespace cubefold::mpi::passed_on
