#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "cubefold/mpi/alltoall_plan.hpp"
#include "cubefold/schedule/packing.hpp"
#include "request_set.hpp"
#include "step_sync.hpp"

namespace cubefold::mpi {

/// Staging buffers of one size, for messages that have to be packed.
class BufferPool {
 public:
  static constexpr std::size_t buffer_count = 8;

  /// `memory` has buffer_count * buffer_bytes.
  BufferPool(std::byte* memory, std::size_t buffer_bytes) {
    for (std::size_t i = 0; i < buffer_count; ++i) free_.push_back(memory + i * buffer_bytes);
  }

  bool has_free() const { return !free_.empty(); }
  std::byte* take() {
    std::byte* buffer = free_.back();
    free_.pop_back();
    return buffer;
  }
  void give_back(std::byte* buffer) { free_.push_back(buffer); }

 private:
  std::vector<std::byte*> free_;
};

/// One round of a run: every message of the local program once, with one piece of every block. It knows steps and slots
/// and no algorithm.
class Round {
 public:
  /// `staging` has twice the staging bytes that the plan needs for this memory: one half for sends, one for receives.
  Round(const AlltoallPlan& plan, const RoundMemory& memory, std::byte* staging, std::size_t buffer_bytes,
        const TagRange& tags);

  /// Posts receives, begins at most one send if its step may begin, and ends what is over; returns whether anything
  /// happened.
  bool advance(StepSynchroniser& synchroniser, std::size_t round);

  bool is_over() const {
    return sends_.all_over() && receives_.all_over() && (!tokens_ || tokens_->is_over());
  }

  /// The step of the first message that is not over: this process has ended all steps before it.
  std::size_t first_open_step() const;

 private:
  struct Part {
    bool is_send;
    std::size_t index;
    std::size_t bytes;
    std::byte* staging;  ///< null if the message needs no packing
  };

  const LocalProgram& program() const { return plan_.program(); }
  bool can_receive() const;
  bool can_send() const;
  bool travels(std::size_t bytes) const { return bytes > 0 || tokens_; }
  void begin_receive();
  void begin_send();
  void end(const Part& part, const MPI_Status& status);
  void end_receive(const Part& part, const MPI_Status& status);

  const AlltoallPlan& plan_;
  RoundMemory memory_;
  TagRange tags_;
  BufferPool send_staging_;
  BufferPool receive_staging_;
  MessageProgress sends_;
  MessageProgress receives_;
  std::optional<TokenTraffic> tokens_;
  std::size_t bytes_posted_ = 0;
  RequestSet<Part> requests_;
};

/// One run of a plan in progress. It moves only inside advance(), and never waits there.
class AlltoallRun {
 public:
  /// Begins. The scratch has plan.scratch_bytes(memory), and everything given lives until the run is over. With
  /// `compares_sizes` the run ends with one AgreedArgument on all processes, before any data are sent, if block sizes
  /// differ.
  AlltoallRun(const AlltoallPlan& plan, const ExchangeMemory& memory, const TagRange& tags,
              std::byte* scratch, bool compares_sizes);

  /// The number of the run among those of its communication context.
  std::uint64_t number() const { return tags_.number; }

  /// Returns whether this thread may advance the run. Call-backs belong to the thread that began the run, so no other
  /// thread may call them.
  bool belongs_to_this_thread() const {
    return memory_.calls == nullptr || thread_ == std::this_thread::get_id();
  }

  /// Does what can be done now, and returns whether that was anything. A failure ends the run and is kept.
  bool advance();

  /// Returns whether any of its messages may have left.
  bool has_begun() const { return has_begun_; }

  bool is_over() const { return is_over_; }

  /// Ends the run by a failure.
  void end_with(std::exception_ptr failure) noexcept;

  /// Returns what has failed, or null.
  std::exception_ptr failure() const { return failure_; }

 private:
  bool has_compared_sizes();
  bool move();
  void begin_round(std::size_t number);
  void copy_own_block();
  void pass_own_packet(const RoundMemory& pieces);

  const AlltoallPlan& plan_;
  ExchangeMemory memory_;
  TagRange tags_;
  std::byte* scratch_;
  RunLength length_;
  StepSynchroniser synchroniser_;
  std::optional<Dissemination> sizes_;  ///< until block sizes are compared
  bool has_begun_ = false;
  std::size_t round_number_ = 0;
  std::optional<Round> round_;
  bool is_over_ = false;
  std::exception_ptr failure_;
  std::thread::id thread_ = std::this_thread::get_id();
};

}  // namespace cubefold::mpi
