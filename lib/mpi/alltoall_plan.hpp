#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "blocks.hpp"
#include "collective/reduction.hpp"
#include "comm_context.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "plan/alltoall_candidate.hpp"
#include "schedule/local_program.hpp"
#include "schedule/packing.hpp"
#include "vector_call.hpp"

namespace cubefold::mpi {

class AlltoallRequest;
class NeighbourCall;
class Mover;
class NodeGroups;
struct NeighbourSlots;

/// The plan of an all-to-all over virtual ranks on one process: its setup, this rank's part of the schedule, and memory
/// that blocking runs reuse. It is made once and run as often as wanted.
///
/// The plan holds the rank's part of the schedule. A run needs scratch for blocks that are forwarded and staging
/// buffers for messages (RunSizes), p packed blocks for MPI_IN_PLACE, and p packed blocks for each side whose
/// type is not dense. Every request has its own memory for runs.
///
/// All processes must call every function that exchanges, in the same order for all exchanges of a communication
/// context. If one process throws alone, because of an invalid argument or a lack of memory, the others throw too (see
/// CommContext). Blocks of any size travel in pieces whose messages are below 2^31 bytes. With CUBEFOLD_CHECK,
/// processes compare their block sizes before any message. If these differ, all processes throw the same
/// std::invalid_argument.
class CUBEFOLD_API AlltoallPlan : public std::enable_shared_from_this<AlltoallPlan> {
 public:
  /// Collective: makes a plan with this rank's part of the method's schedule. The ranks of the context must be those of
  /// comm.virtual_comm(), and no exchange may be under way on it. Throws on all processes: std::invalid_argument if the
  /// method does not fit the grid or a message has 2^31 blocks, Error if one process has no memory. Backend::nodes and
  /// Backend::slots need `groups` on the same context. Costs one MPI_Allreduce besides the agreement.
  static std::shared_ptr<AlltoallPlan> make(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                                            const AlltoallSetup& setup,
                                            const std::shared_ptr<NodeGroups>& groups = nullptr);

  /// Collective: makes a plan on a new context with a duplicate of comm.virtual_comm().
  static std::shared_ptr<AlltoallPlan> make(const VirtualComm& comm, const AlltoallSetup& setup);

  /// Collective: makes a plan from this rank's program of a schedule that no method builds. The method, the network and
  /// single_block_bytes of the setup are ignored. If the schedule is one of vector_parts(), `vector_steps` tells
  /// which one, and the program has ScratchSlots::of_one_chunk. If it exchanges blocks of neighbours, `neighbours`
  /// tells where these are.
  static std::shared_ptr<AlltoallPlan> make(std::shared_ptr<CommContext> context, Rank rank,
                                            const LocalProgram& program, const AlltoallSetup& setup,
                                            std::optional<VectorSteps> vector_steps = std::nullopt,
                                            std::shared_ptr<const NeighbourSlots> neighbours = nullptr);

  AlltoallPlan(const AlltoallPlan&) = delete;
  AlltoallPlan& operator=(const AlltoallPlan&) = delete;
  ~AlltoallPlan();

  /// Collective: performs MPI_Alltoall between virtual ranks: block j of `send` goes to virtual rank j, and block i of
  /// `receive` comes from virtual rank i. Takes any datatypes of equal signature, MPI_IN_PLACE as `send`, and counts of
  /// 0. Throws std::invalid_argument, on the calling process and before any message, for a negative count, a null type
  /// and blocks of unequal size. Throws Error if MPI fails or another process sends blocks of another size.
  void run(Sides sides);

  /// Collective: does this or performs MPI_Alltoallv or MPI_Alltoallw for valid sides. The sizes are those of all
  /// processes; for MPI_Alltoallw, and if the setup is steps without a clock, those of this process are enough. Throws
  /// std::invalid_argument if the method forwards blocks of unequal sizes. If needs_memory() is true on any process,
  /// all must call reserve() before.
  void run(const Sides& sides, const ExchangeSizes& sizes);

  /// Collective: reduces or gathers the vector of a call, by the plan's vector_steps(), which must fit the call, or
  /// by MPI's own function if it has none.
  void run(const VectorCall& call);

  /// Collective: exchanges the blocks of neighbours in a valid call. Requires neighbours(). The bytes are those of the
  /// slots of NeighbourSlots, the same on all processes.
  void run(const NeighbourCall& call, const std::vector<std::uint64_t>& edge_bytes);

  /// Lets blocking runs call look() when nothing happens. If it throws, the run ends with that exception.
  void look_while_waiting(std::function<void()> look) { look_ = std::move(look); }

