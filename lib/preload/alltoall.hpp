#pragma once

#include <mpi.h>

#include "interception.hpp"
#include "mpi/blocks.hpp"
#include "next_mpi.hpp"

namespace cubefold::preload {

/// Returns the arguments of MPI_Alltoallv, or of MPI_Alltoallw, as the program passes them. The arrays have the size of
/// the communicator, which is that of the local group of an inter-communicator, and 0 if there is none or if the call
/// is not replaced.
mpi::Sides sides_of(const void* send, const int* send_counts, const int* send_displacements,
                    MPI_Datatype send_type, void* receive, const int* receive_counts,
                    const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm) noexcept;
mpi::Sides sides_of(const void* send, const int* send_counts, const int* send_displacements,
                    const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                    const int* receive_displacements, const MPI_Datatype* receive_types,
                    MPI_Comm comm) noexcept;

/// Collective: exchanges blocks as MPI_Alltoall, MPI_Alltoallv or MPI_Alltoallw, by an exchange of this library or by
/// MPI's own, and counts the call, which is passed on by the given name. Returns the code of MPI. Errors
/// go to the error handler of the communicator first.
int alltoall(mpi::Sides sides, MPI_Comm comm, Name name, CallCount& count);

}  // namespace cubefold::preload
