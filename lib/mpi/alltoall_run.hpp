#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "alltoall_plan.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "request_set.hpp"
#include "schedule/packing.hpp"

namespace cubefold::mpi {

/// A non-blocking dissemination barrier that can gather one number from every process. It takes ceil(log2 p) rounds. In
/// round k a process receives the numbers of up to 2^k processes from the process 2^k above it, modulo p, and sends as
/// many to the process 2^k below it. MPI_Ibarrier is not used, because it would require all processes to join the
/// barriers of several runs in the same order, and because a process cannot leave an MPI collective when another
/// process fails. Two processes exchange messages in one round only, so those of successive barriers match in order.
class CUBEFOLD_API Dissemination {
 public:
  /// Makes a barrier that gathers `number`, or no numbers.
  explicit Dissemination(const TagRange& tags, std::optional<std::uint64_t> number = {});
  Dissemination(const Dissemination&) = delete;
  Dissemination& operator=(const Dissemination&) = delete;
  ~Dissemination();

  /// Does all work that is possible without waiting, and returns whether there was any. The first call joins.
  bool advance();

  bool is_passed() const { return known_ >= size_; }

  /// Returns the processes whose messages of the present round are under way.
  std::vector<int> awaited() const { return messages_.under_way(); }

  int process_count() const { return size_; }

  /// Returns the number that the process `rank` gave. Requires that the barrier is passed.
  std::uint64_t number_of(int rank) const {
    return (*numbers_)[static_cast<std::size_t>((rank - rank_ + size_) % size_)];
  }

 private:
  void begin_round();

  TagRange tags_;
  int rank_ = 0;
  int size_ = 0;
  int known_ = 0;  ///< number of processes that are known to have joined
  /// The numbers of this process and those above it, modulo p; null if processes give none.
  std::unique_ptr<std::vector<std::uint64_t>> numbers_;
  RequestSet<int> messages_;  ///< each with the other process
};

/// The pieces in which the blocks of a run travel, each in one round of the plan's steps, and the memory that the run
/// needs besides the caller's buffers.
struct CUBEFOLD_API RunSizes {
  /// Throws std::invalid_argument if an element that is reduced is longer than a piece.
  RunSizes(const AlltoallPlan& plan, const ExchangeMemory& memory);

  std::size_t block_bytes;
  std::size_t piece_bytes;  ///< 0 for blocks of 0 bytes
  std::size_t round_count;
  std::size_t staging_bytes;  ///< of the longest message that is packed; of several blocks at most 16 MiB
  std::size_t scratch_bytes;  ///< for blocks that are forwarded, and for the staging of sends and of receives
};

/// Decides when the steps of a run may begin: at once, or at their times after a barrier.
class CUBEFOLD_API StepSynchroniser {
 public:
  StepSynchroniser(const AlltoallPlan& plan, const RunSizes& sizes, const TagRange& tags);

  /// Advances the barrier. Returns whether anything happened.
  bool advance();

  bool may_begin(std::size_t round, std::size_t step);

  /// Records that the step begins now. If it is late by more than its own length, all later steps are delayed as well.
  void note_begin(std::size_t round, std::size_t step);

  /// Returns the processes for which this one waits in the barrier.
  std::vector<int> awaited() const { return barrier_ ? barrier_->awaited() : std::vector<int>(); }

  /// Returns whether no other process needs this one for the barrier any more.
  bool is_over() const { return !barrier_ || slots_; }

 private:
  using Clock = std::chrono::steady_clock;

  const AlltoallSetup& setup_;
  RunSizes sizes_;
  std::optional<Dissemination> barrier_;  ///< set if the steps begin at their times
  std::optional<StepSlots>
      slots_;  ///< times of the steps; set when the barrier is passed and the clock starts
  Clock::time_point start_;
};

/// Counts the messages of one direction, which begin in order and end in any order.
class MessageProgress {
 public:
  explicit MessageProgress(std::size_t count) : is_over_(count) {}

  std::size_t count() const { return is_over_.size(); }
  std::size_t begun() const { return begun_; }
  bool all_begun() const { return begun_ == count(); }
  bool all_over() const { return over_ == count(); }

