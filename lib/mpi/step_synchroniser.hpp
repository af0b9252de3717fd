#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "alltoall_plan.hpp"
#include "cubefold/export.h"
#include "request_set.hpp"

namespace cubefold::mpi {

/// A non-blocking dissemination barrier that can gather one number from every process. It takes ceil(log2 p) rounds. In
/// round k a process receives the numbers of up to 2^k processes from the process 2^k above it, modulo p, and sends as
/// many to the process 2^k below it. MPI_Ibarrier is not used, because it would require all processes to join the
/// barriers of several runs in the same order, and because a process cannot leave an MPI collective when another
/// process fails.
class CUBEFOLD_API Dissemination {
 public:
  /// Makes a barrier that gathers `number`, or no numbers.
  explicit Dissemination(const TagRange& tags, std::optional<std::uint64_t> number = {});
  Dissemination(const Dissemination&) = delete;
  Dissemination& operator=(const Dissemination&) = delete;
  ~Dissemination();

  /// Joins the next barrier. Requires that the previous one is passed. Two processes exchange messages in one round
  /// only, so the messages of successive barriers match in order.
  void begin();

  /// Does all work that is possible without waiting, and returns whether there was any.
  bool advance();

  bool is_passed() const { return known_ >= size_ && messages_.empty(); }

  /// Returns the processes whose messages of the present round are under way.
  const std::vector<int>& awaited() const { return messages_.under_way(); }

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

/// The length of a run: the steps of the program, once for each round.
struct RunLength {
  std::size_t round_count;
  std::size_t step_count;
  std::size_t block_bytes;
  std::size_t piece_bytes;

  std::size_t steps() const { return round_count * step_count; }
};

/// Decides when the steps of a run may begin: at once, or at their time after a barrier.
class CUBEFOLD_API StepSynchroniser {
 public:
  StepSynchroniser(const AlltoallSetup& setup, const RunLength& length, const TagRange& tags);

  /// Joins the barrier and tests it. Returns whether anything happened.
  bool advance();

  bool may_begin(std::size_t round, std::size_t step);

  /// Records that the step begins now. If it is late by more than its own length, all later steps are delayed as well.
  void note_begin(std::size_t round, std::size_t step);

  /// Returns the processes for which this one waits in the barrier.
  std::vector<int> awaited() const { return barrier_ ? barrier_->awaited() : std::vector<int>(); }

  /// Returns whether no other process needs this one for the barrier any more.
  bool is_over() const { return is_open_; }

 private:
  using Clock = std::chrono::steady_clock;

  void start_clock();

  const AlltoallSetup& setup_;
  RunLength length_;
  bool is_open_;  ///< whether the steps may begin
  bool has_joined_ = false;
  std::optional<Dissemination> barrier_;  ///< set if the steps begin at their times
  std::optional<StepSlots> slots_;        ///< times of the steps; set when the clock starts
  Clock::time_point start_;
};

}  // namespace cubefold::mpi
