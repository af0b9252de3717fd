#include "alltoall.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>

#include "alltoall_arguments.hpp"
#include "comm_state.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "mpi/comm_context.hpp"
#include "mpi/device_memory.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"

namespace cubefold::preload {

namespace {

using mpi::Sides;

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

bool pass_on_as_chosen() {
  note_reason("MPI's own exchange is the choice, as where all processes share one host");
  return false;
}

/// Returns whether a buffer of any process is memory of a device, which MPI may read and cubefold does not. All
/// processes of the communicator must call this. It communicates only if the driver of a device is loaded somewhere.
/// Throws std::invalid_argument if a driver was loaded after the first call on the communicator, when the others cannot
/// know it.
bool is_on_device(const CommState& state, const Sides& sides) {
  int is_device = 0;
  for (const void* memory : {sides.sent.memory(), sides.received.memory()})
    if (!mpi::device_that_holds(memory).empty()) is_device = 1;
  if (!state.has_devices) {
    if (is_device == 0) return false;
    throw std::invalid_argument(
        "the driver of a device was loaded after the first call on this communicator");
  }
  mpi::check(MPI_Allreduce(MPI_IN_PLACE, &is_device, 1, MPI_INT, MPI_MAX, state.exchanges->context().comm()),
             "MPI_Allreduce");
  report().with_device_memory += is_device != 0 ? 1 : 0;
  return is_device != 0;
}

/// Returns false if the call is passed on.
bool run(Exchanges& exchanges, const CommState& state, const Sides& sides, CallCount& count) {
  const auto block_bytes = sides.block_bytes();
  const double start = block_bytes ? MPI_Wtime() : 0;
  const auto exchange = exchanges.plans.for_blocks(block_bytes);
  if (exchange->uses_mpi()) return pass_on_as_chosen();
  if (is_on_device(state, sides)) return false;
  exchange->run(sides);
  if (block_bytes)
    count.seconds_saved += exchanges.savings.add(*block_bytes, exchange->medians(), MPI_Wtime() - start);
  return true;
}

/// Makes one collective call. Returns false if MPI's own exchange is the choice, or if all processes have agreed that
/// the call fails and no message was sent; the communicator then passes its calls on.
bool exchange(MPI_Comm comm, CommState& state, const Sides& sides, CallCount& count) {
  const InsideLibrary inside;
  std::shared_ptr<Exchanges> exchanges;
  try {
    const bool is_first = !state.exchanges;
    if (exchanges_of(comm, state, sides.block_bytes()) == nullptr) return pass_on_as_chosen();
    if (is_first) prepare_progress_thread(comm);
    exchanges = state.exchanges;
    return exchanges->context().notify_on_failure([&] { return run(*exchanges, state, sides, count); });
  } catch (const mpi::Agreed&) {
    if (exchanges && exchanges->context().has_failed()) throw;
    pass_on_from_now(comm, mpi::current_failure().text.c_str());
    return false;
  }
}

}  // namespace

Sides sides_of(const void* send, const int* send_counts, const int* send_displacements,
               MPI_Datatype send_type, void* receive, const int* receive_counts,
               const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm) noexcept {
  int size = 0;
  const bool is_known = may_replace() && comm != MPI_COMM_NULL && MPI_Comm_size(comm, &size) == MPI_SUCCESS;
  const auto numbers = [p = is_known ? static_cast<std::size_t>(size) : 0](const int* array) {
    return std::span(array, p);
  };
  return {send,    numbers(send_counts),    numbers(send_displacements),    send_type,
          receive, numbers(receive_counts), numbers(receive_displacements), receive_type};
}

int alltoall(Sides sides, MPI_Comm comm, Name name, CallCount& count) {
  const auto ours = [&](CommState& state) {
    if (state.group->known.leaves_all_to_mpi()) return pass_on_as_chosen();
    const auto& known = state.group->known.comm();
    if (!is_valid(sides, known.placement().rank_count(), label(known.rank()))) return false;
    return exchange(comm, state, sides, count);
  };
  const auto next = [&](const NextMpi& mpi) { return sides.pass_to(mpi.Alltoall, mpi.Alltoallv, comm); };
  return replace(comm, count, ours, [&] { return pass_on(name, next); });
}

}  // namespace cubefold::preload

using cubefold::preload::alltoall;
using cubefold::preload::report;
using cubefold::preload::sides_of;

CUBEFOLD_REPLACE(Alltoall,
                 (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm),
                 alltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, name,
                          report().Alltoall))

CUBEFOLD_REPLACE(Alltoallv,
                 (const void* send, const int* send_counts, const int* send_displacements,
                  MPI_Datatype send_type, void* receive, const int* receive_counts,
                  const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm),
                 alltoall(sides_of(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                   receive_displacements, receive_type, comm),
                          comm, name, report().Alltoallv))
