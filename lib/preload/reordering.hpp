#pragma once

#include <mpi.h>

#include <memory>
#include <utility>

#include "comm_state.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "mpi/processes.hpp"

namespace cubefold::preload {

/// Collective: returns what find(comm) returns for the virtual ranks of the program's communicator: a new order, or
/// nothing if the call is passed on. find() may throw an Agreed exception, and then the call is passed on, too.
template <typename Find>
auto new_order(MPI_Comm comm, Find find) -> decltype(find(std::declval<const mpi::VirtualComm&>())) {
  CommState* state = comm == MPI_COMM_NULL ? nullptr : state_of(comm);
  if (state == nullptr) return {};
  const InsideLibrary inside;
  const KnownProcesses& known = state->group->known;
  const NodeSharing* sharing = known.comm().sharing();
  if (sharing != nullptr && !sharing->is_even()) {
    note_reason("nodes have different numbers of processes");
    return {};
  }
  try {
    mpi::OwnedComm own = mpi::agreed_duplicate(comm);
    MPI_Comm agreeing = own.get();
    return find(mpi::agree_on_outcome(agreeing, [&] { return known.comm_with(std::move(own)); }));
  } catch (const mpi::Agreed&) {
    note_reason(mpi::current_failure().text.c_str());
    return {};
  }
}

/// Collective: runs make(ordered) with a communicator in which this process has the new rank. What is made inherits the
/// error handler of the program's communicator.
template <typename Make>
int in_new_order(MPI_Comm comm, int new_rank, Make make) {
  MPI_Comm ordered = MPI_COMM_NULL;
  const int code = MPI_Comm_split(comm, 0, new_rank, &ordered);
  if (code != MPI_SUCCESS) return code;
  const auto free = [](MPI_Comm* made) { MPI_Comm_free(made); };
  const std::unique_ptr<MPI_Comm, decltype(free)> owner(&ordered, free);
  return make(ordered);
}

/// Runs make(order) if the program wants a new order of the ranks and find() finds one, and next() if not. A failure
/// goes to the error handler of the program's communicator.
template <typename Find, typename Make, typename Next>
int reorder(MPI_Comm comm, bool is_wanted, CallCount& count, Find find, Make make, Next next) {
  if (!may_replace()) return next();
  try {
    if (is_wanted && !may_reorder()) note_reason("ranks stay as they are without CUBEFOLD_REORDER=on");
    if (is_wanted && may_reorder()) {
      if (const auto order = new_order(comm, find)) {
        ++count.ours;
        if (mpi::rank_in(comm) == 0) announce_reordering(count.function);
        const InsideLibrary inside;
        return make(*order);
      }
    }
  } catch (...) {
    return report_failure(comm, count.function);
  }
  ++count.passed_on;
  return next();
}

}  // namespace cubefold::preload
