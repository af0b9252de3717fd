#pragma once

#include <mpi.h>

#include <functional>

namespace cubefold::preload {

/// Returns whether CUBEFOLD_PROGRESS_THREAD is 1: threads of this library make the program's non-blocking exchanges.
bool wants_progress_threads();

/// A blocking exchange on a communicator. It returns a code of MPI.
using BlockingExchange = std::function<int(MPI_Comm)>;

/// Collective: lets the thread of this communicator call exchange(duplicate) after the exchanges before it. The thread
/// has a duplicate of the communicator, so the program may use the communicator meanwhile. The request is complete when
/// the exchange has returned, and waiting for it returns the code. Returns false if the processes are on no grid.
///
/// The first call on a communicator waits for all its processes and makes its thread and its duplicate, which are freed
/// with it; later calls do not wait. Requires MPI_THREAD_MULTIPLE. Throws mpi::Agreed on all processes if one of them
/// cannot have a thread, std::bad_alloc, and mpi::Error.
bool start_exchange(MPI_Comm comm, BlockingExchange exchange, MPI_Request* request);

/// Ends all threads after their exchanges, because MPI_Finalize is next. Communicators keep their duplicates.
void end_progress_threads();

}  // namespace cubefold::preload
