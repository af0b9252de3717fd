#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "mpi/comm_context.hpp"
#include "mpi/neighbour_plans.hpp"
#include "mpi/plan_cache.hpp"
#include "savings.hpp"
#include "world.hpp"

namespace cubefold::preload {

/// The exchanges of a group of processes, which have a communicator. Below MPI_THREAD_MULTIPLE, all communicators of
/// the program with these processes in this order share them: one thread exchanges blocks on one of them after the
/// other, in the same order on all processes. Several threads may do that in different orders, so that each such
/// communicator has exchanges of its own, which another one gets when it is freed.
class Exchanges {
 public:
  /// The program may need most of the communicators that MPI has. If so many are made, calls are passed on.
  static constexpr std::size_t most = 128;

  /// The number is the same on all processes, and above 0. No others of the group have it.
  Exchanges(const KnownProcesses& known, int number, std::shared_ptr<mpi::CommContext> context,
            std::shared_ptr<mpi::TuningStore> store, double making_seconds);
  Exchanges(const Exchanges&) = delete;
  Exchanges& operator=(const Exchanges&) = delete;
  ~Exchanges() { --count_; }

  /// Returns how many there are on this process.
  static std::size_t count() { return count_; }

  int number() const { return number_; }
  mpi::CommContext& context() const { return plans.context(); }

  const mpi::VirtualComm comm;  ///< without communicators
  Savings savings;
  mpi::PlanCache plans;

 private:
  int number_;
  static inline std::atomic<std::size_t> count_ = 0;
};

/// What the library knows of one communicator of the program. It is an attribute of it, which MPI frees with the
/// communicator. That does not communicate.
struct CommState {
  std::shared_ptr<Group> group;
  std::shared_ptr<Exchanges> exchanges{};  ///< null until the first call that cubefold exchanges
  /// A process has loaded the driver of a device before that call, so the host may be unable to read a buffer.
  bool has_devices = false;
  std::unique_ptr<mpi::NeighbourPlans> neighbours{};  ///< of a topology; null until they are needed
  bool leaves_neighbours_to_mpi = false;              ///< on all processes alike, from the first such call on
};

/// Returns whether a communicator can have a state: it is an intra-communicator of several processes.
bool may_have_state(MPI_Comm comm);

/// Returns the state of a communicator, or null if its calls are passed on to MPI, which all its processes find alike
/// from what they know since MPI_Init: of inter-communicators, of a single process, of processes outside of
/// mpi::job_comm(), and where KnownProcesses has a reason. Does not communicate. Throws mpi::Error if MPI fails, and
/// std::bad_alloc. Costs O(p) at the first call for a communicator, and then a look-up.
CommState* state_of(MPI_Comm comm);

/// Gives a state to a communicator of this library, which has the processes of the group in their order. The report
/// does not count it.
CommState& give_state(MPI_Comm comm, std::shared_ptr<Group> group);

/// Returns the exchanges of a communicator, or null if calls with blocks of this size, or of unequal sizes if there is
/// none, are passed on because MPI's own exchange is the choice. All processes of the communicator must call this. The
/// first call that does not return null makes a communicator, unless all processes have exchanges to share, and
/// communicates. Throws mpi::Agreed if one of them cannot have exchanges, as when MPI has no communicator left.
Exchanges* exchanges_of(MPI_Comm comm, CommState& state, std::optional<std::size_t> block_bytes);

/// Does this for calls of which all processes know that cubefold makes them.
Exchanges* exchanges_of(MPI_Comm comm, CommState& state);

/// The number that freed_states() returns.
inline std::atomic<std::uint64_t> freed_state_count = 0;

/// Returns how many communicators with a state, or whose calls are passed on, have been freed or have lost it. What was
/// known of a communicator holds as long as the number stays the same.
inline std::uint64_t freed_states() {
  return freed_state_count.load(std::memory_order_relaxed);
}

/// Says that all processes have agreed to pass the calls of this communicator on to MPI from now on, and frees its
/// state.
void pass_on_from_now(MPI_Comm comm, const char* reason);

/// Keeps the states of communicators that are not freed, because MPI_Finalize is next: they go with the process.
void keep_states();

}  // namespace cubefold::preload
