#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/mpi/alltoall_plan.hpp"
#include "cubefold/schedule/tokens.hpp"
#include "request_set.hpp"

namespace cubefold::mpi {

/// A barrier that never blocks, and that can gather one number from every process. In turn k a process receives what up
/// to 2^k processes know from the process 2^k above it, modulo p, and sends as much to the process 2^k below it: this
/// takes ceil(log2 p) turns. MPI_Ibarrier would require all processes to join the barriers of several runs in the same
/// order, and a process could not leave a collective of MPI when another process fails.
class Dissemination {
 public:
  /// Gathers `number`, or nothing.
  explicit Dissemination(const TagRange& tags, std::optional<std::uint64_t> number = {});

  /// Joins the barrier. Requires that the barrier before it is passed. Messages of the same two processes belong to the
  /// same turn, so the messages of successive barriers arrive in their order.
  void begin();

  /// Does what can be done now, and returns whether that was anything.
  bool advance();

  bool is_passed() const { return known_ >= size_ && messages_.empty(); }

  int process_count() const { return size_; }

  /// The number that this process brings. Requires that the barrier is passed.
  std::uint64_t number_of(int rank) const {
    return numbers_[static_cast<std::size_t>((rank - rank_ + size_) % size_)];
  }

 private:
  void begin_turn();

  TagRange tags_;
  int rank_ = 0;
  int size_ = 0;
  int known_ = 0;                       ///< the number of processes that are known to have joined
  std::vector<std::uint64_t> numbers_;  ///< of this process and those above it, modulo p
  struct Nothing {};
  RequestSet<Nothing> messages_;
};

/// Sends and receives the tokens of one round, which are messages without data: a message of the exchange leaves when
/// the tokens that it awaits have arrived.
class TokenTraffic {
 public:
  TokenTraffic(const TokenProgram& tokens, const TagRange& tags)
      : tokens_(tokens), tags_(tags), awaited_(tokens.awaited.size()), given_(tokens.given.size()) {}

  /// Returns whether all tokens are there that a send awaits.
  bool may_begin(std::size_t send) const {
    return awaited_.over() == awaited_.count() || tokens_.awaited[awaited_.over()].send > send;
  }

  /// Posts receives for the tokens that the sends below `send_limit` await, gives the tokens that are due when
  /// `receives_over` messages have arrived, and returns whether any token has come or gone.
  bool advance(std::size_t send_limit, std::size_t receives_over);

  bool is_over() const { return awaited_.all_over() && given_.all_over(); }

 private:
  struct Token {
    bool is_given;
    std::size_t index;
  };

  const TokenProgram& tokens_;
  TagRange tags_;
  MessageProgress awaited_;
  MessageProgress given_;
  RequestSet<Token> requests_;
};

/// The number of steps of a run, which are the program's steps once for each round.
struct RunLength {
  std::size_t round_count;
  std::size_t step_count;
  std::size_t block_bytes;
  std::size_t piece_bytes;

  std::size_t steps() const { return round_count * step_count; }
};

/// Decides when the steps of a run may begin: at once, after a barrier, or when their time has come. Tokens are the
/// only kind of synchronisation that is decided elsewhere, as they hold back messages instead of steps.
class StepSynchroniser {
 public:
  StepSynchroniser(const AlltoallSetup& setup, const RunLength& length, const TagRange& tags);

  /// Joins a barrier when this process has ended all steps before it, and tests that barrier; returns whether anything
  /// happened. `first_open_step` is counted through all rounds.
  bool advance(std::size_t first_open_step);

  bool may_begin(std::size_t round, std::size_t step);

  /// Records that the step begins now. If it is late by more than its own length, all later steps are put off, too.
  void note_begin(std::size_t round, std::size_t step);

  /// Returns whether other processes need this one for no barrier any more.
  bool is_over() const { return open_steps_ >= length_.steps(); }

 private:
  using Clock = std::chrono::steady_clock;

  void start_clock();

  const AlltoallSetup& setup_;
  RunLength length_;
  std::size_t steps_per_barrier_;  ///< 0: there are no barriers
  std::size_t open_steps_ = 0;     ///< the number of steps that come before the next barrier
  bool has_joined_ = false;
  Dissemination barrier_;
  std::optional<StepSlots> slots_;  ///< the times of steps, once the clock runs
  Clock::time_point start_;
};

}  // namespace cubefold::mpi
