#pragma once

#include <mpi.h>

#include <memory>

#include "cubefold/mpi/owned_comm.hpp"

/// Makes Open MPI heed forced algorithms. It looks for this in MPI_Init, so call it before; later it is too late. What
/// is not forced stays as Open MPI would have it.
void allow_forcing();

/// Forces the algorithm of MPI_Alltoall on single communicators through MPI's tools interface: Open MPI reads the
/// control variable coll_tuned_alltoall_algorithm whenever it makes a communicator.
class AlltoallForcer {
 public:
  /// Collective over MPI_COMM_WORLD. Throws std::invalid_argument on all processes if this MPI has no such variable or
  /// does not heed it; SimGrid's has none.
  AlltoallForcer();
  AlltoallForcer(const AlltoallForcer&) = delete;
  AlltoallForcer& operator=(const AlltoallForcer&) = delete;
  ~AlltoallForcer();

  /// Collective: a duplicate on which MPI_Alltoall runs the algorithm of this number. Other communicators are not
  /// affected.
  cubefold::mpi::OwnedComm duplicate(MPI_Comm comm, int algorithm);

 private:
  struct Variable;  ///< MPI's handle of it, and its value before

  std::unique_ptr<Variable> variable_;
};
