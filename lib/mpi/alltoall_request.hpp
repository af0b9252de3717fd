#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "alltoall_plan.hpp"
#include "alltoall_run.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "typed_blocks.hpp"

namespace cubefold::mpi {

/// The place of the blocks of a run: the caller's buffer, or a packed copy.
enum class BufferMode : std::uint8_t { direct, packed };

/// The blocks of one side of a run. Memory for a packed copy is kept for the next blocks.
class BlockBuffer {
 public:
  /// Sets the blocks, and takes memory for a packed copy if the mode or the type needs one.
  void set(TypedBlocks blocks, BufferMode mode);

  /// Takes the memory that set() and table() need for these blocks.
  void reserve(const TypedBlocks& blocks, BufferMode mode);

  const TypedBlocks& blocks() const { return blocks_; }
  std::byte* memory();

  /// Returns the offset of each block from memory(), and its size, in bytes.
  const BlockTable& table();

  /// Returns the memory of the packed copy and gives up its ownership.
  std::vector<std::byte> release() { return std::exchange(packed_, {}); }

  /// These do nothing if there is no packed copy.
  void pack(MPI_Comm comm);
  void unpack(MPI_Comm comm) const;

 private:
  TypedBlocks blocks_;
  bool is_packed_ = false;
  std::vector<std::byte> packed_;
  std::vector<std::size_t> offsets_;
  std::vector<std::size_t> sizes_;
  BlockTable table_;
};

/// A plan that is bound to the data that it exchanges, and that runs as often as wanted. It makes progress in every
/// test() and wait() of any exchange of its context; there is no progress thread. The caller must not access the
/// buffers while the exchange is under way. The exchange must be over before the request is destroyed, or other
/// processes wait for it. Scratch memory is taken before anything is sent, and then kept.
class CUBEFOLD_API AlltoallRequest {
 public:
  /// The plan must outlive the request. If `owner` is given, the request itself keeps the plan alive.
  explicit AlltoallRequest(const AlltoallPlan& plan, std::shared_ptr<const AlltoallPlan> owner = {});
  AlltoallRequest(const AlltoallRequest&) = delete;
  AlltoallRequest& operator=(const AlltoallRequest&) = delete;
  ~AlltoallRequest();

  /// Binds the buffers of an exchange of blocks of one size.
  void bind(const AlltoallBuffers& buffers);

  /// Binds blocks of any sizes. largest_bytes is the size of the longest block of all processes. Without `sent`, blocks
  /// are exchanged in place.
  void bind(std::optional<TypedBlocks> sent, TypedBlocks received, std::size_t largest_bytes);

  /// Binds call-backs that produce and consume blocks of one size. They must outlive the request.
  void bind(const PacketCalls& calls, std::size_t block_bytes);

  /// Takes scratch for exchanges of these blocks, or of those that are bound.
  void reserve(const ExchangeMemory& memory);
  void reserve() { reserve(memory_); }

  /// Lets the next start() use another plan on the same context and ranks. If `seconds` is given, the time from that
  /// start to the end of the exchange is written to it. Requires that the exchange is not under way.
  void use(std::shared_ptr<const AlltoallPlan> plan, std::shared_ptr<double> seconds);

  /// Collective: starts the exchange with the present data of the send buffer, and does not wait for other processes.
  /// Throws std::invalid_argument on this process if the exchange is under way.
  void start();

  bool is_running() const { return run_.has_value(); }
  CommContext& context() const { return plan_->context(); }

  /// Returns whether the exchange is over. If it is, the receive buffer is complete and the exchange may be started
  /// again. Throws std::invalid_argument if the exchange was not started. If the exchange has failed, throws its
  /// failure and ends it.
  bool test();

  /// Returns whether the exchange is over, and leaves its end to test() or wait(). Throws std::invalid_argument if the
  /// exchange was not started.
  bool has_ended();

  /// Returns when the exchange is over, and calls look(), if that is given, when nothing happens. Throws as test(), or
  /// what look() throws; the exchange is then still under way.
  void wait(const std::function<void()>& look = {});

  /// Completes the exchanges that are under way, and then runs exchange(send, receive, block_bytes) on the packed form
  /// of the bound buffers.
  template <typename Exchange>
  void run_packed(Exchange exchange) {
    context().drain();
    context().meet();
    if (!own_) own_ = std::make_unique<RunMemory>();  // after keep_memory()
    sent_.pack(context().comm());
    try {
      exchange(static_cast<const std::byte*>(sent_.memory()), received_.memory(), memory_.block_bytes);
    } catch (...) {
      // Messages of the exchange may still be under way.
      own_->packed_received = received_.release();
      keep_memory();
      throw;
    }
    received_.unpack(context().comm());
  }

 private:
  void start_here();
  void set_buffers(std::optional<TypedBlocks> sent, TypedBlocks received);
  void require_running() const;
  void finish();
  void keep_memory() noexcept;

  const AlltoallPlan* plan_;
  std::shared_ptr<const AlltoallPlan> owner_;
  std::shared_ptr<double> seconds_;  ///< null unless the next exchange is measured
  BlockBuffer sent_;
  BlockBuffer received_;
  ExchangeMemory memory_;
  bool compares_sizes_ = false;
  std::unique_ptr<RunMemory> own_ = std::make_unique<RunMemory>();
  std::optional<AlltoallRun> run_;
};

}  // namespace cubefold::mpi
