#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cubefold/export.h"
#include "cubefold/mpi/exchanger.hpp"

namespace cubefold::mpi {

class BoundExchange;
class TypedBlocks;

/// The arguments of MPI_Alltoallv: a count and a displacement, in elements, for every virtual rank. MPI_IN_PLACE as
/// `send` leaves the other arguments of sending without meaning.
struct UnequalBuffers {
  const void* send;
  std::span<const int> send_counts;
  std::span<const int> send_displacements;
  MPI_Datatype send_type;
  void* receive;
  std::span<const int> receive_counts;
  std::span<const int> receive_displacements;
  MPI_Datatype receive_type;
};

/// What all processes know of the blocks that they are to exchange, those from a rank to itself left out.
struct UnequalSizes {
  std::uint64_t largest_bytes;
  std::uint64_t total_bytes;
  std::uint64_t
      process_bytes;  ///< the largest sum of one process's blocks, sent or received, its own included

  bool operator==(const UnequalSizes&) const = default;
};

/// Who exchanges unequal blocks: our schedule, in which a step lasts as long as its largest block, or MPI_Alltoallv.
enum class UnequalWay : std::uint8_t { schedule, library };

/// The library where the largest block is above 4 times the mean of all p (p - 1), if it can count the bytes: below
/// 2^31 a process.
CUBEFOLD_API UnequalWay unequal_way(const UnequalSizes& sizes, std::size_t rank_count);

/// All-to-all of blocks of any sizes over virtual ranks, planned once and run as often as wanted. Memory: this rank's
/// part of the schedule; packed blocks for MPI_IN_PLACE and for types that are not dense.
class CUBEFOLD_API UnequalExchange {
 public:
  /// Collective, as make_exchanger(). Throws std::invalid_argument if the method passes blocks on.
  UnequalExchange(const VirtualComm& comm, std::shared_ptr<ExchangeSpace> space, const ExchangeSetup& setup);
  UnequalExchange(UnequalExchange&&) noexcept;
  UnequalExchange& operator=(UnequalExchange&&) noexcept;
  ~UnequalExchange();

  /// Collective; the meaning of MPI_Alltoallv on comm.virtual_comm(). First waits for all that is under way on the
  /// space, and agrees on the sizes in two small reductions at once. Throws std::invalid_argument, on the calling
  /// process and before any message, for counts below 0, null types, and if it has not for itself what it expects;
  /// under CUBEFOLD_CHECK on all processes, and also if any sends another what that one does not expect. Without, that
  /// is an Error as the bytes arrive.
  void run(const UnequalBuffers& buffers);

  /// Who did it the last time, with the sizes that decided it; or the rule, if there was no time yet. One line.
  std::string explain() const;

 private:
  void run_here(const UnequalBuffers& buffers);
  UnequalWay way(const UnequalSizes& sizes) const;
  std::string rule() const;
  void run_schedule(std::optional<TypedBlocks> sent, TypedBlocks received, const UnequalSizes& sizes);
  void run_library(const UnequalBuffers& buffers, const TypedBlocks& sent, const TypedBlocks& received);

  Exchanger exchanger_;
  std::unique_ptr<BoundExchange> bound_;
  std::optional<UnequalSizes> last_;
};

}  // namespace cubefold::mpi
