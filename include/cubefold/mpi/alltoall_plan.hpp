#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/comm_context.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/schedule/local_program.hpp"
#include "cubefold/schedule/pacing.hpp"
#include "cubefold/schedule/packing.hpp"
#include "cubefold/schedule/tokens.hpp"

namespace cubefold::mpi {

class BoundRequest;

/// A backend moves the blocks of a blocking exchange: either the messages of our schedule, or MPI's own collective,
/// MPI_Alltoall or MPI_Alltoallv. Non-blocking exchanges and packets always use the schedule.
enum class Backend : std::uint8_t { schedule, mpi };

/// Everything that decides how a plan exchanges blocks. All processes must choose the same.
struct AlltoallSetup {
  ExchangeMethod method = {};
  NetworkRules network = {};
  Backend backend = Backend::schedule;
  Pacing pacing = Pacing::data;
  StepTimes times = {};                   ///< for Pacing::clock
  std::size_t piece_bytes = 0;            ///< blocks travel in rounds of pieces of so many bytes; 0: whole
  std::size_t bytes_in_flight = 1 << 20;  ///< receives that are posted ahead of their step have no more bytes
  std::size_t steps_behind = 4;           ///< a step waits for the receives of so many steps before it

  bool operator==(const AlltoallSetup&) const = default;
};

/// Returns the setup of the plan's choice. Its steps are synchronised as the plan says, or as is forced.
CUBEFOLD_API AlltoallSetup setup_of(const ExchangePlan& plan, std::optional<Pacing> forced = {});

/// The arguments of MPI_Alltoall. MPI_IN_PLACE as `send` leaves send_count and send_type without meaning.
struct AlltoallBuffers {
  const void* send;
  int send_count;
  MPI_Datatype send_type;
  void* receive;
  int receive_count;
  MPI_Datatype receive_type;

  /// Returns the packed bytes of a block as it is received, or 0 for a negative count. Throws std::invalid_argument for
  /// a null type.
  CUBEFOLD_API std::size_t block_bytes() const;
};

/// The arguments of MPI_Alltoallv: a count and a displacement, in elements, for every virtual rank. MPI_IN_PLACE as
/// `send` leaves the other arguments of sending without meaning.
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

/// These sums over all blocks are the same on all processes. The first two leave out the blocks from a rank to itself.
struct UnequalSizes {
  std::uint64_t largest_bytes;
  std::uint64_t total_bytes;
  std::uint64_t process_bytes;  ///< the largest sum of all blocks that one process sends or receives

  bool operator==(const UnequalSizes&) const = default;
};

/// Returns Backend::mpi where the largest block is above 4 times the mean of all p (p - 1) blocks, as a step of a
/// schedule lasts as long as its largest block; but Backend::schedule where a process has 2^31 bytes or more, which
/// MPI_Alltoallv cannot count.
CUBEFOLD_API Backend unequal_backend(const UnequalSizes& sizes, std::size_t rank_count);

/// An exchange of given buffers that goes on while the caller does other things. It advances in every test() and wait()
/// of any exchange of its context, and in no thread. Its buffers belong to it while it is under way, and it keeps its
/// plan. It must be over before it is destroyed, or other processes wait for it.
class CUBEFOLD_API AlltoallRequest {
 public:
  /// Belongs to no exchange.
  AlltoallRequest();

  explicit AlltoallRequest(std::unique_ptr<BoundRequest> bound);
  AlltoallRequest(AlltoallRequest&&) noexcept;
  AlltoallRequest& operator=(AlltoallRequest&&) noexcept;
  ~AlltoallRequest();

  /// Collective; waits for nobody. Sends the data that the buffer has now. Throws std::invalid_argument, on this
  /// process, if the exchange is under way.
  void start();

  /// Returns whether the exchange is over; then what was received is there, and it may be started again. Throws
  /// std::invalid_argument if it was not started. Throws what has failed in it, which ends it too.
  bool test();

  /// Returns when it is over. Throws as test().
  void wait();

  bool is_running() const;

 private:
  BoundRequest& bound() const;

  std::unique_ptr<BoundRequest> bound_;
};

/// A plan of an all-to-all over virtual ranks on one process: its setup, this rank's part of the schedule, and memory
/// that blocking runs keep from one to the next. It is made once and run as often as wanted.
///
/// Memory: the rank's part of the schedule; scratch for blocks that are passed on and staging buffers for messages
/// (scratch_bytes()); p packed blocks for MPI_IN_PLACE, and p for each side whose type is not dense. Every request
/// takes such memory of its own.
///
/// All processes must call every function that exchanges, in the same order for all exchanges of a communication
/// context. A process that throws alone, because its arguments are refused or it has no memory, makes the others throw
/// too: CommContext says how. Blocks of any size travel in pieces whose messages are below 2^31 bytes. Under
/// CUBEFOLD_CHECK block sizes that differ between processes are found before any message, and all processes throw the
/// same std::invalid_argument.
class CUBEFOLD_API AlltoallPlan : public std::enable_shared_from_this<AlltoallPlan> {
 public:
  /// Collective: builds this rank's part of the method's schedule, or the whole schedule for Pacing::tokens. The
  /// context must count the ranks of comm.virtual_comm(), and nothing may be under way on it. Throws on all processes:
  /// std::invalid_argument if the method does not fit the grid or a message has 2^31 blocks, Error if one process has
  /// no memory. Costs one MPI_Allreduce besides the agreement.
  static std::shared_ptr<AlltoallPlan> make(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                                            const AlltoallSetup& setup);

