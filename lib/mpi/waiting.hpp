#pragma once

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// The longest time in seconds that a process waits for others while nothing happens: the value of the environment
/// variable CUBEFOLD_TIMEOUT. There is no limit without the variable.
class CUBEFOLD_API TimeLimit {
 public:
  TimeLimit() = default;

  /// Collective: returns the shortest limit of all processes. Throws std::invalid_argument on all processes if the
  /// variable is no number of seconds above 0 on any process.
  static TimeLimit on(MPI_Comm comm);

  bool exists() const { return seconds_ < std::numeric_limits<double>::infinity(); }
  double seconds() const { return seconds_; }

 private:
  double seconds_ = std::numeric_limits<double>::infinity();
};

/// The processes that a process waits for, and the step in which it does.
struct Awaited {
  std::vector<int> ranks;  ///< empty if they are not known
  std::string step;        ///< such as " in step 4 of 15 (direct)", or empty
  std::string where = {};  ///< such as "stage 3 (dimension 1): ", or empty
};

/// Throws Error with Status::timeout and a text such as "rank 3 waited 5 s for ranks 1 and 7 of MPI_COMM_WORLD in step
/// 4 of 15 (direct)". The ranks of `awaited` are those of the communicator. The text has those of MPI_COMM_WORLD,
/// because the communicator may have a part of the processes in another order. It names at most 8 of them.
[[noreturn]] CUBEFOLD_API void throw_timeout(MPI_Comm comm, TimeLimit limit, const Awaited& awaited);

/// Yields the core while nothing happens. It does not yield with every poll: MPI may itself yield when it is polled,
/// and additional yields would delay the detection of a message. After a long wait it sleeps for a small part of the
/// time waited, so that processes which share cores leave them to those that have work.
class BackOff {
 public:
  using Clock = std::chrono::steady_clock;

  /// Sleeps begin when nothing has happened for `long_wait`.
  explicit BackOff(std::chrono::microseconds long_wait = std::chrono::milliseconds(4),
                   std::chrono::microseconds longest_sleep = std::chrono::milliseconds(1))
      : long_wait_(long_wait), longest_sleep_(longest_sleep) {}

  /// Waits not at all, for a yield of the core, or for a sleep, as pause_after() says.
  void wait_after(unsigned idle_polls) {
    const auto pause = pause_after(idle_polls, Clock::now);
    if (!pause) return;
    if (*pause == Clock::duration::zero()) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(*pause);
    }
  }

  /// Returns the time to sleep after so many polls in vain, or after none because anything happened: 0 if the core
  /// should be yielded, or nothing if the next poll should follow at once. Calls now() only where a yield is due and
  /// between sleeps, because every poll would otherwise read the clock.
  template <typename Now>
  std::optional<Clock::duration> pause_after(unsigned idle_polls, Now now) {
    if (idle_polls == 0) {
      idle_polls_ = 0;
      idle_since_ = never;
      is_long_ = false;
      return std::nullopt;
    }
    idle_polls_ += idle_polls;
    if (idle_polls_ < polls_between_yields && !is_long_) return std::nullopt;
    idle_polls_ = 0;
    const Clock::time_point time = now();
    idle_since_ = std::min(idle_since_, time);
    const auto idle = time - idle_since_;
    is_long_ = idle >= long_wait_;
    return is_long_ ? std::min<Clock::duration>(idle / 32, longest_sleep_) : Clock::duration::zero();
  }

  /// Returns whether sleeps have begun.
  bool is_long() const { return is_long_; }

 private:
  static constexpr unsigned polls_between_yields = 16;
  static constexpr Clock::time_point never = Clock::time_point::max();

  std::chrono::microseconds long_wait_;
  std::chrono::microseconds longest_sleep_;
  unsigned idle_polls_ = 0;  ///< number of polls since the last yield or sleep, or since anything happened
  Clock::time_point idle_since_ = never;  ///< first look at the clock since anything happened
  bool is_long_ = false;
};

/// One wait under a time limit, which begins when it is made, and anew whenever the counter of progress changes, if
/// there is one. It reads no clock if there is no limit.
class LimitedWait {
 public:
  using Clock = std::chrono::steady_clock;

  explicit LimitedWait(TimeLimit limit, const std::atomic<std::uint64_t>* counter = nullptr)
      : limit_(limit), counter_(counter) {
    if (!limit.exists()) return;
    start_ = Clock::now();
    progress_ = progress();
  }

  /// Returns whether the limit has passed since the wait began.
  bool is_over() {
    if (!limit_.exists()) return false;
    const auto now = Clock::now();
    const std::uint64_t before = std::exchange(progress_, progress());
    if (before != progress_) start_ = now;
    return std::chrono::duration<double>(now - start_).count() > limit_.seconds();
  }

 private:
  std::uint64_t progress() const { return counter_ == nullptr ? 0 : counter_->load(); }

  TimeLimit limit_;
  const std::atomic<std::uint64_t>* counter_;
  Clock::time_point start_;
  std::uint64_t progress_ = 0;
};

/// Waits until is_over(): calls look(is_long), and yields the core or sleeps when nothing happens. is_long says whether
/// sleeps have begun. look() returns how often it has polled MPI in vain, or 0 if anything happened. Calls
/// out_of_time() whenever the limit has passed; it may throw, or end what is waited for.
template <typename IsOver, typename LookAt, typename OutOfTime>
void wait_until(LimitedWait& limited, IsOver is_over, LookAt look, OutOfTime out_of_time) {
  BackOff back_off;
  while (!is_over()) {
    const unsigned idle_polls = look(back_off.is_long());
    if (limited.is_over()) out_of_time();
    back_off.wait_after(idle_polls);
  }
}

}  // namespace cubefold::mpi
