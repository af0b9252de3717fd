#include "workers.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>

namespace cubefold::fft {

std::size_t usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0)
    return static_cast<std::size_t>(std::max(CPU_COUNT(&cores), 1));
  return std::max(std::thread::hardware_concurrency(), 1U);  // more cores than the set has
}

Workers::Workers(std::size_t count) : looks_(count <= usable_cores()) {
  try {
    for (std::size_t i = 1; i < count; ++i) threads_.emplace_back([this, i] { serve(i); });
  } catch (...) {
    stop();
    throw;
  }
}

Workers::~Workers() {
  stop();
}

void Workers::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

/// Threads change the members of a condition under the mutex, so that no sleeping thread misses a change.
template <typename Condition>
void Workers::wait_until(Condition holds) {
  constexpr std::chrono::microseconds longest_look(100);
  if (looks_) {
    const auto end = std::chrono::steady_clock::now() + longest_look;
    while (std::chrono::steady_clock::now() < end) {
      if (holds()) return;
    }
  }
  std::unique_lock lock(mutex_);
  changed_.wait(lock, holds);
}

void Workers::run(const std::function<void(std::size_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    working_ = threads_.size();
    ++round_;
  }
  changed_.notify_all();
  work(0);
  wait_until([this] { return working_ == 0; });
}

void Workers::serve(std::size_t number) {
  for (std::size_t served = 0;; ++served) {
    wait_until([&] { return is_stopped_ || round_ != served; });
    if (is_stopped_) return;
    (*work_)(number);
    bool is_last = false;
    {
      const std::lock_guard lock(mutex_);
      is_last = --working_ == 0;
    }
    if (is_last) changed_.notify_all();
  }
}

}  // namespace cubefold::fft
