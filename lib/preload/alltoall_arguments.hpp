#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "mpi/blocks.hpp"

namespace cubefold::preload {

/// Returns whether MPI takes the arguments of an all-to-all on the process of this rank. Valid sides are so in the
/// sense of Sides::require_valid() then. Calls with others are passed on, so that the program gets MPI's own error
/// class. Does not communicate.
bool is_valid(mpi::Sides& sides, std::size_t rank_count, std::size_t rank);

/// Returns the size of the arrays that a program passes for a communicator: that of the local group of an
/// inter-communicator, and 0 if there is none or if the call is not replaced. Does not communicate.
std::size_t array_size(MPI_Comm comm) noexcept;

/// Returns the arguments of MPI_Alltoallv, or of MPI_Alltoallw, as the program passes them. Counts and displacements
/// are of int, or of MPI_Count and MPI_Aint.
template <typename Count, typename Place>
mpi::Sides sides_of(const void* send, const Count* send_counts, const Place* send_displacements,
                    MPI_Datatype send_type, void* receive, const Count* receive_counts,
                    const Place* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm) noexcept {
  const auto numbers = [p = array_size(comm)](const auto* array) { return std::span(array, p); };
  return {send,    numbers(send_counts),    numbers(send_displacements),    send_type,
          receive, numbers(receive_counts), numbers(receive_displacements), receive_type};
}
template <typename Count, typename Place>
mpi::Sides sides_of(const void* send, const Count* send_counts, const Place* send_displacements,
                    const MPI_Datatype* send_types, void* receive, const Count* receive_counts,
                    const Place* receive_displacements, const MPI_Datatype* receive_types,
                    MPI_Comm comm) noexcept {
  const auto all = [p = array_size(comm)](const auto* array) { return std::span(array, p); };
  return {send,    all(send_counts),    all(send_displacements),    all(send_types),
          receive, all(receive_counts), all(receive_displacements), all(receive_types)};
}

/// Returns whether a type is committed. Does not communicate. Costs a few nanoseconds.
bool is_committed(MPI_Datatype type);

/// Makes the communicator that is_valid() uses, which it otherwise makes in its first call. Requires that MPI runs.
void prepare_checks() noexcept;

}  // namespace cubefold::preload
