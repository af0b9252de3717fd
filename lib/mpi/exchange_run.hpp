#pragma once

#include <cstddef>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/mpi/executor.hpp"
#include "cubefold/schedule/packing.hpp"
#include "equal_sizes.hpp"
#include "pace.hpp"
#include "round.hpp"
#include "run_space.hpp"

namespace cubefold::mpi {

/// Whether a run begins with a comparison of all processes' block sizes.
enum class SizeCheck : std::uint8_t { none, equal };

/// One run of an executor's program in progress. It moves only inside advance(), and never waits there.
class ExchangeRun {
 public:
  /// Begins. The scratch has executor.scratch_bytes(memory), and everything given lives until the run is over. Throws
  /// std::invalid_argument if a message would pass 2^31 - 1 bytes.
  ExchangeRun(const Executor& executor, const ExchangeMemory& memory, Rank rank, const RunSpace& space,
              std::byte* scratch, SizeCheck size_check);

  /// Of the exchange among those of its space.
  std::uint64_t number() const { return space_.number; }

  /// Whether this thread may advance the run. Where calls make and take the data, only the thread that began it may:
  /// they are that thread's.
  bool belongs_to_this_thread() const {
    return memory_.calls == nullptr || thread_ == std::this_thread::get_id();
  }

  /// Does what can be done now; whether that was anything. What fails ends the run, and is kept.
  bool advance();

  /// Whether any of its messages may have left.
  bool has_begun() const { return has_begun_; }

  bool is_over() const { return is_over_; }

  /// Ends the run by a failure.
  void end_with(std::exception_ptr failure) noexcept;

  /// What has failed, if anything.
  std::exception_ptr failure() const { return failure_; }

 private:
  bool is_checked();
  bool move();
  void begin_round(std::size_t number);
  void copy_own_block();
  void pass_own_packet(const RoundMemory& pieces);

  const Executor& executor_;
  ExchangeMemory memory_;
  Rank rank_;
  RunSpace space_;
  std::byte* scratch_;
  RunLength length_;
  Pace pace_;
  std::optional<EqualSizes> size_check_;
  bool has_begun_ = false;
  std::size_t round_number_ = 0;
  std::optional<Round> round_;
  bool is_over_ = false;
  std::exception_ptr failure_;
  std::thread::id thread_ = std::this_thread::get_id();
};

}  // namespace cubefold::mpi
