#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/simulation/machine.hpp"
#include "mpi/job_nodes.hpp"
#include "mpi/vector_call.hpp"
#include "mpi/waiting.hpp"
#include "plan/alltoall_choice.hpp"
#include "plan/job_facts.hpp"
#include "plan/requested_exchange.hpp"
#include "plan/vector_choice.hpp"

namespace cubefold::preload {

class Exchanges;

/// The facts of the processes of mpi::job_comm(), equal on all of them. Each process finds from them, without
/// communication, what the processes of a communicator have to agree on.
struct World {
  /// Why all calls are passed on, or empty.
  std::string reason = "the library has not seen MPI_Init";
  mpi::JobPlaces places{.job = {Grid({1}, Ends::open), {}, false, ""}};
  std::vector<std::uint32_t> host_of_process{};
  std::optional<Machine> machine{};
  ExchangeRequests requests{};
  bool has_tuning_file = false;
  bool is_checked = false;  ///< CUBEFOLD_CHECK is 1 somewhere
  mpi::TimeLimit time_limit{};
  bool has_several_threads = true;  ///< more than one thread may call MPI at a time
};

/// Collective on MPI_COMM_WORLD: finds out what world() returns. MPI_Init calls it. Makes some communicators and frees
/// them. What fails on all processes alike becomes the reason for passing calls on. Throws if MPI fails here.
void gather_world();

/// Collective on a communicator that the program has made from a group of a session (MPI 4), if it has not called
/// MPI_Init: does so for the processes of this communicator, if there are several of them and none of them knows a
/// world yet. So all processes of a communicator know the same world if any of them knows one that contains all of
/// them, and calls on other communicators are passed on. Costs one small MPI_Allreduce if a world is known.
void gather_world_of_session(MPI_Comm comm, bool has_several_threads);

/// Frees what groups share and what the sessions' world needs, because the last session of MPI ends. Does not
/// communicate.
void free_world_of_session();

/// Returns why calls on a communicator are passed on that has processes of which world() knows nothing.
const char* reason_for_strangers();

const World& world();

/// Holds what is known of a list of processes, in the order of their ranks in a communicator.
class KnownProcesses {
 public:
  /// `processes` are the ranks in mpi::job_comm(), and process number `own` of them is this one. Does not communicate.
  KnownProcesses(std::vector<int> processes, std::size_t own);

  const std::vector<int>& processes() const { return processes_; }

  /// Returns why their calls are passed on, or an empty text: they are not on the grid, the ranks on a node are not
  /// consecutive, or the machine file is not theirs. Then there are no other members.
  const std::string& reason() const { return reason_; }

  /// Returns the processes with virtual ranks that equal their ranks, and no communicators.
  const mpi::VirtualComm& comm() const { return *comm_; }

  /// Returns a VirtualComm of the same processes and ranks that owns a communicator.
  mpi::VirtualComm comm_with(mpi::OwnedComm&& own) const;

  const JobFacts& facts() const { return *facts_; }

  /// Returns whether cubefold exchanges blocks of this size, or of unequal sizes if there is none, or may find by
  /// measurements that it does. Otherwise MPI's own exchange is the choice. All processes get the same answer. With
  /// CUBEFOLD_CHECK it is always true, because sizes are compared before.
  bool may_exchange(std::optional<std::size_t> block_bytes) const;

  /// Returns whether cubefold makes this call, which all processes know alike, by VectorChooser.
  bool may_exchange(const mpi::VectorCall& call) const;

  /// Returns the bytes of a vector below which cubefold makes no call of a collective, or no_vector if it makes none at
  /// all. The first question for a collective costs a plan. With CUBEFOLD_CHECK it is 0 or no_vector.
  std::size_t least_vector_bytes(VectorCollective collective) const;
  static constexpr std::size_t no_vector = std::numeric_limits<std::size_t>::max();

  /// Returns whether may_exchange() is false for all sizes. Costs a look at two values.
  bool leaves_all_to_mpi() const { return leaves_all_to_mpi_; }

 private:
  void find_nodes();
  void find_facts();

  std::vector<int> processes_;
  std::size_t own_;
  std::string reason_;
  std::string placement_;
  std::optional<mpi::JobNodes> job_;
  std::optional<mpi::VirtualComm> comm_;
  std::optional<JobFacts> facts_;
  std::optional<AlltoallChooser> chooser_;
  bool leaves_all_to_mpi_ = false;
  mutable std::mutex mutex_;
  mutable std::map<std::optional<std::size_t>, bool> may_exchange_;
  mutable std::optional<VectorChooser> vector_chooser_;
};

/// The processes of one or several communicators, and the exchanges that such communicators may share.
struct Group {
  Group(std::vector<int> processes, std::size_t own) : known(std::move(processes), own) {}

  const KnownProcesses known;
  std::mutex mutex;                   ///< held while users of the exchanges come and go
  std::shared_ptr<Exchanges> shared;  ///< those that were made last, or null
};

/// Returns the group of a communicator, or null if mpi::job_comm() lacks one of its processes. The most_groups groups
/// that were used last are kept; another process may keep others. Does not communicate. Costs O(p).
std::shared_ptr<Group> group_of(MPI_Comm comm);
inline constexpr std::size_t most_groups = 64;

/// Frees the exchanges that groups keep and that no communicator uses. Does not communicate.
void free_unused_exchanges();

}  // namespace cubefold::preload
