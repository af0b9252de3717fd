#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <span>

#include "interception.hpp"
#include "mpi/vector_call.hpp"
#include "next_mpi.hpp"
#include "world.hpp"

namespace cubefold::preload {

/// Returns an array whose length is_left_to_mpi() finds out.
inline std::span<const int> unmeasured(const int* array) {
  return {array, std::size_t{0}};
}

/// Returns whether a call is passed on because of its communicator and the bytes of its vector alone, which all
/// processes know alike. Otherwise the arrays have their lengths then. Costs some instructions if the last call of the
/// thread was on the same communicator, and a plan at the first call of a collective on these processes.
bool is_left_to_mpi(mpi::VectorArguments& arguments, MPI_Comm comm);

/// Returns the call, or nothing if MPI would not take its arguments. Such calls are passed on, so that the program gets
/// MPI's own error class.
std::optional<mpi::VectorCall> valid_call(const mpi::VectorArguments& arguments, const KnownProcesses& known);

/// Makes a blocking call of the program by cubefold, or passes it on, and counts it. Returns what MPI returns.
int reduce_or_gather(mpi::VectorArguments arguments, MPI_Comm comm, Name name, CallCount& count);

}  // namespace cubefold::preload
