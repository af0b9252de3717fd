#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>

#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/exchange_request.hpp"
#include "cubefold/mpi/exchange_space.hpp"
#include "cubefold/mpi/exchanger.hpp"
#include "cubefold/mpi/executor.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/schedule/packing.hpp"

namespace cubefold::mpi {

/// The arguments of MPI_Alltoall. MPI_IN_PLACE as `send` leaves send_count and send_type without meaning.
struct ExchangeBuffers {
  const void* send;
  int send_count;
  MPI_Datatype send_type;
  void* receive;
  int receive_count;
  MPI_Datatype receive_type;

  /// Packed bytes of a block as it is received; 0 for a negative count. Throws std::invalid_argument for a null type.
  std::size_t block_bytes() const;
};

/// All-to-all over virtual ranks, planned once and run as often as wanted. Memory: this rank's part of the schedule,
/// scratch for blocks under way and packed messages (Executor::scratch_bytes()), and p blocks each for MPI_IN_PLACE and
/// for types that are not dense; for every request of its own.
///
/// Everything that exchanges is collective, and in one order on all processes for all exchanges of a space. A process
/// whose arguments are refused, or that has no memory, throws, and so do the others that wait for it: ExchangeSpace says
/// how. Blocks of any size travel in pieces of messages below 2^31 bytes. Under CUBEFOLD_CHECK block sizes that differ
/// between processes are found before any message, and all processes throw the same std::invalid_argument.
class CUBEFOLD_API CompleteExchange {
 public:
  /// Collective, as make_exchanger(); the first form duplicates the communicator for a space of its own.
  CompleteExchange(const VirtualComm& comm, const ExchangeMethod& method, const NetworkRules& network = {},
                   const RunRules& rules = {});
  CompleteExchange(const VirtualComm& comm, std::shared_ptr<ExchangeSpace> space, const ExchangeSetup& setup);
  CompleteExchange(CompleteExchange&&) noexcept;
  CompleteExchange& operator=(CompleteExchange&&) noexcept;
  ~CompleteExchange();

  /// Collective; the meaning of MPI_Alltoall on comm.virtual_comm(): block j of `send` goes to virtual rank j and
  /// block i of `receive` comes from virtual rank i. Any datatypes of equal signature, MPI_IN_PLACE as `send`, counts
  /// of 0. Throws std::invalid_argument, on the calling process and before any message, for a negative count, a null
  /// type and blocks of unequal size. Throws Error where MPI fails or another process sends another size.
  void run(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
           MPI_Datatype receive_type);
  void run(const ExchangeBuffers& buffers);

  /// Collective; begins the same, and waits for nobody. Throws as run() for bad arguments. The types may be freed at
  /// once.
  ExchangeRequest start(const ExchangeBuffers& buffers);

  /// Collective; the same for repeated use: buffers are bound and memory is taken, but nothing is started.
  ExchangeRequest prepare(const ExchangeBuffers& buffers);

  /// Collective; the same without buffers: blocks of block_bytes, packed, are made and taken by calls, one packet each
  /// or, where RunRules cut them, several. What the process has for itself passes through both calls too. Calls must
  /// not use exchanges of the space; what one throws ends the exchange here, and for those that wait for this process.
  void run_packets(std::size_t block_bytes, const PacketCalls& calls);

  /// Takes the memory that blocks of this size need where types are dense. Throws std::bad_alloc and
  /// std::invalid_argument, on this process.
  void reserve(std::size_t block_bytes);

  /// Throws std::invalid_argument if pieces of blocks of this size make messages above 2^31 - 1 bytes: where a message
  /// has more blocks than that.
  void require_block(std::size_t block_bytes) const;

  const Exchanger& exchanger() const { return exchanger_; }

 private:
  void run_here(const ExchangeBuffers& buffers);
  void run_with_types(const ExchangeBuffers& buffers);
  void run_bound();
  bool run_dense(const ExchangeBuffers& buffers);

  Exchanger exchanger_;
  std::unique_ptr<BoundExchange> blocking_;  ///< keeps its memory from one run to the next
};

}  // namespace cubefold::mpi
