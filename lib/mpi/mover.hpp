#pragma once

#include <memory>
#include <utility>

#include "blocks.hpp"
#include "comm_context.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "node_groups.hpp"
#include "plan/alltoall_candidate.hpp"

namespace cubefold::mpi {

/// A mover exchanges the blocks of a blocking call: by MPI's own collective function, or by messages between nodes or
/// slots. The steps of a schedule, which also move blocks of requests and packets, are an AlltoallPlan.
class Mover {
 public:
  Mover() = default;
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;
  virtual ~Mover() = default;

  /// Returns whether run() needs memory for such blocks that reserve() has not taken yet. Does not communicate.
  virtual bool needs_memory(const Sides& /*sides*/) const { return false; }

  /// Collective: takes the memory for these blocks. Throws on all processes.
  virtual void reserve(const Sides& /*sides*/) {}

  /// Collective: completes the exchanges that are under way, and exchanges the blocks of valid sides. The sizes are
  /// those of all processes, and are not compared. Blocks of unequal sizes need reserve() before, if any process
  /// needs_memory().
  virtual void run(const Sides& sides, const ExchangeSizes& sizes) = 0;
};

/// The blocks of both sides of an exchange, packed where they need it.
class PackedSides {
 public:
  /// Sets the blocks of valid sides. With `are_copied` all blocks are packed. Throws std::bad_alloc.
  void set(const Sides& sides, bool are_copied = false) {
    if (!memory_) memory_ = std::make_unique<RunMemory>();  // after a failure
    received_.set(sides.received, {.is_copied = are_copied});
    sent_.set(sides.outgoing(), {.is_copied = are_copied || sides.sent.are_in_place()});
  }

  void reserve(const Sides& sides) {
    received_.reserve(sides.received, false);
    sent_.reserve(sides.outgoing(), sides.sent.are_in_place());
  }

  /// Frees the packed copies.
  void release() {
    sent_.release();
    received_.release();
  }

  PackedBlocks& sent() { return sent_; }
  PackedBlocks& received() { return received_; }

  /// Packs the blocks, calls exchange(), and unpacks what has arrived. If exchange() throws, its messages may still be
  /// under way, so the memory is leaked.
  template <typename Exchange>
  void run(CommContext& context, Exchange exchange) {
    sent_.pack(context.comm());
    try {
      exchange();
    } catch (...) {
      memory_->packed = sent_.release();
      memory_->packed_received = received_.release();
      leak_to_mpi(std::move(memory_));
      throw;
    }
    received_.unpack(context.comm());
  }

 private:
  PackedBlocks sent_;
  PackedBlocks received_;
  std::unique_ptr<RunMemory> memory_ = std::make_unique<RunMemory>();
};

/// Returns a mover by MPI_Alltoall, MPI_Alltoallv or MPI_Alltoallw. The first two get bytes: Open MPI 4.1.4 handles
/// some datatypes, and some pairs of different ones, incorrectly. Their blocks and, where they are unequal, all blocks
/// of a process must be below 2^31 bytes.
std::unique_ptr<Mover> make_mpi_mover(std::shared_ptr<CommContext> context);

/// Returns a mover of unequal blocks that sends each at the time at which schedule_by_size() finds its links free, in
/// the network and with the times of the setup. All processes need all p^2 sizes, 4 bytes each, so blocks must be below
/// 2^31 bytes. The sizes are gathered when any of them has changed since the last exchange.
std::unique_ptr<Mover> make_size_mover(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                                       AlltoallSetup setup);

/// Collective on the groups' context: returns a mover that sends the blocks from all ranks of one node to another node
/// as one message. All ranks of a node write their blocks into its shared memory, the leader exchanges them with the
/// other leaders by `between`, and all ranks read theirs. Blocks that stay on a node pass through its memory alone. If
/// the blocks of a node do not fit into the memory, each block travels in pieces, which are as long as the fullest node
/// allows. One thread at a time runs an exchange of the groups. Throws std::invalid_argument on all processes if the
/// method forwards blocks and nodes have different numbers of ranks, and as AlltoallPlan::make(); reserve() throws it
/// if the method forwards blocks and these are unequal. run() throws Error on the receiving process if a process of its
/// node sends a block of another size, or if the blocks from another node have another size in all; then, and if
/// another process fails meanwhile, the other processes throw too.
std::unique_ptr<Mover> make_node_mover(std::shared_ptr<NodeGroups> groups, const AlltoallSetup& between);

/// Collective on the groups' context: returns a mover that sends the blocks of every rank of a node for another node as
/// one message to the rank there that has its slot, where the processes of every slot use `between`. Messages arrive in
/// the shared memory of the node, where all ranks read theirs. A node has as many start-ups as ranks for each other
/// node, but no single process moves all of its data. Blocks, which must be equal, travel in pieces that fit into the
/// shared memory. One thread at a time runs an exchange of the groups. Throws std::invalid_argument on all processes if
/// groups have different numbers of ranks, and as AlltoallPlan::make().
std::unique_ptr<Mover> make_slot_mover(std::shared_ptr<NodeGroups> groups, const AlltoallSetup& between);

}  // namespace cubefold::mpi
