#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "alltoall_plan.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "request_set.hpp"
#include "schedule/packing.hpp"
#include "step_synchroniser.hpp"

namespace cubefold::mpi {

/// A pool of staging buffers of one size, for messages that have to be packed.
class BufferPool {
 public:
  /// The memory of all buffers, unless a single one is longer.
  static constexpr std::size_t most_bytes = 16 << 20;

  /// Returns the memory of a pool: that of 8 buffers, or of fewer if these exceed most_bytes, but of one at least.
  static std::size_t memory_bytes(std::size_t buffer_bytes) {
    return buffer_count(buffer_bytes) * buffer_bytes;
  }

  /// Requires `memory` of memory_bytes(buffer_bytes).
  BufferPool(std::byte* memory, std::size_t buffer_bytes) : free_count_(buffer_count(buffer_bytes)) {
    for (std::size_t i = 0; i < free_count_; ++i) free_[i] = memory + i * buffer_bytes;
  }

  bool has_free() const { return free_count_ > 0; }
  std::byte* take() { return free_[--free_count_]; }
  void give_back(std::byte* buffer) { free_[free_count_++] = buffer; }

 private:
  static std::size_t buffer_count(std::size_t buffer_bytes) {
    return std::clamp<std::size_t>(most_bytes / std::max<std::size_t>(buffer_bytes, 1), 1, most_buffers);
  }

  static constexpr std::size_t most_buffers = 8;

  std::array<std::byte*, most_buffers> free_{};
  std::size_t free_count_;
};

/// One round of a run. It performs every message of the local program once, with one piece of every block. It knows
/// steps and slots, but no algorithm.
class PiecePass {
 public:
  /// Requires `staging` of 2 * BufferPool::memory_bytes(buffer_bytes): one half for sends, one half for receives.
  PiecePass(const AlltoallPlan& plan, const PieceMemory& memory, std::byte* staging, std::size_t buffer_bytes,
            const TagRange& tags);

  /// Posts receives, starts the sends whose steps may begin, and ends the messages that are over. Returns whether
  /// anything happened. If nothing else did, polls MPI until a message is over, at most `most_polls` times.
  bool advance(StepSynchroniser& synchroniser, std::size_t round, unsigned most_polls);

  bool is_over() const { return sends_.all_over() && receives_.all_over(); }

  /// Returns the processes whose messages this process awaits before it can go on.
  std::vector<int> awaited() const;

  /// Returns the step of the first message that is not over. This process has ended all earlier steps.
  std::size_t first_open_step() const;

 private:
  struct Transfer {
    bool is_send;
    std::size_t index;
    std::size_t bytes;
    std::byte* staging;  ///< null if the message needs no packing
  };

  const LocalProgram& program() const { return plan_.program(); }
  bool can_receive() const;
  bool can_send() const;
  void begin_receive();
  void begin_send();
  void end(const Transfer& transfer, const MPI_Status& status);
  void end_receive(const Transfer& transfer, const MPI_Status& status);

  const AlltoallPlan& plan_;
  PieceMemory memory_;
  TagRange tags_;
  BufferPool send_staging_;
  BufferPool receive_staging_;
  MessageProgress sends_;
  MessageProgress receives_;
  std::size_t bytes_posted_ = 0;
  RequestSet<Transfer> requests_;
};

/// One run of a plan in progress.
class CUBEFOLD_API AlltoallRun : public Run {
 public:
  /// Starts the run. Requires scratch of plan.scratch_bytes(memory). All arguments must outlive the run. Throws
  /// std::invalid_argument if an element that is reduced is longer than a piece. With
  /// `compares_sizes` the processes first compare their block sizes. If these differ, the run ends with an
  /// AgreedArgument on all processes before any data are sent. The time of a run that succeeds is written to `seconds`
  /// unless that is null.
  AlltoallRun(const AlltoallPlan& plan, const ExchangeMemory& memory, const TagRange& tags,
              std::byte* scratch, bool compares_sizes, std::shared_ptr<double> seconds = nullptr);

  bool waits_for_messages_only() const override { return plan_.setup().sync == StepSync::data; }

  /// Returns whether any message of the run may have been sent.
  bool has_begun() const { return has_begun_; }

  Awaited awaited() const override;

 private:
  bool move(unsigned most_polls) override;
  bool has_compared_sizes();
  void begin_round(std::size_t number);
  void copy_own_blocks();
  void pass_own_packets(const PieceMemory& pieces);

  const AlltoallPlan& plan_;
  ExchangeMemory memory_;
  TagRange tags_;
  std::byte* scratch_;
  RunLength length_;
  StepSynchroniser synchroniser_;
  std::optional<Dissemination> sizes_;  ///< set until block sizes have been compared
  bool has_begun_ = false;
  std::size_t round_number_ = 0;
  std::optional<PiecePass> round_;
  std::shared_ptr<double> seconds_;
  double start_seconds_;
};

}  // namespace cubefold::mpi
