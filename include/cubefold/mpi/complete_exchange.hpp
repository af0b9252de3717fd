#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "cubefold/exchange/algorithm.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/executor.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/schedule/local_program.hpp"

namespace cubefold::mpi {

/// All-to-all over virtual ranks, planned once and run as often as wanted. Memory: the slot numbers of this rank's messages
/// twice (d 2^(d-1) for cc_cube, 2^d for direct), scratch for one step (p blocks, or 2), and p blocks where the receive
/// type is not dense.
class CUBEFOLD_API CompleteExchange {
 public:
  /// Collective: duplicates the communicator and plans in O(d 2^d). All processes have to name the same algorithm. Throws std::invalid_argument on all processes if
  /// their number is no power of two, and Error on all if one has no memory.
  explicit CompleteExchange(const VirtualComm& comm,
                            ExchangeAlgorithm algorithm = ExchangeAlgorithm::cc_cube);

  /// Collective; the meaning of MPI_Alltoall on comm.virtual_comm(): block j of `send` goes to virtual rank j and
  /// block i of `receive` comes from virtual rank i. Any datatypes of equal signature, MPI_IN_PLACE as `send`, counts
  /// of 0. Throws std::invalid_argument, on the calling process and before any
  /// message, for a negative count, a null type, blocks of unequal size, and messages above 2^31 - 1 bytes; the others
  /// then wait for it, as in MPI_Alltoall. Throws Error where MPI fails or another process sends another size.
  void run(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
           MPI_Datatype receive_type);

  /// Throws std::invalid_argument if blocks of this size make messages above 2^31 - 1 bytes.
  void require_block(std::size_t block_bytes) const { require_countable(program_, block_bytes); }

 private:
  OwnedComm comm_;
  LocalProgram program_{};
  Executor executor_;
  std::vector<std::byte> packed_;
};

}  // namespace cubefold::mpi
