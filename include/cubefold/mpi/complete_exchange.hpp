#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/executor.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/schedule/local_program.hpp"

namespace cubefold::mpi {

/// All-to-all over virtual ranks, planned once and run as often as wanted. Memory: this rank's part of the schedule, scratch
/// for blocks under way and packed messages (Executor::scratch_bytes()), and p blocks each for MPI_IN_PLACE and for types
/// that are not dense.
class CUBEFOLD_API CompleteExchange {
 public:
  /// Collective: duplicates the communicator and plans in the time of this rank's part. All processes have to name the same
  /// method and rules. Throws std::invalid_argument on all processes if the method does not fit the grid, and Error on all if
  /// one has no memory.
  CompleteExchange(const VirtualComm& comm, const ExchangeMethod& method, const NetworkRules& network = {},
                   const RunRules& rules = {});

  /// Collective; the meaning of MPI_Alltoall on comm.virtual_comm(): block j of `send` goes to virtual rank j and
  /// block i of `receive` comes from virtual rank i. Any datatypes of equal signature, MPI_IN_PLACE as `send`, counts
  /// of 0. Throws std::invalid_argument, on the calling process and before any
  /// message, for a negative count, a null type, blocks of unequal size, and messages above 2^31 - 1 bytes; the others
  /// then wait for it, as in MPI_Alltoall. Throws Error where MPI fails or another process sends another size.
  void run(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
           MPI_Datatype receive_type);

  /// Throws std::invalid_argument if blocks of this size make messages above 2^31 - 1 bytes.
  void require_block(std::size_t block_bytes) const { executor_->require_countable(block_bytes); }

 private:
  OwnedComm comm_;
  Rank rank_;
  std::optional<Executor> executor_;
  std::vector<std::byte> packed_send_;
  std::vector<std::byte> packed_receive_;
};

}  // namespace cubefold::mpi
