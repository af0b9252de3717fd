#pragma once

#include <mpi.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alltoall_plan.hpp"
#include "alltoall_request.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "plan/exchange_tuning.hpp"
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

/// One way to exchange blocks of unequal sizes.
enum class UnequalWay : std::uint8_t {
  mpi,     ///< MPI_Alltoallv
  narrow,  ///< the steps for equal blocks; a process is at most 4 steps ahead of its first unfinished message
  wide,    ///< the same with 16 steps ahead, which suits short blocks and long queues
  by_size,  ///< every block at the time at which schedule_by_size() finds its links free
};

/// Everything that determines how blocks of unequal sizes are exchanged. It must be the same on all processes.
struct UnequalSetup {
  /// The method, which must not forward blocks, with its network, and the times that schedule_by_size() assumes.
  AlltoallSetup schedule = {};
  std::vector<UnequalWay> ways{UnequalWay::narrow};  ///< without measurements the last one is used
  std::size_t round_count =
      0;  ///< least number of rounds in which calls measure all ways; 0 if none is measured
};

/// The all-to-all of blocks of unequal sizes over virtual ranks.
///
/// Every call reduces the sizes of all processes in two small simultaneous reductions. Calls are of one class if the
/// bytes of the largest block have the same bit width, and the most bytes of one process too; each class has its own
/// measurements.
///
/// An exchange by size needs all p^2 sizes on every process, 4 bytes each. They are gathered when any of them has
/// changed since the last exchange by size. It is used for up to 128 ranks, for blocks below 2^31 bytes, and if the
/// sizes have at most a quarter of the bytes of a process. MPI_Alltoallv is used below 2^31 bytes of a process.
/// Where a way cannot be used, UnequalWay::narrow takes its place.
class CUBEFOLD_API UnequalAlltoall {
 public:
  /// Collective: makes the exchange. Throws as AlltoallPlan::make(), and std::invalid_argument on all processes if the
  /// method forwards blocks.
  static std::shared_ptr<UnequalAlltoall> make(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                                               UnequalSetup setup);

  /// Collective: performs MPI_Alltoallv between virtual ranks. It first completes all exchanges that are under way on
  /// the context. Throws std::invalid_argument on all processes for counts below 0, for null types, and if the block of
  /// a process for itself has different sizes on the two sides. With CUBEFOLD_CHECK it also throws
  /// std::invalid_argument on all processes if a process sends a size that the receiver does not expect. Without
  /// CUBEFOLD_CHECK this is an Error when the bytes arrive.
  void run(const AlltoallvBuffers& buffers);

  /// Returns whether the next call would be measured if its sizes were those of the last one. Does not communicate.
  bool is_measuring() const {
    return last_sizes_ && !measured_.at(class_of(*last_sizes_)).tuning.is_chosen();
  }

  /// Returns a line that says how blocks are exchanged, how they were the last time, and why. Does not communicate.
  std::string explain() const;

 private:
  /// The blocks that this process sends and receives.
  struct Sides {
    std::optional<TypedBlocks> sent;  ///< empty if blocks are exchanged in place
    TypedBlocks received;

    const TypedBlocks& outgoing() const { return sent ? *sent : received; }
  };

  /// The sizes of a call, without blocks from a rank to itself.
  struct Sizes {
    std::uint64_t largest_bytes;  ///< of one block
    std::uint64_t total_bytes;    ///< of all blocks
    std::uint64_t process_bytes;  ///< most bytes that one process sends or receives
    bool are_new;                 ///< whether any size differs from the last exchange by size
  };

  /// The class of a call, as the bit widths of process_bytes and largest_bytes.
  using SizeClass = std::pair<std::size_t, std::size_t>;

  /// The ways that calls of a class compare.
  struct Measured {
    std::vector<UnequalWay> ways;
    ExchangeTuning tuning;
  };

  UnequalAlltoall(const VirtualComm& comm, std::shared_ptr<CommContext> context, UnequalSetup setup);

  static SizeClass class_of(const Sizes& sizes) {
    return {std::bit_width(sizes.process_bytes), std::bit_width(sizes.largest_bytes)};
  }
  void run_here(const AlltoallvBuffers& buffers);
  Sides sides_of(const AlltoallvBuffers& buffers) const;
  Sizes own_sizes(const Sides& sides) const;
  Sizes agree_on_sizes(Sizes sizes, double& seconds, const std::optional<Failure>& failure) const;
  void require_matching(const Sides& sides) const;
  void settle(double seconds);
  bool allows(UnequalWay way, const SizeClass& size_class) const;
  std::vector<UnequalWay> ways_of(const SizeClass& size_class) const;
  UnequalWay next_way(const Sizes& sizes);
  void exchange(UnequalWay way, const AlltoallvBuffers& buffers, Sides sides, const Sizes& sizes);
  void run_by_mpi(const AlltoallvBuffers& buffers, const Sides& sides) const;
  std::shared_ptr<AlltoallPlan> plan_by_size(const Sides& sides);
  std::string name_of(UnequalWay way) const;
  std::string rule() const;

  Placement placement_;
  Rank rank_;
  std::shared_ptr<CommContext> context_;
  UnequalSetup setup_;
  std::map<UnequalWay, std::shared_ptr<AlltoallPlan>> plans_;
  std::unique_ptr<AlltoallRequest> request_;
  std::vector<std::uint32_t>
      sizes_by_size_;  ///< of the blocks that this process sent in the last exchange by size
  std::map<SizeClass, Measured> measured_;
  Measured* pending_ = nullptr;  ///< measurements that lack the time of the last call
  double pending_seconds_ =
      0;              ///< time of that call on this process, infinite if it failed; 0 if none is lacking
  double scale_ = 1;  ///< from the bytes of that call to the most bytes of its class
  std::optional<Sizes> last_sizes_;
  UnequalWay last_way_ = UnequalWay::narrow;
};

}  // namespace cubefold::mpi
