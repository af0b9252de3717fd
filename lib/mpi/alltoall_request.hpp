#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "alltoall_plan.hpp"
#include "alltoall_run.hpp"
#include "blocks.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "mpi_run.hpp"
#include "neighbours.hpp"
#include "vector_memory.hpp"

namespace cubefold::mpi {

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

  /// Binds the blocks of both sides, which must be valid. largest_bytes is the size of the longest block of all
  /// processes, or of this one if the setup has neither a clock nor forwards blocks: both ends of a message cut it into
  /// the same pieces then, because no process has shorter pieces than its longest block. Of unequal blocks of which at
  /// most a third of the ranks send or receive some, all messages are posted at once, in the order of the steps. The
  /// caller may free the datatypes and the arrays before the exchange is over if the request outlives them.
  void bind(const Sides& sides, std::size_t largest_bytes, bool outlives_arguments = false);

  /// Binds the vector of a call, which the plan's vector_steps() fit, or which MPI's own function performs if the
  /// plan has none. The caller may free what AlltoallPlan::prepare() says if the request outlives it.
  void bind(const VectorCall& call, bool outlives_arguments = false);

  /// Binds the blocks of neighbours in a valid call. The bytes are those of AlltoallPlan::run().
  void bind(const NeighbourCall& call, const std::vector<std::uint64_t>& edge_bytes,
            bool outlives_arguments = false);

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

  bool is_running() const { return under_way_ != nullptr; }
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

 private:
  void require_running() const;
  void make_run();
  void end_run();
  void finish();

  const AlltoallPlan* plan_;
  std::shared_ptr<const AlltoallPlan> owner_;
  std::shared_ptr<double> seconds_;  ///< null unless the next exchange is measured
  PackedBlocks sent_;
  PackedBlocks received_;
  ExchangeMemory memory_;
  bool compares_sizes_ = false;
  std::unique_ptr<RunMemory> own_ = std::make_unique<RunMemory>();
  std::optional<VectorMemory> vector_;         ///< set if a vector is bound
  std::optional<NeighbourMemory> neighbours_;  ///< set if blocks of neighbours are bound
  std::unique_ptr<MpiArguments> call_of_mpi_;  ///< set if MPI performs the call that is bound
  std::optional<AlltoallRun> run_;
  std::unique_ptr<MpiRun> mpi_run_;
  Run* under_way_ = nullptr;  ///< one of the two runs, or null
};

}  // namespace cubefold::mpi
