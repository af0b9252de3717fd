#pragma once

#include <mpi.h>

#include <utility>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

/// A communicator that returns error codes instead of aborting, and is freed with its owner. The functions that make a
/// communicator are collective, throw Error if MPI fails, and cost O(p) inside MPI. The destructor is collective, as
/// MPI_Comm_free is. The standard expects MPI_Comm_free to be local, and in Open MPI and MPICH it does not wait for
/// other processes. The destructor is therefore also safe during exception handling.
class OwnedComm {
 public:
  OwnedComm() = default;
  OwnedComm(OwnedComm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  OwnedComm& operator=(OwnedComm&& other) noexcept {
    std::swap(comm_, other.comm_);
    return *this;
  }
  OwnedComm(const OwnedComm&) = delete;
  OwnedComm& operator=(const OwnedComm&) = delete;
  ~OwnedComm() {
    if (comm_ == MPI_COMM_NULL) return;
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) MPI_Comm_free(&comm_);
  }

  /// Returns a communicator of the same processes in the same order. It is not MPI_Comm_dup, which calls functions of
  /// the program that copy attributes, and copies hints that its messages may break.
  static OwnedComm duplicate(MPI_Comm comm) { return reordered(comm, 0); }

  /// Returns a communicator of the same processes in the order of their keys, and in their own order where keys are
  /// equal (MPI_Comm_split).
  static OwnedComm reordered(MPI_Comm comm, int key) {
    MPI_Comm ordered = MPI_COMM_NULL;
    check(MPI_Comm_split(comm, 0, key, &ordered), "MPI_Comm_split");
    return adopt(ordered);
  }

  /// Takes over a communicator that the caller has made, and sets its error handler to MPI_ERRORS_RETURN.
  static OwnedComm adopt(MPI_Comm comm) {
    OwnedComm owned;
    owned.comm_ = comm;
    check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    return owned;
  }

  MPI_Comm get() const { return comm_; }

  /// Returns the communicator and gives up its ownership without freeing it.
  MPI_Comm release() { return std::exchange(comm_, MPI_COMM_NULL); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace cubefold::mpi
