#pragma once

#include <mpi.h>

#include <optional>

#include "cubefold/mpi/error.hpp"

namespace cubefold::preload {

/// A value that communicators of the program may have. Duplicates of a communicator do not get it.
class CommAttribute {
 public:
  /// MPI calls free_value() when a communicator that has a value is freed.
  explicit CommAttribute(MPI_Comm_delete_attr_function* free_value) {
    mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_value, &keyval_, nullptr),
               "MPI_Comm_create_keyval");
  }

  /// Returns the value, or nothing if the communicator has none.
  std::optional<void*> of(MPI_Comm comm) const {
    void* value = nullptr;
    int is_there = 0;
    mpi::check(MPI_Comm_get_attr(comm, keyval_, static_cast<void*>(&value), &is_there), "MPI_Comm_get_attr");
    if (is_there == 0) return std::nullopt;
    return value;
  }

  /// Sets the value, and frees the one that the communicator has.
  void set(MPI_Comm comm, void* value) const {
    mpi::check(MPI_Comm_set_attr(comm, keyval_, value), "MPI_Comm_set_attr");
  }

 private:
  int keyval_ = MPI_KEYVAL_INVALID;
};

}  // namespace cubefold::preload
