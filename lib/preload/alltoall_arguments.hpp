#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpi/alltoall_plan.hpp"
#include "mpi/packed_alltoallv.hpp"

namespace cubefold::preload {

/// The arguments of MPI_Alltoallv as the program passes them.
struct AlltoallvArguments {
  const void* send;
  const int* send_counts;
  const int* send_displacements;
  MPI_Datatype send_type;
  void* receive;
  const int* receive_counts;
  const int* receive_displacements;
  MPI_Datatype receive_type;
};

/// Returns the buffers of p processes.
mpi::AlltoallvBuffers buffers_of(const AlltoallvArguments& arguments, std::size_t process_count);

/// These return whether MPI takes the arguments on this process, which has the given rank. Calls with others are passed
/// on, so that the program gets MPI's own error class. They do not communicate.
bool is_valid(const mpi::AlltoallBuffers& buffers);
bool is_valid(const mpi::AlltoallvBuffers& buffers, std::size_t rank);

/// Makes the communicator that is_valid() uses, which it otherwise makes in its first call. Requires that MPI runs.
void prepare_checks() noexcept;

}  // namespace cubefold::preload
