#pragma once

#include <algorithm>
#include <chrono>
#include <thread>

namespace cubefold::mpi {

/// Gives the core away while nothing happens. It does not yield with every poll: MPI, which is polled each time, may
/// itself yield, and a message would then be found that much later. After a long wait it sleeps for a small part of the
/// time waited, so that processes which share cores leave them to those that have work.
class BackOff {
 public:
  void wait_after(bool anything_happened) {
    if (anything_happened) {
      idle_count_ = 0;
      return;
    }
    const auto now = Clock::now();
    if (++idle_count_ == 1) idle_since_ = now;
    const auto idle = now - idle_since_;
    if (idle < long_wait) {
      if (idle_count_ % polls_between_yields == 0) std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::min<Clock::duration>(idle / 32, longest_sleep));
    }
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned polls_between_yields = 16;
  static constexpr std::chrono::milliseconds long_wait{4};
  static constexpr std::chrono::milliseconds longest_sleep{1};

  unsigned idle_count_ = 0;
  Clock::time_point idle_since_;
};

}  // namespace cubefold::mpi
