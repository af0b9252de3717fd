#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "comm_state.hpp"
#include "interception.hpp"
#include "mpi/neighbours.hpp"
#include "next_mpi.hpp"
#include "world.hpp"

namespace cubefold::preload {

/// Returns whether cubefold may make calls with neighbours on a communicator, by what all its processes know alike.
/// Costs a copy of a text.
bool may_exchange_with_neighbours(MPI_Comm comm, const KnownProcesses& known);

/// Collective: finds the edges of a communicator with a topology, and returns whether cubefold makes calls with
/// neighbours on it. Throws as NeighbourPlans.
bool prepare_neighbours(MPI_Comm comm, CommState& state, const Exchanges& exchanges);

/// Returns whether MPI takes the arguments of a call by a process with so many neighbours. Valid calls are so in the
/// sense of NeighbourCall::require_valid() then. Does not communicate.
bool is_valid(mpi::NeighbourCall& call, std::size_t destination_count, std::size_t source_count);

/// Makes a blocking call of the program by cubefold, or passes it on, and counts it. Returns what MPI returns.
int exchange_with_neighbours(const mpi::NeighbourCall& call, MPI_Comm comm, Name name, CallCount& count);

/// Returns an array of the program, which has `size` elements.
template <typename T>
std::span<const T> all(const T* array, std::size_t size) {
  return {array, size};
}

}  // namespace cubefold::preload

/// Applies define(kind, suffix, Count, Place) to each NeighbourFunction: MPI's functions have names with this suffix,
/// and these types of counts and displacements.
#define CUBEFOLD_FOR_NEIGHBOURS(define, suffix, Count, Place)                         \
  define(alltoall, suffix, Count, Place) define(alltoallv, suffix, Count, Place)      \
      define(alltoallw, suffix, Count, Place) define(allgather, suffix, Count, Place) \
          define(allgatherv, suffix, Count, Place)

// The parameters of MPI's functions for neighbours without the communicator, and the Blocks of both sides. These name
// the numbers of destinations and of sources.
#define CUBEFOLD_NEIGHBOUR_PARAMETERS_alltoall(Count, Place)                                      \
  const void *send, Count send_count, MPI_Datatype send_type, void *receive, Count receive_count, \
      MPI_Datatype receive_type
#define CUBEFOLD_NEIGHBOUR_PARAMETERS_alltoallv(Count, Place)                                          \
  const void *send, const Count *send_counts, const Place *send_displacements, MPI_Datatype send_type, \
      void *receive, const Count *receive_counts, const Place *receive_displacements,                  \
      MPI_Datatype receive_type
#define CUBEFOLD_NEIGHBOUR_PARAMETERS_alltoallw(Count, Place)                     \
  const void *send, const Count *send_counts, const MPI_Aint *send_displacements, \
      const MPI_Datatype *send_types, void *receive, const Count *receive_counts, \
      const MPI_Aint *receive_displacements, const MPI_Datatype *receive_types
#define CUBEFOLD_NEIGHBOUR_PARAMETERS_allgather(Count, Place) \
  CUBEFOLD_NEIGHBOUR_PARAMETERS_alltoall(Count, Place)
#define CUBEFOLD_NEIGHBOUR_PARAMETERS_allgatherv(Count, Place)                                            \
  const void *send, Count send_count, MPI_Datatype send_type, void *receive, const Count *receive_counts, \
      const Place *receive_displacements, MPI_Datatype receive_type

#define CUBEFOLD_NEIGHBOUR_BLOCKS_alltoall \
  {send, send_count, send_type}, {         \
    receive, receive_count, receive_type   \
  }
#define CUBEFOLD_NEIGHBOUR_BLOCKS_alltoallv                                                   \
  {send, all(send_counts, destinations), all(send_displacements, destinations), send_type}, { \
    receive, all(receive_counts, sources), all(receive_displacements, sources), receive_type  \
  }
#define CUBEFOLD_NEIGHBOUR_BLOCKS_alltoallw                                                                 \
  {send, all(send_counts, destinations), all(send_displacements, destinations),                             \
   all(send_types, destinations)},                                                                          \
  {                                                                                                         \
    receive, all(receive_counts, sources), all(receive_displacements, sources), all(receive_types, sources) \
  }
#define CUBEFOLD_NEIGHBOUR_BLOCKS_allgather CUBEFOLD_NEIGHBOUR_BLOCKS_alltoall
#define CUBEFOLD_NEIGHBOUR_BLOCKS_allgatherv                                                 \
  {send, send_count, send_type}, {                                                           \
    receive, all(receive_counts, sources), all(receive_displacements, sources), receive_type \
  }

/// A function that returns the call of a kind for a number of destinations and of sources.
#define CUBEFOLD_NEIGHBOUR_CALL(kind)                                                    \
  [&]([[maybe_unused]] std::size_t destinations, [[maybe_unused]] std::size_t sources) { \
    using cubefold::preload::all;                                                        \
    return cubefold::mpi::NeighbourCall(cubefold::mpi::NeighbourFunction::kind,          \
                                        CUBEFOLD_NEIGHBOUR_BLOCKS_##kind);               \
  }
