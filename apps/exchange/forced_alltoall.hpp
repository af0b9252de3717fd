#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <string>

#include "cubefold/mpi/owned_comm.hpp"

/// MPI's handle of a control variable, with the value that it had before.
struct ControlVariable;

/// Makes Open MPI respect forced algorithms. Call this before MPI_Init, because Open MPI reads the setting only there.
/// Open MPI still chooses the algorithms that are not forced.
void allow_forcing();

/// Forces the algorithm of MPI_Alltoall or MPI_Alltoallv on single communicators through MPI's tools interface. Open
/// MPI reads the control variable coll_tuned_alltoall_algorithm or coll_tuned_alltoallv_algorithm whenever it makes a
/// communicator.
class AlltoallForcer {
 public:
  /// Throws std::invalid_argument on all processes if this MPI has no such variable or does not respect it, as in
  /// SimGrid. All processes of MPI_COMM_WORLD must call this.
  explicit AlltoallForcer(const char* control_variable = "coll_tuned_alltoall_algorithm");
  AlltoallForcer(const AlltoallForcer&) = delete;
  AlltoallForcer& operator=(const AlltoallForcer&) = delete;
  ~AlltoallForcer();

  /// Returns a duplicate on which the collective runs the algorithm with this number. Other communicators are not
  /// affected. All processes must call this.
  cubefold::mpi::OwnedComm duplicate(MPI_Comm comm, int algorithm);

 private:
  std::unique_ptr<ControlVariable> variable_;
};

/// Forces the algorithm of single calls of MPI_Alltoall through MPI's tools interface. MPICH reads the control variable
/// MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM in every call.
class MpichForcer {
 public:
  /// Throws std::invalid_argument on all processes if this MPI has no such variable, or no algorithm of this name in
  /// the description of the variable, as `brucks`. All processes of MPI_COMM_WORLD must call this.
  explicit MpichForcer(const std::string& algorithm);
  MpichForcer(const MpichForcer&) = delete;
  MpichForcer& operator=(const MpichForcer&) = delete;
  ~MpichForcer();

  /// Calls exchange(), in which MPI_Alltoall runs the algorithm.
  void run(const std::function<void()>& exchange) const;

 private:
  std::unique_ptr<ControlVariable> variable_;
  [[maybe_unused]] int number_ = 0;
};
