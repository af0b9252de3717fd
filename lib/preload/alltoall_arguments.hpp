#pragma once

#include <mpi.h>

#include <cstddef>

#include "mpi/blocks.hpp"

namespace cubefold::preload {

/// Returns whether MPI takes the arguments of an all-to-all on the process of this rank. Valid sides are so in the
/// sense of Sides::require_valid() then. Calls with others are passed on, so that the program gets MPI's own error
/// class. Does not communicate.
bool is_valid(mpi::Sides& sides, std::size_t rank_count, std::size_t rank);

/// Returns whether a type is committed. Does not communicate. Costs a few nanoseconds.
bool is_committed(MPI_Datatype type);

/// Makes the communicator that is_valid() uses, which it otherwise makes in its first call. Requires that MPI runs.
void prepare_checks() noexcept;

}  // namespace cubefold::preload
