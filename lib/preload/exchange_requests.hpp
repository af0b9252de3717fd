#pragma once

#include <mpi.h>

#include <functional>

namespace cubefold::preload {

/// A blocking exchange on a communicator. It returns a code of MPI.
using BlockingExchange = std::function<int(MPI_Comm)>;

/// Lets the thread of this communicator make the exchange after those before it. The request is complete when the
/// exchange has returned, and waiting for it returns the code. Returns false if there is no thread. Does not
/// communicate.
bool start_exchange(MPI_Comm comm, BlockingExchange exchange, MPI_Request* request);

/// Makes a persistent request: each MPI_Start of it lets a thread of its own make the exchange. If an exchange fails,
/// waiting for the request returns MPI_ERR_TRUNCATE, whatever the code was. Returns false if there is no thread.
/// Is collective and throws as take_thread().
bool make_persistent_exchange(MPI_Comm comm, BlockingExchange exchange, MPI_Request* request);

}  // namespace cubefold::preload
