#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "block_buffer.hpp"
#include "cubefold/mpi/exchanger.hpp"
#include "exchange_run.hpp"

namespace cubefold::mpi {

/// Memory of a run that MPI may send from.
struct RunMemory {
  std::vector<std::byte> scratch;
  std::vector<std::byte> packed;
  std::unique_ptr<RunMemory> next;  ///< of a list that is kept
};

/// One exchange of given data, run as often as wanted. The scratch is taken before anything is sent and then kept.
class BoundExchange {
 public:
  explicit BoundExchange(Exchanger exchanger) : exchanger_(std::move(exchanger)) {}
  BoundExchange(const BoundExchange&) = delete;
  BoundExchange& operator=(const BoundExchange&) = delete;
  ~BoundExchange();

  /// Blocks of one size; `sent` has nothing if they are exchanged in place.
  void bind(std::optional<TypedBlocks> sent, TypedBlocks received);

  /// Blocks of any sizes, the longest of all processes with largest_bytes.
  void bind_unequal(std::optional<TypedBlocks> sent, TypedBlocks received, std::size_t largest_bytes);

  /// Blocks of one size that calls make and take; they live as long as the exchange.
  void bind(const PacketCalls& calls, std::size_t block_bytes);

  /// Takes scratch for blocks of this size in dense memory.
  void reserve(std::size_t block_bytes);

  /// Packs and begins, as the next exchange of the space. Throws std::invalid_argument if it is under way.
  void start();

  /// Of one of the blocks that are bound, or of the longest.
  std::size_t block_bytes() const { return memory_.block_bytes; }

  /// The same from beginning to end by MPI_Alltoall, whose blocks are below 2^31 bytes.
  void run_library();

  bool is_running() const { return run_.has_value(); }
  ExchangeSpace& space() const { return *exchanger_.space; }

  /// Whether it is over, in memory too; then it can be started anew. Throws std::invalid_argument if it has not been
  /// started, and what has failed.
  bool test();
  void wait();

 private:
  void set_buffers(std::optional<TypedBlocks> sent, TypedBlocks received);
  void require_running() const;
  void finish();
  void keep_memory() noexcept;

  Exchanger exchanger_;
  BlockBuffer sent_;
  BlockBuffer received_;
  ExchangeMemory memory_;
  SizeCheck size_check_ = SizeCheck::none;
  std::unique_ptr<RunMemory> own_ = std::make_unique<RunMemory>();
  std::optional<ExchangeRun> run_;
};

}  // namespace cubefold::mpi
