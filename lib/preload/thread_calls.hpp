#pragma once

#include <mpi.h>

#include <cstddef>
#include <list>
#include <span>
#include <utility>
#include <vector>

#include "comm_state.hpp"
#include "exchange_requests.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "mpi/blocks.hpp"
#include "progress_thread.hpp"

namespace cubefold::preload {

/// Copies of what blocks refer to, for an exchange that is under way when the program's call has returned. The program
/// may free the datatypes then, and programs overwrite the arrays although MPI forbids that, because MPI libraries read
/// them at once.
class KeptBlocks {
 public:
  /// Returns the same blocks with copies of their datatypes and arrays, which this object owns.
  mpi::Blocks keep(const mpi::Blocks& blocks) {
    const bool is_typed = blocks.form() == mpi::BlockForm::typed;
    mpi::Blocks copy = blocks;
    copy.use_copies(is_typed ? MPI_DATATYPE_NULL : kept(blocks.type()), kept(blocks.counts()),
                    kept(blocks.displacements()), is_typed ? kept_types(blocks) : blocks.types());
    return copy;
  }

 private:
  MPI_Datatype kept(MPI_Datatype type) {
    types_.push_back(mpi::OwnedType::duplicate(type));
    return types_.back().get();
  }

  /// Keeps the types of the blocks that have elements. The others stay as they are, since nobody looks at them.
  std::span<const MPI_Datatype> kept_types(const mpi::Blocks& blocks) {
    auto& array = type_arrays_.emplace_back(blocks.types().begin(), blocks.types().end());
    for (std::size_t block = 0; block < array.size(); ++block)
      if (blocks.counts()[block] > 0) array[block] = kept(array[block]);
    return array;
  }

  mpi::Integers kept(const mpi::Integers& array) { return arrays_.emplace_back().set(array); }

  std::vector<mpi::OwnedType> types_;
  std::list<mpi::IntegerCopy> arrays_;
  std::list<std::vector<MPI_Datatype>> type_arrays_;
};

/// The program's call: its request, and the count of its function.
struct ThreadCall {
  MPI_Comm comm;
  MPI_Request* request;
  CallCount& count;
};

/// Calls hand_over(comm, exchange(), request), which lets the thread of the communicator make the exchange and returns
/// whether there is one. Calls next() if there is none, if the user has not asked for threads, if exchange() returns
/// none because the arguments are invalid or MPI's own is the choice, or if all processes have agreed that one of them
/// can have no thread.
template <typename Exchange, typename HandOver, typename Next>
int to_thread(const ThreadCall& call, Exchange exchange, HandOver hand_over, Next next) {
  if (!may_replace()) return next();
  try {
    if (wants_progress_threads() && call.comm != MPI_COMM_NULL && call.request != nullptr &&
        state_of(call.comm) != nullptr) {
      BlockingExchange blocking = exchange();
      if (blocking && hand_over(call.comm, std::move(blocking), call.request)) return MPI_SUCCESS;
    }
  } catch (const mpi::Agreed&) {
    note_reason(mpi::current_failure().text.c_str());
  } catch (...) {
    return report_failure(call.comm, call.count.function);
  }
  ++call.count.passed_on;
  return next();
}

}  // namespace cubefold::preload
