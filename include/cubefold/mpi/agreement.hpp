#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <utility>

#include "cubefold/export.h"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

/// Collective: every process brings its failure, or nothing. If any has one, all throw that of the lowest
/// rank, with the process named where others had none. Two small collectives at most; O(log p).
CUBEFOLD_API void agree(MPI_Comm comm, const std::optional<Failure>& failure);

/// Collective: runs work() and throws on every process alike if it throws on any. What work() communicates,
/// if anything, must not be waited for by a process whose own work() throws.
template <typename Work>
void together(MPI_Comm comm, Work&& work) {
  std::optional<Failure> failure;
  try {
    std::forward<Work>(work)();
  } catch (...) {
    failure = current_failure();
  }
  agree(comm, failure);
}

/// Collective: throws std::invalid_argument on all processes unless all bring the same text, and names the
/// first process that differs from rank 0.
CUBEFOLD_API void require_equal_everywhere(MPI_Comm comm, const std::string& what, const std::string& text);

}  // namespace cubefold::mpi
