#include "comm_state.hpp"

#include <fmt/format.h>

#include <array>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "comm_attribute.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "mpi/device_memory.hpp"
#include "mpi/processes.hpp"

namespace cubefold::preload {

namespace {

using mpi::check;

std::atomic<bool> keeps_states = false;

/// The value of the attribute of communicators whose calls are passed on. It is an address that no state has.
char passed_on;

/// MPI calls this when the program frees its communicator. A garbage collector does that in another order on each
/// process, so nothing here waits for another process.
int free_state(MPI_Comm, int, void* value, void*) {
  ++freed_state_count;
  if (value == &passed_on || keeps_states) return MPI_SUCCESS;
  const InsideLibrary inside;
  const std::unique_ptr<CommState> freed(static_cast<CommState*>(value));
  const std::lock_guard lock(freed->group->mutex);
  freed->neighbours.reset();
  freed->exchanges.reset();
  return MPI_SUCCESS;
}

const CommAttribute& states() {
  static const CommAttribute attribute(free_state);
  return attribute;
}

CommState* keep(MPI_Comm comm, std::unique_ptr<CommState> state) {
  void* value = state ? static_cast<void*>(state.get()) : &passed_on;
  states().set(comm, value);
  return state.release();
}

CommState* make_state(MPI_Comm comm) {
  const InsideLibrary inside;
  if (!may_have_state(comm)) return keep(comm, nullptr);
  ++report().communicators;
  std::shared_ptr<Group> group = group_of(comm);
  const char* reason = group ? group->known.reason().c_str() : reason_for_strangers();
  if (*reason != '\0') {
    note_reason(reason);
    return keep(comm, nullptr);
  }
  ++report().communicators_on_grid;
  return &give_state(comm, std::move(group));
}

/// Returns the exchanges that this process offers to another communicator of the group, or null. With several threads,
/// no other communicator may use them.
std::shared_ptr<Exchanges> offered_exchanges(Group& group) {
  const std::lock_guard lock(group.mutex);
  const bool is_free = !world().has_several_threads || group.shared.use_count() == 1;
  return group.shared && is_free && !group.shared->context().has_failed() ? group.shared : nullptr;
}

/// Takes exchanges into use and keeps them for communicators to come, or keeps none.
void use(std::shared_ptr<Exchanges> exchanges, CommState& state) {
  const std::lock_guard lock(state.group->mutex);
  state.group->shared = exchanges;
  state.exchanges = std::move(exchanges);
}

bool may_make_exchanges() {
  if (Exchanges::count() >= Exchanges::most) free_unused_exchanges();
  return Exchanges::count() < Exchanges::most;
}

/// Collective: makes exchanges on a communicator of their own, or throws Agreed.
std::shared_ptr<Exchanges> make_exchanges(MPI_Comm comm, const KnownProcesses& known, int number) {
  const double start = MPI_Wtime();
  mpi::OwnedComm own = mpi::agreed_duplicate(comm);
  const auto context = mpi::agree_on_outcome(comm, [&] {
    return std::make_shared<mpi::CommContext>(
        std::move(own), mpi::CommContext::Anywhere{world().is_checked, false}, world().time_limit);
  });
  std::shared_ptr<mpi::TuningStore> store;
  if (world().has_tuning_file) {
    store = mpi::TuningStore::from_environment(context->comm(), known.comm().grid(), nullptr,
                                               known.facts().host_count);
  }
  return mpi::agree_on_outcome(context->comm(), [&] {
    return std::make_shared<Exchanges>(known, number, context, std::move(store), MPI_Wtime() - start);
  });
}

/// Collective: gives the communicator the exchanges that all processes offer, or new ones if they do not offer the
/// same. One reduction finds that out, because each process keeps other groups. The lowest process numbers new ones.
void agree_on_exchanges(MPI_Comm comm, CommState& state) {
  static std::atomic<int> last_number = 0;
  Group& group = *state.group;
  std::shared_ptr<Exchanges> offered = offered_exchanges(group);
  const int offer = offered ? offered->number() : 0;
  const int next = mpi::rank_in(comm) == 0 ? ++last_number : 0;
  std::array<int, 5> least{offer, -offer, -next, may_make_exchanges() ? 1 : 0,
                           mpi::find_device_drivers() ? 0 : 1};
  check(MPI_Allreduce(MPI_IN_PLACE, least.data(), static_cast<int>(least.size()), MPI_INT, MPI_MIN, comm),
        "MPI_Allreduce");
  state.has_devices = least[4] == 0;
  if (least[0] > 0 && least[0] == -least[1]) return use(std::move(offered), state);
  offered.reset();
  use(nullptr, state);
  if (least[3] == 0) {
    mpi::throw_agreed(mpi::Status::mpi, [] {
      return fmt::format("the library has made {} communicators, and leaves the others to the program",
                         Exchanges::most);
    });
  }
  use(make_exchanges(comm, group.known, -least[2]), state);
}

}  // namespace

Exchanges::Exchanges(const KnownProcesses& known, int number, std::shared_ptr<mpi::CommContext> context,
                     std::shared_ptr<mpi::TuningStore> store, double making_seconds)
    : comm(known.comm_with({})),
      savings(making_seconds),
      plans(comm, std::move(context), known.facts(), std::move(store)),
      number_(number) {
  ++count_;
}

bool may_have_state(MPI_Comm comm) {
  int is_inter = 0;
  int size = 0;
  check(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter");
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  return is_inter == 0 && size > 1;
}

CommState* state_of(MPI_Comm comm) {
  const auto value = states().of(comm);
  if (!value) return make_state(comm);
  return *value == &passed_on ? nullptr : static_cast<CommState*>(*value);
}

CommState& give_state(MPI_Comm comm, std::shared_ptr<Group> group) {
  return *keep(comm, std::make_unique<CommState>(CommState{std::move(group)}));
}

Exchanges* exchanges_of(MPI_Comm comm, CommState& state, std::optional<std::size_t> block_bytes) {
  if (state.exchanges) return state.exchanges.get();
  return state.group->known.may_exchange(block_bytes) ? exchanges_of(comm, state) : nullptr;
}

Exchanges* exchanges_of(MPI_Comm comm, CommState& state) {
  if (state.exchanges) return state.exchanges.get();
  const InsideLibrary inside;
  agree_on_exchanges(comm, state);
  return state.exchanges.get();
}

void pass_on_from_now(MPI_Comm comm, const char* reason) {
  note_reason(reason);
  keep(comm, nullptr);
}

void keep_states() {
  keeps_states = true;
}

}  // namespace cubefold::preload