  /// Returns whether the method forwards blocks, which need one size then.
  bool forwards_blocks() const { return program_.scratch_slots > 0; }

  /// Returns whether an exchange of such blocks needs memory that reserve() has not taken yet. Does not communicate.
  bool needs_memory(const Sides& sides) const;

  /// Collective: takes the memory for such blocks. Throws on all processes.
  void reserve(const Sides& sides);

  /// Collective: starts an exchange and does not wait for other processes. Throws as run() for invalid arguments. The
  /// caller may free the types and arrays at once.
  std::unique_ptr<AlltoallRequest> start(Sides sides) const;

  /// Collective: binds buffers to a request and takes memory for repeated use, but does not start the exchange. Throws
  /// as start().
  std::unique_ptr<AlltoallRequest> prepare(Sides sides) const;

  /// Collective: does this for a call that reduces or gathers a vector. The caller may free the arrays at once, and the
  /// types if the call gathers. Types and operations of a reduction must exist until the request is freed.
  std::unique_ptr<AlltoallRequest> prepare(const VectorCall& call) const;

  /// Collective: does this for a call of neighbours, as run() exchanges its blocks. The caller may free the arrays and
  /// the types at once.
  std::unique_ptr<AlltoallRequest> prepare(const NeighbourCall& call,
                                           const std::vector<std::uint64_t>& edge_bytes) const;

  /// Collective: exchanges blocks of block_bytes without buffers. Call-backs produce and consume the packed blocks,
  /// each as one packet, or as several if the setup cuts blocks into pieces. The process's own block passes through
  /// both call-backs too. They must not use exchanges of the context. If a call-back throws, the exchange ends on this
  /// process and on those that wait for it.
  void run_packets(std::size_t block_bytes, const PacketCalls& calls);

  /// Takes the memory that runs with blocks of this size need: with these call-backs, or with dense types if `calls` is
  /// null. Does not communicate. Throws std::bad_alloc.
  void reserve(std::size_t block_bytes, const PacketCalls* calls);

  const AlltoallSetup& setup() const { return setup_; }
  const LocalProgram& program() const { return program_; }

  /// Returns the steps by which vectors are reduced or gathered, if the plan is for them.
  const std::optional<VectorSteps>& vector_steps() const { return vector_steps_; }

  /// Returns where the blocks of neighbours are in the slots of the program, or null if the plan is not for them.
  const std::shared_ptr<const NeighbourSlots>& neighbours() const { return neighbours_; }

  /// Returns the method of the steps as text.
  std::string method_text() const {
    if (neighbours_) return "neighbours";
    return vector_steps_ ? to_string(vector_steps_->method) : to_string(setup_.method);
  }

  /// Returns whether such blocks travel in messages of their own: those of AlltoallSetup::single_block_bytes and more,
  /// if they have one size and are in buffers.
  bool sends_single_blocks(const ExchangeMemory& memory) const;

  /// Returns the program by which such blocks travel: program(), or that of in_single_blocks().
  const LocalProgram& program(const ExchangeMemory& memory) const;
  Rank rank() const { return rank_; }
  CommContext& context() const { return *context_; }

  /// The number of blocks in the longest message.
  struct MostBlocks {
    std::size_t if_called;  ///< that this process has to pack if call-backs produce and consume blocks
    std::size_t if_joined;  ///< that it has to pack if blocks of consecutive slots are consecutive in memory
    std::size_t if_apart;   ///< that it has to pack otherwise
    std::size_t anywhere = 0;  ///< of any process
  };
  const MostBlocks& most_blocks() const { return most_blocks_; }

 private:
  AlltoallPlan(std::shared_ptr<CommContext> context, Rank rank, LocalProgram program, AlltoallSetup setup,
               std::optional<LocalProgram> single_blocks);

  void agree_on_most_blocks();
  void require_no_forwarding() const;
  void exchange(const Sides& sides, const ExchangeSizes& sizes);
  void complete_bound();
  bool can_use_mover(const Sides& sides, const ExchangeSizes& sizes) const;

  std::shared_ptr<CommContext> context_;
  Rank rank_;
  AlltoallSetup setup_;
  LocalProgram program_;
  std::optional<LocalProgram> single_blocks_;  ///< program of blocks that travel in messages of their own
  std::optional<VectorSteps> vector_steps_;
  std::shared_ptr<const NeighbourSlots> neighbours_;
  MostBlocks most_blocks_;
  std::unique_ptr<AlltoallRequest> blocking_;
  std::function<void()> look_;
  std::unique_ptr<Mover> mover_;  ///< null for Backend::schedule
};

}  // namespace cubefold::mpi
