#pragma once

#include <mpi.h>

#include <span>

#include "typed_blocks.hpp"

namespace cubefold::mpi {

/// The arguments of MPI_Alltoallv, with a count and a displacement in elements for every virtual rank. If `send` is
/// MPI_IN_PLACE, the other arguments of sending are ignored.
struct AlltoallvBuffers {
  const void* send;
  std::span<const int> send_counts;
  std::span<const int> send_displacements;
  MPI_Datatype send_type;
  void* receive;
  std::span<const int> receive_counts;
  std::span<const int> receive_displacements;
  MPI_Datatype receive_type;
};

/// Collective on the communicator: calls MPI_Alltoallv. `outgoing` and `received` are the blocks of the buffers.
void alltoallv_by_mpi(MPI_Comm comm, const AlltoallvBuffers& buffers, const TypedBlocks& outgoing,
                      const TypedBlocks& received);

}  // namespace cubefold::mpi