  /// Returns the number of messages before the first one that is not over.
  std::size_t over() const { return over_; }

  /// Begins the next message and returns its index.
  std::size_t begin() { return begun_++; }

  void end(std::size_t index) {
    is_over_[index] = true;
    while (over_ < count() && is_over_[over_]) ++over_;
  }

 private:
  std::size_t begun_ = 0;
  std::size_t over_ = 0;
  std::vector<char> is_over_;
};

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
  /// With `is_posted_at_once`, the window of the setup and its bytes in flight have no effect.
  PiecePass(const AlltoallSetup& setup, const LocalProgram& program, const PieceMemory& memory,
            bool is_posted_at_once, std::byte* staging, std::size_t buffer_bytes, const TagRange& tags);

  /// Posts receives, starts the sends whose steps may begin, and ends the messages that are over. Returns whether
  /// anything happened. If nothing else did, polls MPI until a message is over, at most `most_polls` times.
  bool advance(StepSynchroniser& synchroniser, std::size_t round, unsigned most_polls);

  bool is_over() const { return sends_.all_over() && receives_.all_over(); }

  /// Returns the processes whose messages this process awaits before it can go on.
  std::vector<int> awaited() const;

  /// Returns the bytes that this round has copied to and from staging buffers so far.
  std::size_t copied_bytes() const { return copied_bytes_; }

  /// Returns the step of the first message that is not over. This process has ended all earlier steps.
  std::size_t first_open_step() const;

 private:
  struct Transfer {
    bool is_send;
    std::size_t index;
    std::size_t bytes;
    std::byte* staging;  ///< null if the message needs no packing
  };

  bool can_receive() const;
  bool can_send() const;
  void begin_receive();
  void begin_send();
  void end(const Transfer& transfer, const MPI_Status& status);
  void end_receive(const Transfer& transfer, const MPI_Status& status);

  const AlltoallSetup& setup_;
  const LocalProgram& program_;
  PieceMemory memory_;
  bool is_posted_at_once_;
  TagRange tags_;
  BufferPool send_staging_;
  BufferPool receive_staging_;
  MessageProgress sends_;
  MessageProgress receives_;
  std::size_t bytes_posted_ = 0;
  std::size_t copied_bytes_ = 0;
  RequestSet<Transfer> requests_;
};

/// One run of a plan in progress.
class CUBEFOLD_API AlltoallRun : public Run {
 public:
  /// Starts the run. Requires the scratch of RunSizes. All arguments must outlive the run. Throws as RunSizes. With
  /// `compares_sizes` the processes first compare their block sizes. If these differ, the run ends with an
  /// AgreedArgument on all processes before any data are sent. The time of a run that succeeds is written to `seconds`
  /// unless that is null.
  AlltoallRun(const AlltoallPlan& plan, const ExchangeMemory& memory, const TagRange& tags,
              std::byte* scratch, bool compares_sizes, std::shared_ptr<double> seconds = nullptr);

  bool waits_for_messages_only() const override { return plan_.setup().sync == StepSync::data; }

  /// Returns whether any message of the run may have been sent.
  bool has_begun() const { return has_begun_; }

  Awaited awaited() const override;

  /// Returns the bytes that this process has copied in the rounds that are over: own blocks, and messages that were
  /// packed or unpacked. Blocks that call-backs produce and consume count as packed and unpacked.
  std::size_t copied_bytes() const { return copied_bytes_; }

 private:
  bool move(unsigned most_polls) override;
  bool has_compared_sizes();
  void begin_round(std::size_t number);
  void copy_own_blocks();
  void pass_own_packets(const PieceMemory& pieces);

  const AlltoallPlan& plan_;
  ExchangeMemory memory_;
  const LocalProgram& program_;
  TagRange tags_;
  std::byte* scratch_;
  RunSizes sizes_;
  StepSynchroniser synchroniser_;
  std::optional<Dissemination> block_sizes_;  ///< set until block sizes have been compared
  bool has_begun_ = false;
  std::size_t round_number_ = 0;
  std::size_t copied_bytes_ = 0;
  std::optional<PiecePass> round_;
  std::shared_ptr<double> seconds_;
  double start_seconds_;
};

}  // namespace cubefold::mpi
