#pragma once

#include <mpi.h>

#include "interception.hpp"
#include "mpi/blocks.hpp"
#include "next_mpi.hpp"

namespace cubefold::preload {

/// Collective: exchanges blocks as MPI_Alltoall, MPI_Alltoallv or MPI_Alltoallw, by an exchange of this library or by
/// MPI's own, and counts the call, which is passed on by the given name. Returns the code of MPI. Errors
/// go to the error handler of the communicator first.
int alltoall(mpi::Sides sides, MPI_Comm comm, Name name, CallCount& count);

}  // namespace cubefold::preload
