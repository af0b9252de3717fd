#include "comm_state.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "comm_attribute.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "program_order.hpp"

namespace cubefold::preload {

namespace {

using mpi::check;

std::atomic<bool> keeps_states = false;

/// The value of the attribute of communicators whose calls are passed on. It is an address that no state has.
char passed_on;

/// MPI calls this when the program frees its communicator. A garbage collector does that in another order on each
/// process, so nothing here waits for another process.
int free_state(MPI_Comm, int, void* value, void*) {
  if (value == &passed_on || keeps_states) return MPI_SUCCESS;
  const InsideLibrary inside;
  const std::unique_ptr<CommState> freed(static_cast<CommState*>(value));
  return MPI_SUCCESS;
}

const CommAttribute& states() {
  static const CommAttribute attribute(free_state);
  return attribute;
}

/// Collective: returns the state of an intra-communicator. Throws on all processes as in_program_order() and PlanCache.
std::unique_ptr<CommState> make_state(MPI_Comm comm) {
  const double start = MPI_Wtime();
  mpi::VirtualComm in_order = in_program_order(comm);
  MPI_Comm own = in_order.virtual_comm();
  std::unique_ptr<CommState> state = mpi::agree_on_outcome(
      own, [&] { return std::make_unique<CommState>(std::move(in_order), MPI_Wtime() - start); });
  state->plans.emplace(state->comm);
  return state;
}

CommState* keep(MPI_Comm comm, std::unique_ptr<CommState> state) {
  void* value = state ? static_cast<void*>(state.get()) : &passed_on;
  states().set(comm, value);
  return state.release();
}

/// Collective: makes the state, or none if all processes have agreed that there cannot be one. If a call of MPI fails
/// on this process alone, throws, so that the program hears of it: the other processes wait for this one.
CommState* find_or_agree(MPI_Comm comm) {
  const InsideLibrary inside;
  if (!may_have_state(comm)) return keep(comm, nullptr);
  ++report().communicators;
  std::unique_ptr<CommState> state;
  try {
    state = make_state(comm);
    ++report().communicators_on_grid;
  } catch (const mpi::Agreed&) {
    note_reason(mpi::current_failure().text.c_str());
  }
  return keep(comm, std::move(state));
}

}  // namespace

bool may_have_state(MPI_Comm comm) {
  int is_inter = 0;
  int size = 0;
  check(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter");
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  return is_inter == 0 && size > 1;
}

CommState* state_of(MPI_Comm comm) {
  const auto value = states().of(comm);
  if (!value) return find_or_agree(comm);
  return *value == &passed_on ? nullptr : static_cast<CommState*>(*value);
}

void pass_on_from_now(MPI_Comm comm, const char* reason) {
  note_reason(reason);
  keep(comm, nullptr);
}

void keep_states() {
  keeps_states = true;
}

}  // namespace cubefold::preload