  /// Collective: the same on a context of its own, for which the communicator is duplicated.
  static std::shared_ptr<AlltoallPlan> make(const VirtualComm& comm, const AlltoallSetup& setup);

  /// Collective: takes this rank's program of a schedule that no method builds. The method and the network of the setup
  /// have no meaning, and its steps must not be synchronised by tokens.
  static std::shared_ptr<AlltoallPlan> make(std::shared_ptr<CommContext> context, Rank rank,
                                            const LocalProgram& program, const AlltoallSetup& setup);

  AlltoallPlan(const AlltoallPlan&) = delete;
  AlltoallPlan& operator=(const AlltoallPlan&) = delete;
  ~AlltoallPlan();

  /// Collective; means what MPI_Alltoall means on comm.virtual_comm(): block j of `send` goes to virtual rank j and
  /// block i of `receive` comes from virtual rank i. Takes any datatypes of equal signature, MPI_IN_PLACE as `send`,
  /// and counts of 0. Throws std::invalid_argument, on the calling process and before any message, for a negative
  /// count, a null type and blocks of unequal size. Throws Error where MPI fails or another process sends another size.
  void run(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
           MPI_Datatype receive_type);
  void run(const AlltoallBuffers& buffers);

  /// Collective; means what MPI_Alltoallv means on comm.virtual_comm(). First waits for all that is under way on the
  /// context, and agrees on the sizes in two small reductions at once. Throws std::invalid_argument on all processes if
  /// the method passes blocks on, for counts below 0, for null types, and if a process has not for itself what it
  /// expects; under CUBEFOLD_CHECK also if one sends another what that one does not expect. Without CUBEFOLD_CHECK the
  /// latter is an Error as the bytes arrive.
  void run(const AlltoallvBuffers& buffers);

  /// Collective; begins the exchange and waits for nobody. Throws as run() for bad arguments. The types may be freed at
  /// once.
  AlltoallRequest start(const AlltoallBuffers& buffers) const;

  /// Collective; binds the buffers and takes memory for repeated use, but starts nothing. Throws as start().
  AlltoallRequest prepare(const AlltoallBuffers& buffers) const;

  /// Collective; exchanges blocks of block_bytes without buffers: call-backs make and take the packed blocks, one
  /// packet each, or several where the setup cuts blocks. What the process has for itself passes through both calls
  /// too. Calls must not use exchanges of the context. What a call throws ends the exchange here, and for those that
  /// wait for this process.
  void run_packets(std::size_t block_bytes, const PacketCalls& calls);

  /// Takes the memory that blocks of this size need where types are dense. Local; throws std::bad_alloc.
  void reserve(std::size_t block_bytes);

  /// Says in one line which backend exchanged unequal blocks the last time, with the sizes that decided it; or only the
  /// rule, if there was no such exchange yet.
  std::string explain_unequal() const;

  const AlltoallSetup& setup() const { return setup_; }
  const LocalProgram& program() const { return program_; }
  const TokenProgram& tokens() const { return tokens_; }
  Rank rank() const { return rank_; }
  CommContext& context() const { return *context_; }

  /// Returns the size of the pieces in which blocks of this size travel; 0 for blocks of 0 bytes.
  std::size_t piece_bytes(std::size_t block_bytes) const;

  /// Returns the size of the longest message that has to be packed.
  std::size_t staging_bytes(const ExchangeMemory& memory) const;

  /// Returns the bytes that a run needs outside the caller's buffers: for blocks that are passed on, and for staging.
  std::size_t scratch_bytes(const ExchangeMemory& memory) const;
  std::size_t scratch_bytes(std::size_t block_bytes) const {
    return scratch_bytes({nullptr, nullptr, block_bytes});
  }

 private:
  AlltoallPlan(std::shared_ptr<CommContext> context, Rank rank, LocalProgram program, TokenProgram tokens,
               AlltoallSetup setup);

  void agree_on_most_blocks();
  void run_here(const AlltoallBuffers& buffers);
  void run_here(const AlltoallvBuffers& buffers);
  bool run_dense_by_mpi(const AlltoallBuffers& buffers);
  void run_typed_by_mpi(const AlltoallBuffers& buffers);
  Backend backend_for(const UnequalSizes& sizes) const;

  std::shared_ptr<CommContext> context_;
  Rank rank_;
  AlltoallSetup setup_;
  LocalProgram program_;
  TokenProgram tokens_;
  std::size_t most_blocks_ = 0;  ///< in the longest message of any process
  std::unique_ptr<BoundRequest> blocking_;
  std::optional<UnequalSizes> last_unequal_;
};

}  // namespace cubefold::mpi
