// The calls that make communicators, for which threads make the non-blocking exchanges. A thread needs a communicator,
// which only a call that waits for all processes can make, and MPI_Ialltoall must not. Programs of tests that count
// communicators do not link this file.

#include <mpi.h>

#include "next_mpi.hpp"
#include "progress_thread.hpp"

namespace cubefold::preload {

namespace {

/// Calls the next function, which makes a communicator, and prepares a thread for it.
template <typename Call>
int make(Name name, MPI_Comm parent, const MPI_Comm* made, Call call) {
  const int code = pass_on(name, call);
  return code == MPI_SUCCESS ? with_progress_thread(parent, made) : code;
}

}  // namespace

}  // namespace cubefold::preload

using cubefold::preload::make;
using cubefold::preload::NextMpi;

CUBEFOLD_REPLACE(Comm_dup, (MPI_Comm comm, MPI_Comm* made),
                 make(name, comm, made, [&](const NextMpi& mpi) { return mpi.Comm_dup(comm, made); }))

CUBEFOLD_REPLACE(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm* made),
                 make(name, comm, made,
                      [&](const NextMpi& mpi) { return mpi.Comm_dup_with_info(comm, info, made); }))

CUBEFOLD_REPLACE(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made),
                 make(name, comm, made,
                      [&](const NextMpi& mpi) { return mpi.Comm_split(comm, color, key, made); }))

CUBEFOLD_REPLACE(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made),
                 make(name, comm, made,
                      [&](const NextMpi& mpi) { return mpi.Comm_create(comm, group, made); }))

CUBEFOLD_REPLACE(Cart_sub, (MPI_Comm comm, const int* kept, MPI_Comm* made),
                 make(name, comm, made, [&](const NextMpi& mpi) { return mpi.Cart_sub(comm, kept, made); }))
