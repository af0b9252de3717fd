#pragma once

#include <mpi.h>

#include <utility>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// A communicator that returns error codes instead of aborting and is freed with its owner. The functions that make one
/// are collective, throw Error if MPI fails, and cost O(p) inside MPI. The destructor is collective as MPI_Comm_free
/// is; the standard expects that call to be local, and in Open MPI and MPICH it waits for nobody, so that it is also
/// called while an exception is under way.
class CUBEFOLD_API OwnedComm {
 public:
  OwnedComm() = default;
  OwnedComm(OwnedComm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  OwnedComm& operator=(OwnedComm&& other) noexcept {
    std::swap(comm_, other.comm_);
    return *this;
  }
  OwnedComm(const OwnedComm&) = delete;
  OwnedComm& operator=(const OwnedComm&) = delete;
  ~OwnedComm();

  /// Returns the same processes in the same order: MPI_Comm_dup.
  static OwnedComm duplicate(MPI_Comm comm);

  /// Returns the same processes in the order of their keys.
  static OwnedComm reordered(MPI_Comm comm, int key);

  /// Takes over a communicator that the caller has made.
  static OwnedComm adopt(MPI_Comm comm);

  MPI_Comm get() const { return comm_; }

  /// Gives the communicator up without freeing it.
  MPI_Comm release() { return std::exchange(comm_, MPI_COMM_NULL); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace cubefold::mpi
