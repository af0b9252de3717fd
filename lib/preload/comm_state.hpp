#pragma once

#include <mpi.h>

#include <optional>
#include <utility>

#include "cubefold/mpi/virtual_comm.hpp"
#include "mpi/plan_cache.hpp"
#include "savings.hpp"

namespace cubefold::preload {

/// The exchanges of one communicator of the program, whose virtual ranks are its ranks.
struct CommState {
  CommState(mpi::VirtualComm made, double making_seconds) : comm(std::move(made)), savings(making_seconds) {}

  mpi::VirtualComm comm;
  Savings savings;
  std::optional<mpi::PlanCache> plans;
};

/// Returns whether a communicator can have a state: it is an intra-communicator of several processes.
bool may_have_state(MPI_Comm comm);

/// Returns the state of a communicator, or null if its calls are passed on to MPI. All processes of the communicator
/// must call this for its first collective call that may be replaced; they make the state then, or agree that there is
/// none, which is so for inter-communicators, for a single process, and if in_program_order() throws mpi::Agreed. The
/// state is an attribute of the communicator, which MPI frees with it, without communication. Throws mpi::Error if a
/// call of MPI fails on this process alone. Other calls do not communicate and cost a look-up.
CommState* state_of(MPI_Comm comm);

/// Says that all processes have agreed to pass the calls of this communicator on to MPI from now on, and frees its
/// state. Collective.
void pass_on_from_now(MPI_Comm comm, const char* reason);

/// Keeps the states of communicators that are not freed, because MPI_Finalize is next: they go with the process.
void keep_states();

}  // namespace cubefold::preload
