#pragma once

#include <mpi.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>

#include "comm_state.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "mpi/comm_context.hpp"

namespace cubefold::preload {

/// Runs ours(state), which returns false if the call is passed on. If it fails on all processes alike before a message
/// was sent, the calls of this communicator are passed on from now on. Any other failure goes to the error handler.
template <typename Ours, typename Next>
int replace(MPI_Comm comm, CallCount& count, Ours ours, Next next) {
  if (!may_replace()) return next();
  try {
    CommState* state = comm == MPI_COMM_NULL ? nullptr : state_of(comm);
    if (state != nullptr && ours(*state)) {
      ++count.ours;
      return MPI_SUCCESS;
    }
  } catch (...) {
    return report_failure(comm, count.function);
  }
  ++count.passed_on;
  return next();
}

/// Notes why a call is passed on, and returns false.
bool pass_on_as_chosen();

/// Returns whether a buffer of any process is memory of a device, which MPI may read and cubefold does not. All
/// processes of the communicator must call this. It communicates only if the driver of a device is loaded somewhere.
/// Throws std::invalid_argument if a driver was loaded after the first call on the communicator, when the others cannot
/// know it.
bool is_on_device(const CommState& state, std::initializer_list<const void*> buffers);

/// Prepares the thread that makes the non-blocking exchanges of a communicator whose first call this is.
void prepare_first_exchange(MPI_Comm comm, bool is_first);

/// Makes one collective call by run(exchanges), with the exchanges that find(state) returns. Returns false if there are
/// none, if run() returns false, or if all processes have agreed that the call fails and no message was sent; the
/// communicator then passes its calls on.
template <typename Find, typename Run>
bool exchange_on(MPI_Comm comm, CommState& state, Find find, Run run) {
  const InsideLibrary inside;
  std::shared_ptr<Exchanges> exchanges;
  try {
    const bool is_first = !state.exchanges;
    if (find(state) == nullptr) return pass_on_as_chosen();
    prepare_first_exchange(comm, is_first);
    exchanges = state.exchanges;
    return exchanges->context().notify_on_failure([&] { return run(*exchanges); });
  } catch (const mpi::Agreed&) {
    if (exchanges && exchanges->context().has_failed()) throw;
    pass_on_from_now(comm, mpi::current_failure().text.c_str());
    return false;
  }
}

}  // namespace cubefold::preload
