#pragma once

#include <memory>
#include <utility>

#include "blocks.hpp"
#include "comm_context.hpp"
#include "plan/alltoall_choice.hpp"

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
  /// under way, so the context keeps the memory.
  template <typename Exchange>
  void run(CommContext& context, Exchange exchange) {
    sent_.pack(context.comm());
    try {
      exchange();
    } catch (...) {
      memory_->packed = sent_.release();
      memory_->packed_received = received_.release();
      context.retain_memory(std::move(memory_));
      throw;
    }
    received_.unpack(context.comm());
  }

 private:
  PackedBlocks sent_;
  PackedBlocks received_;
  std::unique_ptr<RunMemory> memory_ = std::make_unique<RunMemory>();
};

}  // namespace cubefold::mpi
