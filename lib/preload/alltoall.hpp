#pragma once

#include <mpi.h>

#include <cstddef>

#include "interception.hpp"
#include "mpi/alltoall_plan.hpp"

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

/// Returns whether the arguments are valid, as far as this library must know. MPI itself refuses invalid arguments with
/// the error class that the program expects.
bool is_valid(const mpi::AlltoallBuffers& buffers);
bool is_valid(const AlltoallvArguments& arguments, std::size_t process_count);

/// Collective: these exchange blocks as MPI_Alltoall and MPI_Alltoallv, by an exchange of this library or by MPI's own,
/// and count the call. They return the code of MPI. Errors go to the error handler of the communicator first.
int alltoall(const mpi::AlltoallBuffers& buffers, MPI_Comm comm, CallCount& count);
int alltoallv(const AlltoallvArguments& arguments, MPI_Comm comm, CallCount& count);

}  // namespace cubefold::preload
