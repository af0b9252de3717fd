#pragma once

#include <mpi.h>

#include "alltoall_arguments.hpp"
#include "interception.hpp"
#include "next_mpi.hpp"

namespace cubefold::preload {

/// Collective: these exchange blocks as MPI_Alltoall and MPI_Alltoallv, by an exchange of this library or by MPI's own,
/// and count the call, which is passed on by the given name. They return the code of MPI. Errors go to the error
/// handler of the communicator first.
int alltoall(const mpi::AlltoallBuffers& buffers, MPI_Comm comm, Name name, CallCount& count);
int alltoallv(const AlltoallvArguments& arguments, MPI_Comm comm, Name name, CallCount& count);

}  // namespace cubefold::preload
